#include "usd_particles.h"

#include <stdio.h>

size_t usda_arrays(enum particle_attribute attribute)
{
	return attribute_rows[attribute].shape == ATTRIBUTE_MATRIX ? 3 : 1;
}

size_t usda_width(enum particle_attribute attribute)
{
	return attribute_width(attribute) / usda_arrays(attribute);
}

const char *usda_declaration(enum particle_attribute attribute, size_t n,
			     char text[USDA_DECLARATION])
{
	const struct attribute_row *row = &attribute_rows[attribute];
	static const char *const own[ATTRIBUTE_COUNT] = {
		[ATTRIBUTE_POSITION] = "point3f[] points",
		[ATTRIBUTE_VELOCITY] = "vector3f[] velocities",
		[ATTRIBUTE_ID] = "int64[] ids",
	};
	if (own[attribute])
		return own[attribute];
	if (row->shape == ATTRIBUTE_MATRIX)
		snprintf(text, USDA_DECLARATION, "float3[] primvars:%s_%c", row->name, "xyz"[n]);
	else
		snprintf(text, USDA_DECLARATION, "%s[] primvars:%s",
			 row->type != ATTRIBUTE_F32	  ? "int"
			 : row->shape == ATTRIBUTE_VECTOR ? "float3"
							  : "float",
			 row->name);
	return text;
}
