/* Which solid is nearest, of several whose programs lie one after the other. */
#ifndef FRESHET_SOLID_PROGRAMS_H
#define FRESHET_SOLID_PROGRAMS_H

#include "common.h"
#include "shape.h"

/* All solids: struct shape_op [], polygon vertices, and where each one's program ends
 * (solids_create()). */
struct solid_programs {
	global const struct shape_op *ops;
	global const float *points;
	global const uint *slip;
};

/* The first instruction of a solid's own program. */
int solid_programs_first(const struct solid_programs *s, int solid)
{
	return solid == 0 ? 0 : (int)(s->slip[solid - 1] >> 1) + (solid > 1);
}

/* How many it has. */
int solid_programs_count(const struct solid_programs *s, int solid)
{
	return (int)(s->slip[solid] >> 1) - solid_programs_first(s, solid);
}

struct shape_sample solid_programs_evaluate(const struct solid_programs *s, int solid,
					    const float x[3])
{
	return shape_evaluate(DIM, s->ops + solid_programs_first(s, solid),
			      solid_programs_count(s, solid), s->points, x[0], x[1], x[2]);
}

/* The solid nearest to x of those from first to last - 1; the first of equally near ones. */
int solid_programs_nearest(const struct solid_programs *s, int first, int last, const float x[3])
{
	float nearest = SHAPE_FAR;
	int found = first;
	for (int solid = first; solid < last; ++solid) {
		const float distance = solid_programs_evaluate(s, solid, x).distance;
		if (distance < nearest) {
			nearest = distance;
			found = solid;
		}
	}
	return found;
}

#endif
