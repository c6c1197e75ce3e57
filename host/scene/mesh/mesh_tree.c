#include "mesh_tree.h"

#include <stdlib.h>
#include <string.h>

struct builder {
	const struct mesh_surface *surface;
	uint32_t *order; /* triangles, as they come */
	f32 *middles;	 /* of each, times three */
	struct mesh_tree *tree;
};

static void bound(const f32 *values, size_t stride, const uint32_t *order, size_t first, size_t end,
		  f32 low[3], f32 high[3])
{
	for (size_t i = first; i < end; i++) {
		const f32 *at = values + stride * order[i];
		for (int axis = 0; axis < 3; axis++) {
			low[axis] = i == first || at[axis] < low[axis] ? at[axis] : low[axis];
			high[axis] = i == first || at[axis] > high[axis] ? at[axis] : high[axis];
		}
	}
}

static void bound_triangles(const struct builder *b, size_t first, size_t end, struct mesh_box *box)
{
	const struct mesh_surface *s = b->surface;
	for (size_t i = first; i < end; i++) {
		f32 low[3], high[3];
		bound(s->vertices, 3, s->triangles + 3 * (size_t)b->order[i], 0, 3, low, high);
		for (int axis = 0; axis < 3; axis++) {
			f32 *l = &box->low[axis], *h = &box->high[axis];
			*l = i == first || low[axis] < *l ? low[axis] : *l;
			*h = i == first || high[axis] > *h ? high[axis] : *h;
		}
	}
}

/* The first of those whose middle is not below `at` along the axis; they come after the others,
 * each part in its order. */
static size_t part(struct builder *b, size_t first, size_t end, int axis, f32 at, uint32_t *spare)
{
	size_t below = first, above = 0;
	for (size_t i = first; i < end; i++) {
		if (b->middles[3 * (size_t)b->order[i] + (size_t)axis] < at)
			b->order[below++] = b->order[i];
		else
			spare[above++] = b->order[i];
	}
	memcpy(b->order + below, spare, above * sizeof(*spare));
	return below;
}

static void build(struct builder *b, size_t first, size_t end, uint32_t *spare)
{
	struct mesh_box *box = &b->tree->boxes[b->tree->count++];
	bound_triangles(b, first, end, box);
	box->leaf = -1;
	if (end - first <= MESH_LEAF) {
		box->leaf = (i32)(first << 3 | (end - first));
	} else {
		f32 low[3], high[3];
		int axis = 0;
		bound(b->middles, 3, b->order, first, end, low, high);
		for (int a = 1; a < 3; a++)
			axis = high[a] - low[a] > high[axis] - low[axis] ? a : axis;
		size_t middle =
			part(b, first, end, axis, 0.5f * low[axis] + 0.5f * high[axis], spare);
		if (middle == first || middle == end)
			middle = first + (end - first) / 2;
		build(b, first, middle, spare);
		build(b, middle, end, spare);
	}
	box->skip = (i32)b->tree->count;
}

static bool reorder(struct mesh_surface *surface, const uint32_t *order)
{
	const size_t count = (size_t)surface->triangle_count;
	uint32_t *moved = malloc((3 * count + 1) * sizeof(*moved));
	if (!moved)
		return false;
	for (size_t i = 0; i < count; i++)
		memcpy(moved + 3 * i, surface->triangles + 3 * (size_t)order[i],
		       3 * sizeof(*moved));
	free(surface->triangles);
	surface->triangles = moved;
	return true;
}

bool mesh_tree_build(struct mesh_surface *surface, struct mesh_tree *tree)
{
	const size_t count = (size_t)surface->triangle_count;
	struct builder b = {surface, malloc((count + 1) * sizeof(*b.order)),
			    malloc((3 * count + 1) * sizeof(*b.middles)), tree};
	uint32_t *spare = malloc((count + 1) * sizeof(*spare));
	*tree = (struct mesh_tree){malloc(2 * (count + 1) * sizeof(*tree->boxes)), 0};
	bool good = b.order && b.middles && spare && tree->boxes;
	for (size_t i = 0; good && i < count; i++) {
		b.order[i] = (uint32_t)i;
		for (size_t axis = 0; axis < 3; axis++) {
			f32 sum = 0.0f;
			for (size_t corner = 0; corner < 3; corner++)
				sum += surface->vertices[3 * (size_t)surface->triangles[3 * i +
											corner] +
							 axis];
			b.middles[3 * i + axis] = sum;
		}
	}
	if (good && count > 0)
		build(&b, 0, count, spare);
	good = good && reorder(surface, b.order);
	free(spare);
	free(b.middles);
	free(b.order);
	if (!good)
		mesh_tree_free(tree);
	return good;
}

void mesh_tree_free(struct mesh_tree *tree)
{
	free(tree->boxes);
	*tree = (struct mesh_tree){0};
}
