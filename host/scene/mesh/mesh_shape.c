#include "mesh_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_sides.h"
#include "shape.h"
#include "sin_cos.h"

/* Of the cell size: the spacing of the nodes, up to where values are exact, how far in front of a
 * triangle its outside is looked for.  Of the spacing: how far the lattice goes beyond the mesh;
 * where it begins, so that nodes are seldom in faces that follow the grid. */
#define SPACING 1.0
#define EXACT 3.0
#define IN_FRONT 0x1p-9f
#define MARGIN 4.0
#define ASIDE 0.37
/* Every so many-th node of an axis is a coarse one. */
#define COARSE 4
/* Larger lattices get a wider spacing. */
#define MOST_NODES ((size_t)1 << 26)
#define MOST_COORDINATE 1e6

void mesh_shape_free(struct mesh_shape *shape)
{
	free(shape->file);
	*shape = (struct mesh_shape){0};
}

/* ---- where it is --------------------------------------------------------------------------- */

/* By a vector along the axis, as long as the angle (Rodrigues). */
static void rotation_of(const double vector[3], double matrix[3][3])
{
	const double angle =
		sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
	double sine, cosine, n[3];
	exact_sin_cos(angle, &sine, &cosine);
	for (int i = 0; i < 3; i++)
		n[i] = angle > 0.0 ? vector[i] / angle : 0.0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			matrix[i][j] = (1.0 - cosine) * n[i] * n[j] + (i == j ? cosine : 0.0);
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		matrix[k][j] += sine * n[i];
		matrix[j][k] -= sine * n[i];
	}
}

static bool place(struct mesh_surface *surface, const struct mesh_request *request)
{
	double matrix[3][3];
	rotation_of(request->rotate, matrix);
	for (size_t v = 0; v < surface->vertex_count; v++) {
		f32 *at = surface->vertices + 3 * v;
		double scaled[3];
		for (int i = 0; i < 3; i++)
			scaled[i] = request->scale[i] * (double)at[i];
		for (int i = 0; i < 3; i++) {
			const double x = matrix[i][0] * scaled[0] + matrix[i][1] * scaled[1] +
					 matrix[i][2] * scaled[2] + request->translate[i];
			if (!(fabs(x) <= MOST_COORDINATE))
				return false;
			at[i] = (f32)x;
		}
	}
	return true;
}

static void measure(const struct mesh_surface *surface, struct mesh_shape *shape)
{
	for (size_t i = 0; i < 3 * (size_t)surface->vertex_count; i++) {
		const double x = (double)surface->vertices[i];
		double *low = &shape->low[i % 3], *high = &shape->high[i % 3];
		*low = i < 3 || x < *low ? x : *low;
		*high = i < 3 || x > *high ? x : *high;
	}
	for (size_t t = 0; t < surface->triangle_count; t++) {
		double corner[3][3], n[3];
		for (size_t c = 0; c < 3; c++)
			for (size_t axis = 0; axis < 3; axis++)
				corner[c][axis] =
					(double)surface->vertices
						[3 * (size_t)surface->triangles[3 * t + c] + axis];
		for (int i = 0; i < 3; i++) {
			const int j = (i + 1) % 3, k = (i + 2) % 3;
			n[i] = (corner[1][j] - corner[0][j]) * (corner[2][k] - corner[0][k]) -
			       (corner[1][k] - corner[0][k]) * (corner[2][j] - corner[0][j]);
		}
		shape->area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
		for (int i = 0; i < 3; i++)
			shape->volume += n[i] * corner[0][i] / 6.0;
	}
	shape->volume = fabs(shape->volume);
}

