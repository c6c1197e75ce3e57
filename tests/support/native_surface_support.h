/* The surface of given particles, by kernels/surface/surface.cl and surface_mesh.cl run as plain C. */
#ifndef FRESHET_TESTS_NATIVE_SURFACE_SUPPORT_H
#define FRESHET_TESTS_NATIVE_SURFACE_SUPPORT_H

#include <stdlib.h>
#include <string.h>

#include "cl_native.h"

#include "surface.cl"
#include "surface_anisotropic.cl"
#include "surface_mesh.cl"
#include "surface_smooth.cl"
#include "surface_volume.cl"

#include "native_support.h"
#include "surface_table.h"

/* Sorted particles in a box of cells of edge h. */
struct cloud {
	struct grid g;
	int ppc, count;
	float *position; /* [DIM][count], m; then sorted */
	uint32_t *start; /* [keys+1] */
	const struct shape_op *ops;
	int op_count;
};

static inline struct grid box_grid(int nx, int ny, int nz, float h, int open_walls)
{
	const int edge = DIM == 3 ? BLOCK_EDGE(3) : BLOCK_EDGE(2);
	struct grid g = {.nx = nx, .ny = ny, .nz = DIM == 3 ? nz : 1, .open_walls = open_walls};
	g.px = g.nx + 1;
	g.py = g.ny + 1;
	g.pz = DIM == 3 ? g.nz + 1 : 1;
	g.lattice = g.px * g.py * g.pz;
	g.bx = (g.nx + edge - 1) / edge;
	g.by = (g.ny + edge - 1) / edge;
	g.bz = DIM == 3 ? (g.nz + edge - 1) / edge : 1;
	g.keys = g.bx * g.by * g.bz * BLOCK_CELLS;
	g.h = h;
	g.inv_h = 1.0f / h;
	g.size_x = (float)nx * h;
	g.size_y = (float)ny * h;
	g.size_z = DIM == 3 ? (float)nz * h : h;
	return g;
}

static inline int cloud_key(const struct cloud *c, const float *position, int p)
{
	int cell[3] = {0}, cells[3] = {c->g.nx, c->g.ny, c->g.nz};
	for (int a = 0; a < DIM; a++)
		cell[a] = clamp_int((int)floorf(position[a * c->count + p] * c->g.inv_h), 0,
				    cells[a] - 1);
	return block_key(c->g, cell[0], cell[1], cell[2]);
}

/* Sorts position [DIM][count] by cell; particles of a cell keep their order. */
static inline void cloud_sort(struct cloud *c)
{
	float *sorted = malloc((size_t)(DIM * c->count + 1) * sizeof(*sorted));
	uint32_t *next;
	c->start = calloc((size_t)c->g.keys + 2, sizeof(*c->start));
	next = malloc(((size_t)c->g.keys + 1) * sizeof(*next));
	if (!sorted || !c->start || !next)
		abort();
	for (int p = 0; p < c->count; p++)
		c->start[cloud_key(c, c->position, p) + 1]++;
	for (int key = 0; key < c->g.keys; key++)
		c->start[key + 1] += c->start[key];
	memcpy(next, c->start, (size_t)c->g.keys * sizeof(*next));
	for (int p = 0; p < c->count; p++) {
		const uint32_t to = next[cloud_key(c, c->position, p)]++;
		for (int a = 0; a < DIM; a++)
			sorted[a * c->count + (int)to] = c->position[a * c->count + p];
	}
	free(c->position);
	free(next);
	c->position = sorted;
}

static inline void cloud_free(struct cloud *c)
{
	free(c->position);
	free(c->start);
}

static inline struct surface_grid cloud_lattice(const struct cloud *c, int fine, int method)
{
	struct surface_grid s = {.nx = c->g.nx * fine, .ny = c->g.ny * fine};
	surface_settings(&s, DIM, fine, method, c->ppc);
	s.nz = DIM == 3 ? c->g.nz * fine : 0;
	s.px = s.nx + 3;
	s.py = s.ny + 3;
	s.pz = DIM == 3 ? s.nz + 3 : 1;
	s.count = s.px * s.py * s.pz;
	s.has_solids = c->op_count > 0;
	s.spacing = c->g.h / (float)fine;
	s.size[0] = c->g.size_x;
	s.size[1] = c->g.size_y;
	s.size[2] = DIM == 3 ? c->g.size_z : 0.0f;
	return s;
}

