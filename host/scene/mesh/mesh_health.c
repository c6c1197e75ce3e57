#include "mesh_health.h"

#include <stdlib.h>

#define FAULT_NAME(member, one, several) \
	{#member, one, several, offsetof(struct mesh_health, member)},
const struct mesh_fault_name mesh_fault_names[MESH_FAULT_COUNT] = {MESH_FAULTS(FAULT_NAME)};

/* An edge of one triangle: its ends, the lower first. */
struct edge {
	uint32_t low, high;
	uint32_t number; /* 3 times the triangle and which of its edges, for the order */
	uint32_t forward;
};

static int by_ends(const void *a, const void *b)
{
	const struct edge *p = a, *q = b;
	if (p->low != q->low)
		return p->low < q->low ? -1 : 1;
	if (p->high != q->high)
		return p->high < q->high ? -1 : 1;
	return p->number < q->number ? -1 : p->number > q->number;
}

static void count_fault(const struct mesh_surface *surface, const struct edge *edge,
			struct mesh_fault *fault)
{
	if (fault->count++ > 0)
		return;
	for (size_t axis = 0; axis < 3; axis++)
		fault->place[axis] = 0.5 * ((double)surface->vertices[3 * edge->low + axis] +
					    (double)surface->vertices[3 * edge->high + axis]);
}

bool mesh_count_edges(const struct mesh_surface *surface, struct mesh_health *health)
{
	const size_t count = 3 * (size_t)surface->triangle_count;
	struct edge *edges = malloc((count + 1) * sizeof(*edges));
	if (!edges)
		return false;
	for (size_t e = 0; e < count; e++) {
		const uint32_t a = surface->triangles[e];
		const uint32_t b = surface->triangles[e % 3 == 2 ? e - 2 : e + 1];
		edges[e] = (struct edge){a < b ? a : b, a < b ? b : a, (uint32_t)e, a < b};
	}
	qsort(edges, count, sizeof(*edges), by_ends);
	health->edges = 0;
	for (size_t first = 0, end; first < count; first = end) {
		const struct edge *e = &edges[first];
		for (end = first + 1; end < count; end++)
			if (edges[end].low != e->low || edges[end].high != e->high)
				break;
		health->edges++;
		if (end - first == 1)
			count_fault(surface, e, &health->open);
		else if (end - first > 2)
			count_fault(surface, e, &health->crowded);
		else if (e->forward == edges[first + 1].forward)
			count_fault(surface, e, &health->flipped);
	}
	free(edges);
	return true;
}
