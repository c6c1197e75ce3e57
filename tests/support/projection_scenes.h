/*
 * Shared by the tests of the projection beside solids: a unit box, its floors, its fields.
 */
#ifndef FRESHET_PROJECTION_SCENES_H
#define FRESHET_PROJECTION_SCENES_H

#include <stdlib.h>

#include "sim_fixture.h"

#define G 9.81
#define DENSITY 1000.0
#define DT (1.0 / 60.0)

#if DIM == 2
#define N 32
#define SIZE "[1, 1]"
#define DOWN "[0, -9.81]"
#define AT(x, y) "[" x ", " y "]"
#else
#define N 16
#define SIZE "[1, 1, 1]"
#define DOWN "[0, -9.81, 0]"
#define AT(x, y) "[" x ", " y ", 0]"
#endif
#define H (1.0 / N)

/* Floors: a slope of 1 in 4, a channel with sides at 45 degrees, a bump. */
/* clang-format off */
#define HALF_SPACE(point, normal) "{half_space: {point: " point ", normal: " normal "}}"
/* clang-format on */
#define SLOPE HALF_SPACE(AT("0", "0.08"), AT("-1", "4"))
#define SIDES                                       \
	HALF_SPACE(AT("0.41", "0.2"), AT("1", "1")) \
	", " HALF_SPACE(AT("0.72", "0.1"), AT("-1", "1"))
#if DIM == 2
#define BUMP "{sphere: {center: [0.47, 0.33], radius: 0.23}}"
#else
#define BUMP "{sphere: {center: [0.47, 0.33, 0.53], radius: 0.23}}"
#endif

/* ---- fields ----------------------------------------------------------------------------- */

struct fields {
	f32 *u, *pressure, *phi;
	unsigned char *type, *valid;
	uint16_t *open;
};

static inline struct fields read_fields(const struct sim *sim)
{
	return (struct fields){
		fixture_read(sim, &sim->u_face), fixture_read(sim, &sim->pressure),
		fixture_read(sim, &sim->phi),	 fixture_read(sim, &sim->cell_type),
		fixture_read(sim, &sim->valid),	 fixture_read(sim, &sim->solids.open_fraction)};
}

static inline void free_fields(struct fields *f)
{
	free(f->u);
	free(f->pressure);
	free(f->phi);
	free(f->type);
	free(f->valid);
	free(f->open);
}

static inline size_t slot_of(const struct grid *g, int a, i32 i, i32 j, i32 k, int side)
{
	return (size_t)a * (size_t)g->lattice +
	       lattice_at(g, i + side * (a == 0), j + side * (a == 1), k + side * (a == 2));
}

#define FOR_CELLS(g)                              \
	for (i32 k = 0; k < (g)->nz; k++)         \
		for (i32 j = 0; j < (g)->ny; j++) \
			for (i32 i = 0; i < (g)->nx; i++)

#endif