/* Around the mesh, as far as it is in the box or near it. */
static struct mesh_lattice lattice_for(const struct mesh_request *request,
				       const struct mesh_shape *shape)
{
	struct mesh_lattice lattice;
	double spacing = SPACING * request->h;
	for (;; spacing *= 2.0) {
		double nodes = 1.0;
		lattice.spacing = (f32)spacing;
		for (int i = 0; i < 3; i++) {
			const double beyond = MARGIN * spacing;
			const double low = fmax(shape->low[i] - beyond, -beyond);
			const double high =
				fmin(shape->high[i] + beyond, request->size[i] + beyond);
			const double count = floor(fmax(high - low, 0.0) / spacing) + 3.0;
			lattice.origin[i] = (f32)(low - ASIDE * spacing);
			lattice.size[i] = (i32)fmin(count, 1e9);
			nodes *= count;
		}
		if (nodes <= (double)MOST_NODES)
			return lattice;
	}
}

/* ---- its words ----------------------------------------------------------------------------- */

struct maker {
	const struct mesh_request *request;
	const struct mesh_surface *surface;
	struct mesh_tree tree;
	struct mesh_lattice lattice;
	f32 *words;
	size_t count;					  /* of words */
	size_t values, nearest, starts, boxes, triangles; /* words at which they begin */
};

static void put_int(f32 *word, size_t value)
{
	const i32 whole = (i32)value;
	memcpy(word, &whole, sizeof(whole));
}

static void put_header(struct maker *m, const struct mesh_shape *shape)
{
	f32 *w = m->words;
	for (int i = 0; i < 3; i++) {
		w[MESH_LOW + i] = (f32)shape->low[i];
		w[MESH_HIGH + i] = (f32)shape->high[i];
		w[MESH_ORIGIN + i] = m->lattice.origin[i];
		put_int(w + MESH_SIZE + i, (size_t)m->lattice.size[i]);
	}
	w[MESH_SPACING] = m->lattice.spacing;
	w[MESH_REACH] = (f32)(EXACT * m->request->h);
	put_int(w + MESH_VALUES, m->values);
	put_int(w + MESH_NEAREST, m->nearest);
	put_int(w + MESH_STARTS, m->starts);
	put_int(w + MESH_TREE, m->boxes);
	put_int(w + MESH_TREE_SIZE, m->tree.count);
	put_int(w + MESH_TRIANGLES, m->triangles);
	put_int(w + MESH_COUNT, m->surface->triangle_count);
}

static bool lay_out(struct maker *m, const struct mesh_shape *shape)
{
	m->triangles = MESH_HEADER;
	m->boxes = m->triangles + MESH_TRIANGLE * (size_t)m->surface->triangle_count;
	m->values = m->boxes + MESH_BOX * m->tree.count;
	m->nearest = m->values + mesh_lattice_nodes(&m->lattice);
	m->starts = m->nearest + mesh_lattice_nodes(&m->lattice);
	m->count = m->starts + mesh_lattice_nodes(&m->lattice);
	m->count += m->count % 2;
	m->words = calloc(m->count, sizeof(*m->words));
	if (!m->words)
		return false;
	put_header(m, shape);
	memcpy(m->words + m->boxes, m->tree.boxes, m->tree.count * sizeof(*m->tree.boxes));
	for (size_t i = 0; i < 3 * (size_t)m->surface->triangle_count; i++)
		memcpy(m->words + m->triangles + 3 * i,
		       m->surface->vertices + 3 * (size_t)m->surface->triangles[i],
		       3 * sizeof(f32));
	return true;
}

/* The smallest box with all triangles that can be nearest to a point beside a node, or between that
 * and another corner of its cell: none other is nearer to the node than by its distance and twice
 * the way, or crosses the cell. */
static size_t find_start(const struct maker *m, const f32 p[3], f32 distance)
{
	const f32 *boxes = m->words + m->boxes;
	const f32 reach = distance + (MESH_ACROSS + 0.01f) * m->lattice.spacing;
	size_t at = 0;
	for (;;) {
		const struct mesh_box *box = &m->tree.boxes[at];
		const size_t low = at + 1;
		if (box->leaf >= 0)
			return at;
		const size_t high = (size_t)m->tree.boxes[low].skip;
		const bool in_low =
			shape_mesh_box_square(boxes + MESH_BOX * low, p) <= reach * reach;
		const bool in_high =
			shape_mesh_box_square(boxes + MESH_BOX * high, p) <= reach * reach;
		if (in_low == in_high)
			return at;
		at = in_low ? low : high;
	}
}

