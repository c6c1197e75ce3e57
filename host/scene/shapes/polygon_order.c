#include "polygon_order.h"

#include <stdlib.h>

int polygon_points_compare(const struct polygon_point *a, const struct polygon_point *b)
{
	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return a->y < b->y ? -1 : a->y > b->y;
}

int polygon_side(const struct polygon_edge *edge, struct polygon_point p)
{
	const struct polygon_point a = edge->from, b = edge->to;
	const int64_t area = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
	return area < 0 ? -1 : area > 0;
}

bool polygon_order_init(struct polygon_order *order, size_t count)
{
	*order = (struct polygon_order){.edges = calloc(count, sizeof(*order->edges)),
					.nodes = calloc(count, sizeof(*order->nodes)),
					.root = POLYGON_NO_EDGE};
	return order->edges && order->nodes;
}

void polygon_order_free(struct polygon_order *order)
{
	free(order->edges);
	free(order->nodes);
	*order = (struct polygon_order){0};
}

size_t polygon_order_below(const struct polygon_order *order, size_t edge)
{
	return order->nodes[edge].neighbour[0];
}

size_t polygon_order_above(const struct polygon_order *order, size_t edge)
{
	return order->nodes[edge].neighbour[1];
}

/* Multiplicative hashing by the golden ratio: edges that follow each other get unlike ones. */
static uint32_t priority_of(size_t edge)
{
	const uint64_t mixed = ((uint64_t)edge + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

/* Puts `with` in the place of `edge` below `parent`. */
static void replace_child(struct polygon_order *order, size_t parent, size_t edge, size_t with)
{
	if (parent == POLYGON_NO_EDGE)
		order->root = with;
	else
		order->nodes[parent].child[order->nodes[parent].child[1] == edge] = with;
	if (with != POLYGON_NO_EDGE)
		order->nodes[with].parent = parent;
}

/* The edge becomes the child of its child on that side. */
static void rotate(struct polygon_order *order, size_t edge, int side)
{
	struct polygon_node *nodes = order->nodes;
	const size_t riser = nodes[edge].child[side], moved = nodes[riser].child[!side];
	replace_child(order, nodes[edge].parent, edge, riser);
	nodes[riser].child[!side] = edge;
	nodes[edge].parent = riser;
	nodes[edge].child[side] = moved;
	if (moved != POLYGON_NO_EDGE)
		nodes[moved].parent = edge;
}

static bool is_above(const struct polygon_order *order, size_t edge, size_t other)
{
	int side = polygon_side(&order->edges[other], order->edges[edge].from);
	if (side == 0)
		side = polygon_side(&order->edges[other], order->edges[edge].to);
	return side == 0 ? edge > other : side > 0;
}

void polygon_order_insert(struct polygon_order *order, size_t edge)
{
	struct polygon_node *nodes = order->nodes;
	size_t parent = POLYGON_NO_EDGE, next = order->root;
	size_t neighbour[2] = {POLYGON_NO_EDGE, POLYGON_NO_EDGE};
	int side = 0;
	while (next != POLYGON_NO_EDGE) {
		parent = next;
		side = is_above(order, edge, parent);
		neighbour[!side] = parent;
		next = nodes[parent].child[side];
	}
	nodes[edge] = (struct polygon_node){.child = {POLYGON_NO_EDGE, POLYGON_NO_EDGE},
					    .parent = parent,
					    .neighbour = {neighbour[0], neighbour[1]},
					    .priority = priority_of(edge)};
	for (int s = 0; s < 2; s++)
		if (neighbour[s] != POLYGON_NO_EDGE)
			nodes[neighbour[s]].neighbour[!s] = edge;
	if (parent == POLYGON_NO_EDGE)
		order->root = edge;
	else
		nodes[parent].child[side] = edge;
	while ((parent = nodes[edge].parent) != POLYGON_NO_EDGE &&
	       nodes[parent].priority < nodes[edge].priority)
		rotate(order, parent, nodes[parent].child[1] == edge);
}

void polygon_order_remove(struct polygon_order *order, size_t edge)
{
	struct polygon_node *nodes = order->nodes, *n = &nodes[edge];
	while (n->child[0] != POLYGON_NO_EDGE && n->child[1] != POLYGON_NO_EDGE)
		rotate(order, edge, nodes[n->child[1]].priority > nodes[n->child[0]].priority);
	replace_child(order, n->parent, edge, n->child[n->child[0] == POLYGON_NO_EDGE]);
	for (int s = 0; s < 2; s++)
		if (n->neighbour[s] != POLYGON_NO_EDGE)
			nodes[n->neighbour[s]].neighbour[!s] = n->neighbour[!s];
}

size_t polygon_order_find(const struct polygon_order *order, struct polygon_point p)
{
	size_t found = POLYGON_NO_EDGE;
	for (size_t next = order->root; next != POLYGON_NO_EDGE;) {
		const bool above = polygon_side(&order->edges[next], p) > 0;
		if (!above)
			found = next;
		next = order->nodes[next].child[above];
	}
	return found;
}
