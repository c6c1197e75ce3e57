/* Union, intersection and difference. */
#include <math.h>

#include "shape_kinds.h"

static void bound_union(struct scene_bounds *bounds, const struct scene_bounds *other)
{
	for (int i = 0; i < 3; i++) {
		bounds->low[i] = fmin(bounds->low[i], other->low[i]);
		bounds->high[i] = fmax(bounds->high[i], other->high[i]);
	}
}

static void bound_intersection(struct scene_bounds *bounds, const struct scene_bounds *other)
{
	for (int i = 0; i < 3; i++) {
		bounds->low[i] = fmax(bounds->low[i], other->low[i]);
		bounds->high[i] = fmin(bounds->high[i], other->high[i]);
	}
}

/* What is taken away may be anywhere. */
static void bound_difference(struct scene_bounds *bounds, const struct scene_bounds *other)
{
	(void)bounds;
	(void)other;
}

const struct shape_pair shape_pair_union = {bound_union, true};
const struct shape_pair shape_pair_intersection = {bound_intersection, false};
const struct shape_pair shape_pair_difference = {bound_difference, false};
