#include "polygon_check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "polygon_order.h"

/* Of the square of its extent: less is the rounding of points on a line. */
#define LEAST_AREA 1e-7
/* Coordinates are whole numbers up to this, so that products of differences are exact. */
#define GRID_BITS 30

struct vertex {
	struct polygon_point at;
	size_t number;
};

/* A line through a point: the directions that it comes from and goes to, seen from there. */
struct passage {
	struct polygon_point way[2]; /* by angle */
	size_t edge;
};

/* One of the two ways of a passage, for sorting them around a point. */
struct way {
	const struct passage *passage;
	int end; /* 0: the first of the passage's by angle */
};

struct check {
	struct polygon_order order;
	struct polygon_point *points; /* without repetitions of the one before */
	size_t *numbers; /* as given: of the last repetition, where the edge to the next begins */
	size_t count;
	struct vertex *sorted; /* from left to right */
	/* Of one point. */
	struct passage *passages;
	struct way *ways;
	const struct passage **open;
	size_t *crossing;
};

/* ---- points ------------------------------------------------------------------------------ */

static bool is_flat(const float *points, size_t count, double low[2], double *extent)
{
	double high[2] = {-HUGE_VAL, -HUGE_VAL}, area = 0.0;
	low[0] = low[1] = HUGE_VAL;
	for (size_t i = 0; i < count; i++) {
		const float *a = points, *b = points + 2 * i, *c = points + 2 * ((i + 1) % count);
		area += 0.5 * (((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
			       ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]));
		for (size_t k = 0; k < 2; k++) {
			low[k] = fmin(low[k], (double)b[k]);
			high[k] = fmax(high[k], (double)b[k]);
		}
	}
	*extent = fmax(high[0] - low[0], high[1] - low[1]);
	return !(fabs(area) > LEAST_AREA * *extent * *extent);
}

/* Onto the grid of whole numbers, by a power of two; repeated points are left out. */
static void place_points(struct check *c, const float *points, size_t count, const double low[2],
			 double extent)
{
	int exponent;
	frexp(extent, &exponent);
	for (size_t i = 0; i < count; i++) {
		struct polygon_point p;
		p.x = llround(ldexp((double)points[2 * i] - low[0], GRID_BITS - exponent));
		p.y = llround(ldexp((double)points[2 * i + 1] - low[1], GRID_BITS - exponent));
		if (c->count == 0 || polygon_points_compare(&c->points[c->count - 1], &p) != 0)
			c->count++;
		c->points[c->count - 1] = p;
		c->numbers[c->count - 1] = i;
	}
	while (c->count > 1 && polygon_points_compare(&c->points[c->count - 1], &c->points[0]) == 0)
		c->count--;
}

static bool fail_crossing(const struct check *c, size_t a, size_t b)
{
	a = c->numbers[a];
	b = c->numbers[b];
	c->crossing[0] = a < b ? a : b;
	c->crossing[1] = a < b ? b : a;
	return false;
}

/* ---- what passes through one point ------------------------------------------------------- */

static int64_t turn_of(struct polygon_point a, struct polygon_point b)
{
	return a.x * b.y - a.y * b.x;
}

/* From the x axis on, anticlockwise. */
static int by_angle(struct polygon_point a, struct polygon_point b)
{
	const bool lower_a = a.y < 0 || (a.y == 0 && a.x < 0);
	const bool lower_b = b.y < 0 || (b.y == 0 && b.x < 0);
	if (lower_a != lower_b)
		return lower_a ? 1 : -1;
	const int64_t turn = turn_of(a, b);
	return turn > 0 ? -1 : turn < 0;
}

/* At one angle ends before beginnings, and as brackets would be: the inner ends first, the outer
 * begins first. */
static int compare_ways(const void *a, const void *b)
{
	const struct way *p = a, *q = b;
	int order = by_angle(p->passage->way[p->end], q->passage->way[q->end]);
	if (order == 0)
		order = q->end - p->end;
	if (order == 0)
		order = -by_angle(p->passage->way[!p->end], q->passage->way[!q->end]);
	if (order == 0)
		order = p->passage < q->passage ? -1 : p->passage > q->passage;
	else
		return order;
	return p->end ? -order : order;
}

static void add_passage(struct check *c, size_t *count, struct polygon_point a,
			struct polygon_point b, size_t edge)
{
	const int order = by_angle(a, b);
	if (order == 0)
		return; /* back where it came from */
	c->passages[(*count)++] = (struct passage){{order < 0 ? a : b, order < 0 ? b : a}, edge};
}

/* Passages cross unless their ways are nested like brackets. */
static bool are_nested(struct check *c, size_t count)
{
	size_t depth = 0;
	for (size_t i = 0; i < count; i++)
		for (int end = 0; end < 2; end++)
			c->ways[2 * i + (size_t)end] = (struct way){&c->passages[i], end};
	qsort(c->ways, 2 * count, sizeof(*c->ways), compare_ways);
	for (size_t i = 0; i < 2 * count; i++) {
		const struct way *w = &c->ways[i];
		if (w->end == 0)
			c->open[depth++] = w->passage;
		else if (c->open[--depth] != w->passage)
			return fail_crossing(c, c->open[depth]->edge, w->passage->edge);
	}
	return true;
}

/* ---- the sweep --------------------------------------------------------------------------- */

