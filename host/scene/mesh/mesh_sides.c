#include "mesh_sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_winding.h"

size_t mesh_lattice_nodes(const struct mesh_lattice *lattice)
{
	return (size_t)lattice->size[0] * (size_t)lattice->size[1] * (size_t)lattice->size[2];
}

void mesh_lattice_place(const struct mesh_lattice *lattice, const i32 node[3], f32 place[3])
{
	for (int axis = 0; axis < 3; axis++)
		place[axis] = lattice->origin[axis] + (f32)node[axis] * lattice->spacing;
}

/* The lines of nodes along one axis. */
struct lines {
	const struct mesh_lattice *lattice;
	int axis, u, v;
	size_t stride[3];
	uint8_t *marks; /* of nodes: bit `axis`, the crossings right before it, modulo 2 */
	uint8_t *odd;	/* of lines, by u and v: those of it all */
};

static double node_at(const struct mesh_lattice *lattice, int axis, i32 index)
{
	return (double)(lattice->origin[axis] + (f32)index * lattice->spacing);
}

/* The first node at or behind a place, or size. */
static i32 node_behind(const struct mesh_lattice *lattice, int axis, double place)
{
	const double at = (place - (double)lattice->origin[axis]) / (double)lattice->spacing - 1.0;
	const i32 size = lattice->size[axis];
	i32 index = at > 0.0 ? at < size ? (i32)at : size : 0;
	while (index < size && node_at(lattice, axis, index) < place)
		index++;
	return index;
}

/* As shape_mesh_side(). */
static int side_of(const double a[2], const double b[2], double *area)
{
	*area = a[0] * b[1] - a[1] * b[0];
	if (*area > 0.0 || *area < 0.0)
		return *area > 0.0 ? 1 : -1;
	if (a[1] > b[1] || a[1] < b[1])
		return a[1] > b[1] ? 1 : -1;
	return b[0] > a[0] ? 1 : -1;
}

static void cross_line(struct lines *lines, const f32 *const corner[3], i32 i, i32 j)
{
	const struct mesh_lattice *lattice = lines->lattice;
	const int axes[2] = {lines->u, lines->v};
	const i32 at_line[2] = {i, j};
	double at[3][2], area[3];
	for (int c = 0; c < 3; c++)
		for (int n = 0; n < 2; n++)
			at[c][n] =
				(double)corner[c][axes[n]] - node_at(lattice, axes[n], at_line[n]);
	const int a = side_of(at[1], at[2], &area[0]), b = side_of(at[2], at[0], &area[1]),
		  c = side_of(at[0], at[1], &area[2]);
	const double whole = area[0] + area[1] + area[2];
	if (a != b || b != c || !(fabs(whole) > 0.0))
		return;
	double place = 0.0;
	for (int n = 0; n < 3; n++)
		place += area[n] / whole * (double)corner[n][lines->axis];
	const i32 k = node_behind(lattice, lines->axis, place);
	if (k < lattice->size[lines->axis])
		lines->marks[(size_t)i * lines->stride[lines->u] +
			     (size_t)j * lines->stride[lines->v] +
			     (size_t)k * lines->stride[lines->axis]] ^= (uint8_t)(1 << lines->axis);
	lines->odd[(size_t)j * (size_t)lattice->size[lines->u] + (size_t)i] ^= 1;
}

static void cross_lines(struct lines *lines, const struct mesh_surface *surface)
{
	for (size_t t = 0; t < surface->triangle_count; t++) {
		const f32 *corner[3];
		i32 first[2], end[2];
		for (size_t c = 0; c < 3; c++)
			corner[c] = surface->vertices + 3 * (size_t)surface->triangles[3 * t + c];
		for (int n = 0; n < 2; n++) {
			const int axis = n == 0 ? lines->u : lines->v;
			const f32 a = corner[0][axis], b = corner[1][axis], c = corner[2][axis];
			const f32 low = a < b ? a < c ? a : c : b < c ? b : c;
			const f32 high = a > b ? a > c ? a : c : b > c ? b : c;
			first[n] = node_behind(lines->lattice, axis, (double)low);
			end[n] = node_behind(lines->lattice, axis, (double)high) + 1;
			end[n] = end[n] < lines->lattice->size[axis] ? end[n]
								     : lines->lattice->size[axis];
		}
		for (i32 j = first[1]; j < end[1]; j++)
			for (i32 i = first[0]; i < end[0]; i++)
				cross_line(lines, corner, i, j);
	}
}