/* One node: distance, without side, and nearest triangle, searched from those of the nodes
 * `stride[axis]` before it. */
static void measure_node(struct maker *m, const i32 node[3], size_t at, const size_t stride[3],
			 i32 step)
{
	f32 *nearest = m->words + m->nearest, p[3], way[3], square = MESH_FAR_SQUARE;
	i32 best = 0;
	mesh_lattice_place(&m->lattice, node, p);
	for (int axis = 0; axis < 3; axis++) {
		if (node[axis] < step)
			continue;
		const i32 t = shape_mesh_int(nearest + at - (size_t)step * stride[axis]);
		const f32 s =
			shape_mesh_offset(m->words + m->triangles + MESH_TRIANGLE * t, p, way);
		best = s < square ? t : best;
		square = s < square ? s : square;
	}
	const i32 t = shape_mesh_nearest(m->words, 0, p, &square, way);
	put_int(nearest + at, (size_t)(t >= 0 ? t : best));
	m->words[m->values + at] = sqrtf(square);
	put_int(m->words + m->starts + at, find_start(m, p, sqrtf(square)));
}

/* No more than the distance of a node, from those of the coarse nodes around it; *to: the one that
 * says most. */
static f32 bound_node(const struct maker *m, const i32 node[3], const size_t stride[3], size_t *to)
{
	f32 bound = 0.0f;
	for (int corner = 0; corner < 8; corner++) {
		size_t at = 0;
		f32 square = 0.0f;
		bool there = true;
		for (int axis = 0; axis < 3; axis++) {
			const i32 i = node[axis] / COARSE * COARSE + (corner >> axis & 1) * COARSE;
			const f32 apart = (f32)(i - node[axis]) * m->lattice.spacing;
			there &= i < m->lattice.size[axis];
			at += (size_t)i * stride[axis];
			square += apart * apart;
		}
		const f32 least = there ? m->words[m->values + at] - 1.001f * sqrtf(square) : 0.0f;
		if (there && (corner == 0 || least > bound)) {
			bound = least;
			*to = at;
		}
	}
	return bound;
}

/* Exact values for nodes near the mesh and for coarse nodes, bounds for others.  The nearest
 * triangles of those are near. */
static void measure_nodes(struct maker *m, bool coarse)
{
	const struct mesh_lattice *lattice = &m->lattice;
	const size_t stride[3] = {1, (size_t)lattice->size[0],
				  (size_t)lattice->size[0] * (size_t)lattice->size[1]};
	const f32 far_away = m->words[MESH_REACH] + 2.0f * lattice->spacing;
	const i32 step = coarse ? COARSE : 1;
	i32 node[3];
	for (node[2] = 0; node[2] < lattice->size[2]; node[2] += step)
		for (node[1] = 0; node[1] < lattice->size[1]; node[1] += step)
			for (node[0] = 0; node[0] < lattice->size[0]; node[0] += step) {
				size_t at = 0, to = 0;
				bool known = true;
				for (int axis = 0; axis < 3; axis++) {
					at += (size_t)node[axis] * stride[axis];
					known &= node[axis] % COARSE == 0;
				}
				if (known && !coarse)
					continue;
				const f32 bound = coarse ? 0.0f : bound_node(m, node, stride, &to);
				if (bound < far_away) {
					measure_node(m, node, at, stride, step);
					continue;
				}
				m->words[m->values + at] = bound;
				memcpy(m->words + m->nearest + at, m->words + m->nearest + to,
				       sizeof(*m->words));
			}
}

