#include "polygon_check.h"

#include <math.h>
#include <stdlib.h>

/* Of the square of its extent: less is the rounding of points on a line. */
#define LEAST_AREA 1e-7

struct edge {
	double from[2], to[2], low, high; /* low, high: along x */
	size_t number;
};

static int by_low(const void *a, const void *b)
{
	const struct edge *p = a, *q = b;
	if (p->low < q->low || p->low > q->low)
		return p->low < q->low ? -1 : 1;
	return p->number < q->number ? -1 : p->number > q->number;
}

/* Twice the signed area of a, b, c. */
static double area_of(const double a[2], const double b[2], const double c[2])
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool are_apart(double a, double b)
{
	return (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0);
}

/* Each has its ends on both sides of the other. */
static bool do_cross(const struct edge *p, const struct edge *q)
{
	return are_apart(area_of(p->from, p->to, q->from), area_of(p->from, p->to, q->to)) &&
	       are_apart(area_of(q->from, q->to, p->from), area_of(q->from, q->to, p->to));
}

static bool is_flat(const struct edge *edges, size_t count)
{
	double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, area = 0.0;
	for (size_t i = 0; i < count; i++) {
		area += 0.5 * area_of(edges[0].from, edges[i].from, edges[i].to);
		for (int c = 0; c < 2; c++) {
			low[c] = fmin(low[c], edges[i].from[c]);
			high[c] = fmax(high[c], edges[i].from[c]);
		}
	}
	const double extent = fmax(high[0] - low[0], high[1] - low[1]);
	return !(fabs(area) > LEAST_AREA * extent * extent);
}

enum polygon_fault polygon_check(const float *points, size_t count, size_t crossing[2])
{
	struct edge *edges = calloc(count, sizeof(*edges));
	enum polygon_fault fault = POLYGON_SOUND;
	if (!edges)
		return POLYGON_NO_MEMORY;
	for (size_t i = 0; i < count; i++) {
		struct edge *e = &edges[i];
		const size_t next = (i + 1) % count;
		for (size_t c = 0; c < 2; c++) {
			e->from[c] = (double)points[2 * i + c];
			e->to[c] = (double)points[2 * next + c];
		}
		e->low = fmin(e->from[0], e->to[0]);
		e->high = fmax(e->from[0], e->to[0]);
		e->number = i;
	}
	const bool flat = is_flat(edges, count);
	qsort(edges, count, sizeof(*edges), by_low);
	for (size_t i = 0; i < count && fault == POLYGON_SOUND; i++)
		for (size_t j = i + 1; j < count && edges[j].low <= edges[i].high; j++) {
			if (!do_cross(&edges[i], &edges[j]))
				continue;
			const size_t a = edges[i].number, b = edges[j].number;
			crossing[0] = a < b ? a : b;
			crossing[1] = a < b ? b : a;
			fault = POLYGON_CROSSES;
			break;
		}
	free(edges);
	return fault == POLYGON_SOUND && flat ? POLYGON_FLAT : fault;
}