/* marks: crossings before the node, all of them; doubtful where the line's are odd in all. */
static void sum_lines(struct lines *lines, uint8_t *doubtful)
{
	const struct mesh_lattice *lattice = lines->lattice;
	for (i32 j = 0; j < lattice->size[lines->v]; j++)
		for (i32 i = 0; i < lattice->size[lines->u]; i++) {
			const uint8_t odd =
				lines->odd[(size_t)j * (size_t)lattice->size[lines->u] + (size_t)i];
			size_t node = (size_t)i * lines->stride[lines->u] +
				      (size_t)j * lines->stride[lines->v];
			uint8_t before = 0;
			for (i32 k = 0; k < lattice->size[lines->axis];
			     k++, node += lines->stride[lines->axis]) {
				before = (uint8_t)(before ^
						   (lines->marks[node] & (1 << lines->axis)));
				lines->marks[node] =
					(uint8_t)((lines->marks[node] & ~(1 << lines->axis)) |
						  before);
				doubtful[node] |= odd;
			}
		}
}

static bool cross_axis(const struct mesh_surface *surface, const struct mesh_lattice *lattice,
		       int axis, uint8_t *marks, uint8_t *doubtful)
{
	struct lines lines = {.lattice = lattice,
			      .axis = axis,
			      .u = (axis + 1) % 3,
			      .v = (axis + 2) % 3,
			      .marks = marks};
	lines.stride[0] = 1;
	lines.stride[1] = (size_t)lattice->size[0];
	lines.stride[2] = lines.stride[1] * (size_t)lattice->size[1];
	lines.odd = calloc((size_t)lattice->size[lines.u] * (size_t)lattice->size[lines.v] + 1, 1);
	if (!lines.odd)
		return false;
	cross_lines(&lines, surface);
	sum_lines(&lines, doubtful);
	free(lines.odd);
	return true;
}

/* ---- where lines do not agree --------------------------------------------------------------- */

#define OPEN_QUESTION 2 /* inside[] of a node whose side is not known yet */

struct doubts {
	const struct mesh_surface *surface;
	const struct mesh_tree *tree;
	const struct mesh_lattice *lattice;
	const struct mesh_dipole *dipoles;
	const f32 *distance;
	uint8_t *inside;
};

/* The side of a node beside this one that is known, with no surface between; else OPEN_QUESTION. */
static uint8_t side_of_neighbour(const struct doubts *d, const i32 node[3], size_t at)
{
	size_t stride = 1;
	for (int axis = 0; axis < 3; axis++) {
		for (int up = 0; up < 2; up++) {
			if (node[axis] == (up ? d->lattice->size[axis] - 1 : 0))
				continue;
			const size_t to = up ? at + stride : at - stride;
			if (d->inside[to] != OPEN_QUESTION &&
			    d->distance[to] > 1.001f * d->lattice->spacing)
				return d->inside[to];
		}
		stride *= (size_t)d->lattice->size[axis];
	}
	return OPEN_QUESTION;
}

/* Goes over the nodes, forwards or backwards; those that no neighbour can help, with `settle`, by
 * their winding number. */
static void answer(const struct doubts *d, bool backwards, bool settle)
{
	const i32 *size = d->lattice->size;
	const size_t nodes = mesh_lattice_nodes(d->lattice);
	for (size_t n = 0; n < nodes; n++) {
		const size_t at = backwards ? nodes - 1 - n : n;
		if (d->inside[at] != OPEN_QUESTION)
			continue;
		const i32 node[3] = {(i32)(at % (size_t)size[0]),
				     (i32)(at / (size_t)size[0] % (size_t)size[1]),
				     (i32)(at / (size_t)size[0] / (size_t)size[1])};
		d->inside[at] = side_of_neighbour(d, node, at);
		if (d->inside[at] != OPEN_QUESTION || !settle)
			continue;
		f32 place[3];
		mesh_lattice_place(d->lattice, node, place);
		d->inside[at] = fabs(mesh_winding(d->surface, d->tree, d->dipoles, place)) > 0.5;
	}
}

bool mesh_find_sides(const struct mesh_surface *surface, const struct mesh_tree *tree,
		     const struct mesh_lattice *lattice, const f32 *distance, uint8_t *inside,
		     uint8_t *doubtful)
{
	const size_t nodes = mesh_lattice_nodes(lattice);
	memset(inside, 0, nodes);
	memset(doubtful, 0, nodes);
	for (int axis = 0; axis < 3; axis++)
		if (!cross_axis(surface, lattice, axis, inside, doubtful))
			return false;
	struct mesh_dipole *dipoles = mesh_dipoles(surface, tree);
	if (!dipoles)
		return false;
	const struct doubts doubts = {surface, tree, lattice, dipoles, distance, inside};
	for (size_t n = 0; n < nodes; n++) {
		doubtful[n] |= inside[n] != 0 && inside[n] != 7;
		inside[n] = doubtful[n] ? OPEN_QUESTION : inside[n] == 7;
	}
	answer(&doubts, false, false);
	answer(&doubts, true, false);
	answer(&doubts, false, true);
	free(dipoles);
	return true;
}