/* Sides of the nodes, and whether the mesh is a sheet. */
static bool find_sides(struct maker *m, struct mesh_shape *shape)
{
	const size_t nodes = mesh_lattice_nodes(&m->lattice);
	uint8_t *inside = malloc(nodes), *doubtful = malloc(nodes);
	const bool good = inside && doubtful &&
			  mesh_find_sides(m->surface, &m->tree, &m->lattice, m->words + m->values,
					  inside, doubtful);
	size_t near = 0, doubts = 0;
	for (size_t n = 0; good && n < nodes; n++) {
		f32 *value = m->words + m->values + n;
		if (*value < m->words[MESH_REACH]) {
			near++;
			doubts += doubtful[n];
		}
		*value = inside[n] ? -*value : *value;
	}
	free(doubtful);
	free(inside);
	if (!good)
		return false;
	shape->doubt_share = near > 0 ? (double)doubts / (double)near : 0.0;
	shape->open_share = (double)shape->health.open.count / (double)shape->health.edges;
	shape->sheet =
		m->request->kind == MESH_SHEET ||
		(m->request->kind == MESH_AS_FOUND &&
		 (shape->doubt_share > MESH_SHEET_DOUBT || shape->open_share > MESH_SHEET_OPEN));
	for (size_t n = 0; shape->sheet && n < nodes; n++)
		m->words[m->values + n] = fabsf(m->words[m->values + n]);
	put_int(m->words + MESH_THIN, shape->sheet);
	return true;
}

/* Triangles of a closed mesh face its outside, whichever way they did. */
static void turn_triangles(struct maker *m)
{
	const f32 step = IN_FRONT * (f32)m->request->h;
	for (size_t t = 0; t < m->surface->triangle_count; t++) {
		f32 *corner = m->words + m->triangles + MESH_TRIANGLE * t, normal[3], sign[2];
		shape_mesh_normal(corner, normal);
		for (int side = 0; side < 2; side++) {
			f32 p[3];
			for (int axis = 0; axis < 3; axis++)
				p[axis] = (corner[axis] + corner[3 + axis] + corner[6 + axis]) /
						  3.0f +
					  (side ? step : -step) * normal[axis];
			const struct shape_mesh_around around = shape_mesh_look(m->words, p);
			sign[side] = shape_mesh_sign(m->words, p, &around);
		}
		for (int axis = 0; axis < 3 && sign[1] < sign[0]; axis++) {
			const f32 kept = corner[3 + axis];
			corner[3 + axis] = corner[6 + axis];
			corner[6 + axis] = kept;
		}
	}
}

static bool refuse(char reason[MESH_SHAPE_REASON], const char *text)
{
	snprintf(reason, MESH_SHAPE_REASON, "%s", text);
	return false;
}

static bool make(struct maker *m, struct mesh_surface *surface, struct mesh_shape *shape,
		 char reason[MESH_SHAPE_REASON])
{
	if (!place(surface, m->request))
		return refuse(reason, "has vertices further than 1e6 m away");
	if (!mesh_weld(surface, &shape->health))
		return refuse(reason, "");
	if (surface->triangle_count == 0)
		return refuse(reason, "has no triangle with an area");
	measure(surface, shape);
	if (!mesh_count_edges(surface, &shape->health) || !mesh_tree_build(surface, &m->tree))
		return refuse(reason, "");
	m->lattice = lattice_for(m->request, shape);
	if (!lay_out(m, shape))
		return refuse(reason, "");
	measure_nodes(m, true);
	measure_nodes(m, false);
	if (!find_sides(m, shape))
		return refuse(reason, "");
	if (!shape->sheet)
		turn_triangles(m);
	return true;
}

f32 *mesh_shape_words(struct mesh_surface *surface, const struct mesh_request *request,
		      struct mesh_shape *shape, size_t *words, char reason[MESH_SHAPE_REASON])
{
	struct maker m = {.request = request, .surface = surface};
	*shape = (struct mesh_shape){.request = *request};
	reason[0] = '\0';
	if (!make(&m, surface, shape, reason)) {
		free(m.words);
		m.words = NULL;
	}
	mesh_tree_free(&m.tree);
	*words = m.count;
	return m.words;
}