/* Each has its ends on both sides of the other. */
static bool do_cross(const struct check *c, size_t a, size_t b)
{
	if (a == POLYGON_NO_EDGE || b == POLYGON_NO_EDGE)
		return false;
	const struct polygon_edge *p = &c->order.edges[a], *q = &c->order.edges[b];
	return polygon_side(p, q->from) * polygon_side(p, q->to) < 0 &&
	       polygon_side(q, p->from) * polygon_side(q, p->to) < 0;
}

static bool begin_edge(struct check *c, size_t edge)
{
	polygon_order_insert(&c->order, edge);
	const size_t below = polygon_order_below(&c->order, edge);
	const size_t above = polygon_order_above(&c->order, edge);
	return do_cross(c, below, edge)	  ? fail_crossing(c, below, edge)
	       : do_cross(c, edge, above) ? fail_crossing(c, edge, above)
					  : true;
}

static bool end_edge(struct check *c, size_t edge)
{
	const size_t below = polygon_order_below(&c->order, edge);
	const size_t above = polygon_order_above(&c->order, edge);
	polygon_order_remove(&c->order, edge);
	return !do_cross(c, below, above) || fail_crossing(c, below, above);
}

static struct polygon_point way_to(struct polygon_point from, struct polygon_point to)
{
	return (struct polygon_point){to.x - from.x, to.y - from.y};
}

/* All that passes through the point of the vertices sorted[first ... end]. */
static bool check_passages(struct check *c, size_t first, size_t end)
{
	const struct polygon_point at = c->sorted[first].at;
	size_t count = 0;
	for (size_t i = first; i < end; i++) {
		const size_t v = c->sorted[i].number;
		add_passage(c, &count, way_to(at, c->points[(v + c->count - 1) % c->count]),
			    way_to(at, c->points[(v + 1) % c->count]), v);
	}
	for (size_t e = polygon_order_find(&c->order, at);
	     e != POLYGON_NO_EDGE && polygon_side(&c->order.edges[e], at) == 0;
	     e = polygon_order_above(&c->order, e)) {
		const struct polygon_edge *edge = &c->order.edges[e];
		if (polygon_points_compare(&edge->to, &at) != 0)
			add_passage(c, &count, way_to(at, edge->from), way_to(at, edge->to), e);
	}
	return are_nested(c, count);
}

/* The edges at vertex v that lead to the left of it end there, the others begin. */
static bool pass_vertex(struct check *c, size_t v, bool begin)
{
	const size_t edges[2] = {(v + c->count - 1) % c->count, v};
	for (int i = 0; i < 2; i++) {
		const struct polygon_edge *e = &c->order.edges[edges[i]];
		const bool begins = polygon_points_compare(&e->from, &c->points[v]) == 0;
		if (begins == begin && !(begin ? begin_edge(c, edges[i]) : end_edge(c, edges[i])))
			return false;
	}
	return true;
}

static bool sweep(struct check *c)
{
	size_t end;
	for (size_t first = 0; first < c->count; first = end) {
		for (end = first + 1; end < c->count; end++)
			if (polygon_points_compare(&c->sorted[first].at, &c->sorted[end].at) != 0)
				break;
		if (!check_passages(c, first, end))
			return false;
		for (int begin = 0; begin < 2; begin++)
			for (size_t i = first; i < end; i++)
				if (!pass_vertex(c, c->sorted[i].number, begin != 0))
					return false;
	}
	return true;
}

static bool is_line(const struct check *c)
{
	struct polygon_edge line = {c->points[0], c->points[0]};
	for (size_t i = 1; i < c->count; i++) {
		if (i == 1)
			line.to = c->points[1];
		else if (polygon_side(&line, c->points[i]) != 0)
			return false;
	}
	return true;
}

static int by_place(const void *a, const void *b)
{
	return polygon_points_compare(&((const struct vertex *)a)->at,
				      &((const struct vertex *)b)->at);
}

static void prepare(struct check *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct polygon_point from = c->points[i], to = c->points[(i + 1) % c->count];
		c->order.edges[i] = polygon_points_compare(&from, &to) < 0
					    ? (struct polygon_edge){from, to}
					    : (struct polygon_edge){to, from};
		c->sorted[i] = (struct vertex){from, i};
	}
	qsort(c->sorted, c->count, sizeof(*c->sorted), by_place);
}

enum polygon_fault polygon_check(const float *points, size_t count, size_t crossing[2])
{
	enum polygon_fault fault = POLYGON_NO_MEMORY;
	double low[2], extent;
	const bool flat = is_flat(points, count, low, &extent);
	struct check c = {.points = calloc(count, sizeof(*c.points)),
			  .numbers = calloc(count, sizeof(*c.numbers)),
			  .sorted = calloc(count, sizeof(*c.sorted)),
			  .passages = calloc(count, sizeof(*c.passages)),
			  .ways = calloc(count, 2 * sizeof(*c.ways)),
			  .open = calloc(count, sizeof(*c.open)),
			  .crossing = crossing};
	if (polygon_order_init(&c.order, count) && c.points && c.numbers && c.sorted &&
	    c.passages && c.ways && c.open) {
		place_points(&c, points, count, low, extent);
		prepare(&c);
		fault = is_line(&c)  ? POLYGON_FLAT
			: !sweep(&c) ? POLYGON_CROSSES
			: flat	     ? POLYGON_FLAT
				     : POLYGON_SOUND;
	}
	polygon_order_free(&c.order);
	free(c.points);
	free(c.numbers);
	free(c.sorted);
	free(c.passages);
	free(c.ways);
	free(c.open);
	return fault;
}
