/* The edges that a line sweeping over a polygon cuts, from the lowest to the highest. */
#ifndef FRESHET_POLYGON_ORDER_H
#define FRESHET_POLYGON_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* On a grid of at most 2^30 points along each axis, so that nothing is rounded. */
struct polygon_point {
	int64_t x, y;
};

struct polygon_edge {
	struct polygon_point from, to; /* from before to */
};

#define POLYGON_NO_EDGE SIZE_MAX

/* A treap whose nodes, one per edge, are also linked with their neighbours. */
struct polygon_node {
	size_t child[2], parent, neighbour[2]; /* below, above */
	uint32_t priority;
};

struct polygon_order {
	struct polygon_edge *edges; /* [count], owned */
	struct polygon_node *nodes; /* [count], owned */
	size_t root;
};

/* Along x, then along y: < 0, 0 or > 0. */
int polygon_points_compare(const struct polygon_point *a, const struct polygon_point *b);
/* > 0: p is above the edge's line (left of it), 0: on it, < 0: below. */
int polygon_side(const struct polygon_edge *edge, struct polygon_point p);

/* Room for `count` edges, of which none is in the order yet.  False: no memory. */
bool polygon_order_init(struct polygon_order *order, size_t count);
void polygon_order_free(struct polygon_order *order);

/* Puts an edge that begins at the sweeping line between its neighbours.  Of edges that run into one
 * another the lower number is the lower edge. */
void polygon_order_insert(struct polygon_order *order, size_t edge);
void polygon_order_remove(struct polygon_order *order, size_t edge);
/* The lowest edge that a point of the sweeping line is not above, or POLYGON_NO_EDGE. */
size_t polygon_order_find(const struct polygon_order *order, struct polygon_point p);
/* The edges next below and above, or POLYGON_NO_EDGE. */
size_t polygon_order_below(const struct polygon_order *order, size_t edge);
size_t polygon_order_above(const struct polygon_order *order, size_t edge);

#endif
