/* What solids.c computes on the device, by the same kernels run as plain C. */
#ifndef FRESHET_NATIVE_FIELD_H
#define FRESHET_NATIVE_FIELD_H

#include "cl_native.h"

#include "solids.cl"
#include "solids_references.cl"
#include "solids_samples.cl"
#include "solids_shares.cl"
#include "solids_sides.cl"

#include "native_support.h"

/* Distances at nodes and open parts of faces, then (make_cells()) of cells, for one shape. */
struct native_field {
	struct grid g;
	float *phi, *references;
	uint16_t *faces, *volume, *density;
	uint32_t scalars[SCALAR_COUNT];
};

/* All of the lattice. */
static inline struct lattice_box native_box(const struct grid *g)
{
	return (struct lattice_box){0, 0, 0, g->px, g->py, g->pz};
}

static inline struct native_field make_field(struct grid g, const struct shape_op *ops, int count,
					     const float *points)
{
	struct native_field f = {.g = g};
	f.phi = test_calloc((size_t)g.lattice, sizeof(*f.phi));
	f.references = test_calloc(4 * (size_t)g.lattice, sizeof(*f.references));
	f.faces = test_calloc((size_t)g.lattice * DIM, sizeof(*f.faces));
	f.volume = test_calloc((size_t)g.lattice, sizeof(*f.volume));
	f.density = test_calloc((size_t)g.lattice, sizeof(*f.density));
	const struct lattice_box whole = native_box(&g);
	for (int pass = 0; pass < 3; ++pass)
		for (int k = 0; k < g.pz; ++k)
			for (int j = 0; j < g.py; ++j)
				for (int i = 0; i < g.px; ++i) {
					native_id[0] = (size_t)i;
					native_id[1] = (size_t)j;
					native_id[2] = (size_t)k;
					if (pass == 0)
						solids_distance(g, whole, ops, count, points,
								SHAPE_FAR, f.phi);
					else if (pass == 1)
						solids_find_references(g, whole, ops, count, points,
								       f.phi, f.references,
								       f.scalars);
					else
						solids_open_faces(g, whole, ops, count, points,
								  f.phi, f.references, f.faces,
								  f.scalars);
				}
	return f;
}

/* Part of make_cells(). */
static inline void share_volumes(struct native_field *f, const struct shape_op *ops, int count,
				 const float *points, int split)
{
	uint32_t *sum = test_calloc((size_t)f->g.lattice, sizeof(*sum));
	const struct lattice_box whole = native_box(&f->g);
	for (int pass = 0; pass < 2; ++pass)
		for (int k = 0; k < f->g.pz; ++k)
			for (int j = 0; j < f->g.py; ++j)
				for (int i = 0; i < f->g.px; ++i) {
					native_id[0] = (size_t)i;
					native_id[1] = (size_t)j;
					native_id[2] = (size_t)k;
					if (pass == 0)
						(split ? solids_add_split_shares
						       : solids_add_shares)(
							f->g, whole, ops, count, points, f->phi,
							f->references, f->faces, 0,
							SOLIDS_SHARES(DIM), sum, f->scalars);
					else
						solids_take_shares(f->g, whole, f->phi, sum,
								   f->volume);
				}
	test_free(sum);
}

static inline void make_cells(struct native_field *f, const struct shape_op *ops, int count,
			      const float *points)
{
	const struct grid g = f->g;
	const size_t around = ((size_t)g.px + 4) * (DIM == 2 ? 1 : (size_t)g.py + 4) *
			      ((size_t)(DIM == 2 ? g.py : g.pz) + 4);
	uint32_t *split = test_calloc(3 * (size_t)g.lattice, sizeof(*split));
	uint16_t *room = test_calloc(around * 2 * SAMPLES_CELL, sizeof(*room));
	uint16_t *weights = test_calloc(SAMPLES_AROUND(DIM) * SAMPLES_CELL, sizeof(*weights));
	uint32_t found[2] = {0, 0}, whole = 0;
	const struct lattice_box box = native_box(&g);
	const int last = DIM == 2 ? g.py : g.pz;
	enum { SIDES, LOOK, SUM, RECESSES, KERNELS, PASSES };
	for (int n = 0; n < SAMPLES_AROUND(DIM) * SAMPLES_CELL; ++n) {
		weights[n] = (uint16_t)sample_weight(DIM, n / SAMPLES_CELL, n % SAMPLES_CELL);
		whole += weights[n];
	}
	for (int pass = count > 0 ? SIDES : SUM; pass < (found[0] ? PASSES : RECESSES); ++pass) {
		const int pitch = found[0] ? 2 * SAMPLES_CELL : SAMPLES_CELL;
		/* Of the room: as wide as the cells of two more on either side.  Of layers, z is y
		 * in 2D. */
		const int wide = pass == LOOK ? 4 : 0, by_layer = pass >= LOOK && pass != RECESSES;
		const int rows = by_layer && DIM == 2 ? 1 : g.py + wide;
		const int layers = by_layer && DIM == 2 ? g.py + wide
				   : DIM == 3		? g.pz + wide
							: g.pz;
		for (int k = 0; k < layers; ++k)
			for (int j = 0; j < rows; ++j)
				for (int i = 0; i < g.px + wide; ++i) {
					native_id[0] = (size_t)i;
					native_id[1] = (size_t)j;
					native_id[2] = (size_t)k;
					if (pass == SIDES)
						solids_find_sides(g, box, ops, count, points,
								  f->phi, f->references, f->faces,
								  0, SOLIDS_POINTS(DIM), split,
								  found, f->scalars);
					else if (pass == LOOK)
						solids_sample_layers(g, box, ops, count, points,
								     f->phi, split, 0, last + 4, 0,
								     SAMPLES_CELL, pitch, room,
								     f->scalars);
					else if (pass == SUM)
						solids_sum_samples(g, box, count, f->phi, 0, last,
								   pitch, room, weights, whole,
								   f->volume, f->density);
					else if (pass == RECESSES)
						solids_add_recesses(g, box, ops, count, points,
								    f->phi, f->references,
								    f->volume, f->scalars);
					else
						solids_split_kernels(g, box, f->phi, split,
								     f->faces, f->volume, 0, last,
								     pitch, room, weights, whole,
								     f->density);
				}
	}
	/* No cell fails to see more of a sample than what is open of it. */
	for (size_t cell = 0; cell < around && found[0] > 0; ++cell) {
		const uint16_t *open = room + 2 * SAMPLES_CELL * cell;
		for (int n = 0; n < SAMPLES_CELL && open[0] <= FRACTION_ONE; ++n)
			assert_true(open[SAMPLES_CELL + n] <= open[n]);
	}
	test_free(split);
	test_free(room);
	test_free(weights);
	if (count > 0)
		share_volumes(f, ops, count, points, found[0] != 0);
}

static inline void free_field(struct native_field *f)
{
	test_free(f->phi);
	test_free(f->references);
	test_free(f->faces);
	test_free(f->volume);
	test_free(f->density);
}

static inline double cell_side(const struct grid g, int i, int j, int k, const double n[3],
			       double offset)
{
	return (i + 0.5) * (double)g.h * n[0] + (j + 0.5) * (double)g.h * n[1] +
	       (DIM == 3 ? (k + 0.5) * (double)g.h * n[2] : 0.0) - offset;
}

#endif
