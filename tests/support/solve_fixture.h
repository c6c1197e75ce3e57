/*
 * Access to the pressure solver's arrays for tests.  On the host a vector is an array of doubles
 * on the lattice of the finest level, or on the cells of a coarser one, x fastest.
 */
#ifndef FRESHET_SOLVE_FIXTURE_H
#define FRESHET_SOLVE_FIXTURE_H

#include "stage_fixture.h"

#include "poisson.h"
#include "reference.h"

/* Most parts of a coarse cell. */
#define MOST_PARTS (DIM == 3 ? 8u : 4u)

/* Place of a cell in the arrays of all levels, as shared.h lays it down for struct mg_level. */
size_t level_at(const struct mg_level *level, int i, int j, int k);
/* Links of all levels as floats, [DIM][mg->total], to be freed; and those of coarse levels back. */
float *links_read(const struct multigrid *mg);
void coarse_links_write(struct multigrid *mg, const float *link);
/* Cells of a level from and to an f32 array of all levels (or of the finest alone). */
void level_read(const struct mg_level *level, const union f32_buffer *buffer, double *cells);
void level_write(const struct mg_level *level, union f32_buffer *buffer, const double *cells);

/* Lattice vectors from and to the finest level. */
void solve_read(const struct poisson *p, const union f32_buffer *buffer, double *lattice);
void solve_write(const struct poisson *p, union f32_buffer *buffer, const double *lattice);

/* Fields to the device, operator and components made; the reference's operator. */
void solve_prepare(struct sim *sim, const struct mixture *m, struct reference_operator *op);

struct solve_result {
	int iterations;
	double reported; /* relative residual as the solver says */
	double residual; /* as it is: |b - A q| / |b| in double, b without means */
	bool failed;
};
/* Solves for b (lattice) and reads q (lattice, high and low parts added). */
struct solve_result solve_run(struct poisson *p, const struct reference_operator *op,
			      const double *b, double *q, double tolerance, int max_iterations);

/* Random values on the unknowns, 0 elsewhere. */
void solve_random(const struct reference_operator *op, double *v, uint64_t *random);
double solve_dot(const struct reference_operator *op, const double *a, const double *b);

#endif
