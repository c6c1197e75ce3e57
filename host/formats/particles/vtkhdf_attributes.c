#include "vtkhdf_attributes.h"

#include <stdio.h>

const char *vtkhdf_attribute_name(enum particle_attribute attribute, char name[VTKHDF_NAME])
{
	if (attribute == ATTRIBUTE_POSITION)
		return "Points";
	snprintf(name, VTKHDF_NAME, "PointData/%s", attribute_rows[attribute].name);
	return name;
}

enum vtkhdf_type vtkhdf_attribute_type(enum particle_attribute attribute)
{
	static const enum vtkhdf_type types[] = {[ATTRIBUTE_F32] = VTKHDF_F32,
						 [ATTRIBUTE_U32] = VTKHDF_U32,
						 [ATTRIBUTE_U8] = VTKHDF_U8};
	return types[attribute_rows[attribute].type];
}
