/* Convex polygons: the side along whose normal they are farthest apart, and the other's edge that
 * faces it, cut to it. */
#include <math.h>

#include "contact_shape.h"
#include "matrix3.h"

/* Of the side: how much farther apart another must be to be taken; how far over its ends. */
#define STAYS 0.02
#define OVER 0.01

struct side {
	size_t corner; /* it begins at */
	double normal[3], apart, length;
};

static void corner_of(const struct contact_shape *s, size_t i, double x[3])
{
	const double p[3] = {s->corners[i % s->corner_count][0], s->corners[i % s->corner_count][1],
			     0.0};
	contact_leave(s, p, x);
}

/* The way along side i, and its length; 0 of none. */
static double side_of(const struct contact_shape *s, size_t i, double from[3], double way[3])
{
	double to[3];
	corner_of(s, i, from);
	corner_of(s, i + 1, to);
	for (int a = 0; a < 3; a++)
		way[a] = to[a] - from[a];
	const double length = sqrt(dot3(way, way));
	for (int a = 0; a < 3; a++)
		way[a] /= length > 0.0 ? length : 1.0;
	return length;
}

static struct side best_side(const struct contact_shape *s, const struct contact_shape *other)
{
	struct side best = {.apart = -HUGE_VAL};
	for (size_t i = 0; i < s->corner_count; i++) {
		double from[3], way[3], x[3], least = HUGE_VAL;
		const double length = side_of(s, i, from, way);
		const double normal[3] = {way[1], -way[0], 0.0};
		if (!(length > 0.0))
			continue;
		for (size_t n = 0; n < other->corner_count; n++) {
			corner_of(other, n, x);
			least = fmin(least,
				     (x[0] - from[0]) * normal[0] + (x[1] - from[1]) * normal[1]);
		}
		if (least > best.apart)
			best = (struct side){i, {normal[0], normal[1], 0.0}, least, length};
	}
	return best;
}

/* The side of a polygon that faces n most. */
static size_t facing(const struct contact_shape *s, const double n[3])
{
	size_t found = 0;
	double least = HUGE_VAL;
	for (size_t i = 0; i < s->corner_count; i++) {
		double from[3], way[3];
		if (!(side_of(s, i, from, way) > 0.0))
			continue;
		const double toward = way[1] * n[0] - way[0] * n[1];
		if (toward < least) {
			least = toward;
			found = i;
		}
	}
	return found;
}

/* sign: 1 if the normal of the side points from `other` to `body`. */
static void add_side(const struct contact_shape *own, const struct contact_shape *block,
		     const struct side *side, double sign, uint32_t feature,
		     struct contact_points *points)
{
	double from[3], way[3], ends[2][3], at[2];
	const size_t edge = facing(block, side->normal);
	const double over = OVER * side->length;
	side_of(own, side->corner, from, way);
	for (size_t i = 0; i < 2; i++) {
		corner_of(block, edge + i, ends[i]);
		at[i] = (ends[i][0] - from[0]) * way[0] + (ends[i][1] - from[1]) * way[1];
	}
	feature |= (uint32_t)(side->corner % 64) << 8 | (uint32_t)(edge % 64) << 2;
	for (int i = 0; i < 2; i++) {
		double point[3] = {0.0}, normal[3] = {0.0};
		const double low = -over, high = side->length + over, away = at[1 - i] - at[i];
		const double wanted = at[i] < low ? low : at[i] > high ? high : at[i];
		double share = 0.0;
		if (wanted < at[i] || wanted > at[i])
			share = fabs(away) > 0.0 ? (wanted - at[i]) / away : 2.0;
		if (!(share >= 0.0 && share <= 1.0))
			continue;
		double gap = 0.0;
		for (int a = 0; a < 2; a++) {
			point[a] = ends[i][a] + share * (ends[1 - i][a] - ends[i][a]);
			gap += (point[a] - from[a]) * side->normal[a];
			normal[a] = sign * side->normal[a];
		}
		for (int a = 0; a < 2; a++)
			point[a] -= 0.5 * gap * side->normal[a];
		contact_points_add(points, point, normal, gap, feature | (uint32_t)i);
	}
}

void contact_polygons(const struct contact_shape *body, const struct contact_shape *other,
		      struct contact_points *points)
{
	const struct side own = best_side(body, other), its = best_side(other, body);
	const double tolerance = STAYS * fmin(own.length, its.length);
	if (fmax(own.apart, its.apart) > points->margin)
		return;
	if (its.apart > own.apart + tolerance)
		add_side(other, body, &its, 1.0, 0x4000u, points);
	else
		add_side(body, other, &own, -1.0, 0, points);
}
