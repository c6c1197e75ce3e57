/*
 * What the kernels compute, in double precision and written for reading: the yardstick of the
 * device tests.  Arrays are on the lattice of struct grid; `dim` is 2 or 3.
 */
#ifndef FRESHET_REFERENCE_H
#define FRESHET_REFERENCE_H

#include <stddef.h>

#include "shared.h"

/* ---- transfers ---------------------------------------------------------------------------- */

/* Particles as the device holds them: component-major, `stride` apart; affine may be NULL. */
struct reference_particles {
	size_t count, stride;
	const float *position, *velocity, *affine;
};

/* Per face: sum of weights, of weight times velocity (with affine part), and how many particles
 * contribute.  Arrays [dim][lattice], zeroed by the caller. */
struct reference_faces {
	double *weight, *momentum, *contributions;
};
void reference_splat(const struct grid *g, int dim, const struct reference_particles *p,
		     const struct reference_faces *f);

/* A face field (component `c`, its first element) or, with c = dim, a cell field at x: multilinear,
 * constant beyond the outermost samples.  gradient (may be NULL): of the interpolant, 1/m. */
double reference_sample(const struct grid *g, int dim, int c, const float *field, const double x[3],
			double gradient[3]);

/* Per cell: sum over particles and their images in closed walls of k(|x - x_p| / 2h), k(s) =
 * (1 - s^2)^3, and the number of those within reach. */
void reference_density(const struct grid *g, int dim, const struct reference_particles *p,
		       double *sum, double *count);

/* ---- pressure ----------------------------------------------------------------------------- */

/* Least depth of a liquid cell, in cells, as in kernels/common/faces.h. */
#define REFERENCE_MIN_DEPTH 3e-4

/*
 * (A q)_i = excess_i q_i + sum over neighbours of link (q_i - q_n); link[a] belongs to the upper
 * face along a.  Area 1 for a fully open face; at the free surface area/theta is added to excess,
 * theta = phi_i / (phi_i - phi_n), phi_i at least that deep; at an open wall area/0.5.
 */
struct reference_operator {
	const struct grid *grid;
	int dim;
	double *excess, *link[3]; /* [lattice] */
	unsigned char *unknown;	  /* liquid cells with a positive diagonal */
	int *component;		  /* of unknowns joined by links, -1 elsewhere */
	int components;
	unsigned char *tied; /* per component: has it an excess? */
};

/* phi in m, cell types and open fractions as on the device.  The caller finishes it. */
void reference_operator_init(struct reference_operator *op, const struct grid *g, int dim,
			     const float *phi, const unsigned char *type,
			     const unsigned short *open);
void reference_operator_finish(struct reference_operator *op);

void reference_apply(const struct reference_operator *op, const double *q, double *result);
/* Subtracts the mean over every component without ties. */
void reference_remove_means(const struct reference_operator *op, double *q);
/* q = A^-1 b by Cholesky factors of the dense matrix; b must have no mean over components without
 * ties, and q gets none.  *condition (may be NULL): an upper bound of the condition number, on the
 * complement of the null space. */
void reference_solve(const struct reference_operator *op, const double *b, double *q,
		     double *condition);

/* Label of each cell: the least lattice index of those of its type (liquid or air) that open faces
 * join to it; UINT32_MAX for solid cells and slots that are no cell. */
void reference_label(const struct grid *g, int dim, const unsigned char *type,
		     const unsigned short *open, u32 *label);

#endif
