/*
 * A device, simulations made from scene texts, and random mixtures of liquid, air and solid, for
 * tests of single stages.  Built for one DIM; the device is the one that FRESHET_DEVICE names.
 * Whatever fails here fails the test.
 */
#ifndef FRESHET_STAGE_FIXTURE_H
#define FRESHET_STAGE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim.h"

extern struct clx *fixture_device;

/* Group set-up and tear-down. */
int fixture_open(void **state);
int fixture_close(void **state);
/* Closes the device and opens it again with FRESHET_SPLAT = path (NULL: unset).  All simulations
 * must have been freed. */
void fixture_reopen(const char *path);

/* A simulation and its scene, which tests may change. */
struct fixture {
	struct scene *scene;
	struct sim *sim;
};

/* Reads a scene from a format and its values, makes the simulation. */
struct fixture fixture_make(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fixture_free(struct fixture *f);

/* The first `bytes` of a buffer; free with test_free(). */
#define fixture_read(buffer, bytes) fixture_read_raw(&(buffer)->raw, (bytes))
void *fixture_read_raw(const struct clx_buffer *buffer, size_t bytes);
#define fixture_write(buffer, data, bytes) fixture_write_raw(&(buffer)->raw, (data), (bytes))
void fixture_write_raw(struct clx_buffer *buffer, const void *data, size_t bytes);

/* Uniform in [0, 1), in [low, high); the state is any number. */
double fixture_random(uint64_t *state);
double fixture_between(uint64_t *state, double low, double high);

/* Long forms of tests: FRESHET_TEST_FULL is set. */
bool fixture_full(void);

/* Fields of the pressure solve on the lattice of a simulation. */
struct mixture {
	float *phi;	/* m */
	uint8_t *type;	/* enum cell_type */
	uint16_t *open; /* [DIM][lattice], FRACTION_ONE = all */
};

/*
 * Random fields: a cell is solid with chance `solid`, else air with chance `air`; a face between
 * two cells that are not solid is closed with chance `closed` and partly open with the same
 * chance.  Walls of the box are as in grid.open_walls.
 */
struct mixture mixture_make(const struct grid *g, double solid, double air, double closed,
			    uint64_t *random);
/* Writes the fields to the device; no wall has let go. */
void mixture_write(const struct mixture *m, struct sim *sim);
void mixture_free(struct mixture *m);

/* Axis lengths of a grid and the lattice index of a point. */
void fixture_cells(const struct grid *g, int cells[3]);
size_t fixture_at(const struct grid *g, int i, int j, int k);

/* For every cell (i,j,k) of a grid, with `at` its lattice index. */
#define FOR_CELLS(g, i, j, k, at)                                                         \
	for (int k = 0; k < (g)->nz; k++)                                                 \
		for (int j = 0; j < (g)->ny; j++)                                         \
			for (int i = 0; i < (g)->nx; i++)                                 \
				for (size_t at = fixture_at((g), i, j, k), at##_once = 1; \
				     at##_once; at##_once = 0)

#endif