#define FOR_ITEMS(x, y, z)                                                         \
	for (native_id[2] = 0; native_id[2] < (size_t)(z); native_id[2]++)         \
		for (native_id[1] = 0; native_id[1] < (size_t)(y); native_id[1]++) \
			for (native_id[0] = 0; native_id[0] < (size_t)(x); native_id[0]++)

/* Does it end on solids between two nodes? */
static bool cloud_meets = true;

/* The conditioned level set, f32 [count]; free(). */
static inline float *cloud_level(const struct cloud *c, const struct surface_grid s)
{
	static uint8_t table[SURFACE_CASES][SURFACE_ROW];
	const struct grid g = c->g;
	uint8_t *class_of = calloc((size_t)g.lattice, 1);
	float *phi = calloc((size_t)s.count, sizeof(*phi));
	float *rho = calloc((size_t)s.count, sizeof(*rho));
	float *sharp = calloc((size_t)s.count, sizeof(*sharp));
	uint8_t *gain = calloc((size_t)s.count, 1);
	uint8_t *filled = calloc((size_t)g.lattice, 1);
	float *toward = calloc((size_t)(DIM * c->count + 1), sizeof(*toward));
	float *kernels = calloc((size_t)(SURFACE_KERNEL * c->count + 1), sizeof(*kernels));
	if (!toward || !kernels || !filled || !class_of || !phi || !rho || !sharp)
		abort();
	surface_table_make(DIM, table);
	FOR_ITEMS(g.nx, g.ny, g.nz)
	surface_fill(g, c->ppc, c->start, filled);
	FOR_ITEMS(g.nx, g.ny, g.nz)
	surface_classify(g, filled, class_of);
	if (s.method == SURFACE_ANISOTROPIC) {
		FOR_ITEMS(c->count, 1, 1)
		surface_anisotropic_kernels(g, s, class_of, c->ops, c->op_count, NULL, c->start,
					    c->position, c->count, c->count, toward, kernels);
		FOR_ITEMS(c->count, 1, 1)
		surface_anisotropic_places(g, s, class_of, c->ops, c->op_count, NULL, c->start,
					   c->position, toward, c->count, c->count, kernels);
	}
	FOR_ITEMS(s.nx + 1, s.ny + 1, s.nz + 1)
	surface_level(g, s, class_of, c->ops, c->op_count, NULL, c->start, c->position, kernels,
		      c->count, phi, rho);
	for (int pass = 0; pass < s.smoothings; pass++) {
		FOR_ITEMS(s.nx + 1, s.ny + 1, s.nz + 1)
		surface_sharpen(g, s, class_of, phi, sharp);
		FOR_ITEMS(s.nx + 1, s.ny + 1, s.nz + 1)
		surface_smooth(g, s, class_of, rho, sharp, phi);
	}
	for (int round = 0; round < 3; round++) {
		FOR_ITEMS(s.nx + 1, s.ny + 1, s.nz + 1)
		surface_volume_share(g, s, phi, table[0], sharp, gain);
		FOR_ITEMS(s.nx + 1, s.ny + 1, s.nz + 1)
		surface_volume_move(g, s, class_of, rho, sharp, gain, phi);
	}
	FOR_ITEMS(s.nx + 1, s.ny + 1, s.nz + 1)
	surface_keep(s, rho, phi, sharp);
	memcpy(phi, sharp, (size_t)s.count * sizeof(*phi));
	if (s.has_solids) {
		FOR_ITEMS(s.nx + 1, s.ny + 1, s.nz + 1)
		surface_cut(s, c->ops, c->op_count, NULL, phi, sharp);
		if (!cloud_meets)
			memcpy(phi, sharp, (size_t)s.count * sizeof(*phi));
		else
			FOR_ITEMS(s.nx + 1, s.ny + 1, s.nz + 1)
		surface_meet(s, c->ops, c->op_count, NULL, sharp, phi);
	}
	FOR_ITEMS(s.px, s.py, s.pz)
	surface_mesh_condition(s, phi);
	free(toward);
	free(kernels);
	free(filled);
	free(class_of);
	free(rho);
	free(sharp);
	free(gain);
	return phi;
}

#endif
