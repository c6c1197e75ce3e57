#include <math.h>
#include <string.h>

#include "contact_shape.h"
#include "matrix3.h"

/* Cosine of the angle within which normals are of one side; sides of a pair. */
#define ONE_SIDE 0.8
#define SIDES_MOST 6

/* How far from point i along the plane that its normal is across. */
static void within(const struct contact_points *points, size_t i, size_t n, double way[3])
{
	const struct contact_point *p = &points->list[i], *q = &points->list[n];
	for (int a = 0; a < 3; a++)
		way[a] = q->point[a] - p->point[a];
	const double along = dot3(way, p->normal);
	for (int a = 0; a < 3; a++)
		way[a] -= along * p->normal[a];
}

/* The points of one side: those that have its number. */
struct side {
	struct contact_points *points;
	const unsigned char *of;
	unsigned char number;
	double most; /* gap that counts */
};

static bool is_of(const struct side *side, size_t n)
{
	return side->of[n] == side->number && side->points->list[n].gap <= side->most;
}

static size_t farthest(const struct side *side, size_t from)
{
	size_t found = from;
	double best = 0.0;
	for (size_t n = 0; n < side->points->count; n++) {
		double way[3];
		if (!is_of(side, n))
			continue;
		within(side->points, from, n, way);
		const double square = dot3(way, way);
		if (square > best) {
			best = square;
			found = n;
		}
	}
	return found;
}

/* The farthest from the line through two points, on the side that sign tells. */
static size_t off_line(const struct side *side, size_t from, size_t to, double sign)
{
	double line[3], across[3];
	size_t found = from;
	double best = 0.0;
	within(side->points, from, to, line);
	cross3(side->points->list[from].normal, line, across);
	for (size_t n = 0; n < side->points->count; n++) {
		double way[3];
		if (!is_of(side, n))
			continue;
		within(side->points, from, n, way);
		const double away = sign * dot3(way, across);
		if (away > best) {
			best = away;
			found = n;
		}
	}
	return found;
}

static size_t deepest(const struct contact_points *points, const unsigned char *of)
{
	size_t found = points->count;
	for (size_t n = 0; n < points->count; n++)
		if (of[n] == 0 &&
		    (found == points->count || points->list[n].gap < points->list[found].gap))
			found = n;
	return found;
}

void contact_thin(struct contact_points *points, int dim)
{
	unsigned char of[CONTACT_POINTS_MOST] = {0}, keep[CONTACT_POINTS_MOST] = {0};
	const size_t few = dim == 2 ? 2 : 4;
	for (unsigned char number = 1; number <= SIDES_MOST; number++) {
		const size_t first = deepest(points, of);
		size_t count = 0;
		if (first == points->count)
			break;
		for (size_t n = 0; n < points->count; n++)
			if (of[n] == 0 &&
			    dot3(points->list[n].normal, points->list[first].normal) > ONE_SIDE) {
				of[n] = number;
				keep[n] = 1;
				count++;
			}
		if (count <= few)
			continue;
		const double gap = points->list[first].gap;
		const struct side side = {points, of, number, gap + 0.5 * (points->margin - gap)};
		for (size_t n = 0; n < points->count; n++)
			keep[n] = of[n] == number ? 0 : keep[n];
		const size_t second = farthest(&side, first);
		keep[first] = keep[second] = 1;
		if (dim == 3) {
			keep[off_line(&side, first, second, 1.0)] = 1;
			keep[off_line(&side, first, second, -1.0)] = 1;
		}
	}
	size_t count = 0;
	for (size_t n = 0; n < points->count; n++)
		if (keep[n])
			points->list[count++] = points->list[n];
	points->count = count;
}
