/*
 * Conjugate gradients with modified incomplete Cholesky MIC(0) on the host, in double precision:
 * the yardstick of the device's solvers.  Knows neither device nor scene.
 *
 *     (A q)_i = excess_i q_i + sum over neighbours n of link_in (q_i - q_n)
 *
 * on the cells of a box, x fastest; cells with an empty row are no unknowns.  Everything is in a
 * fixed order, of + - * / alone: the same bits on every host.
 */
#ifndef FRESHET_PCG_IC_H
#define FRESHET_PCG_IC_H

#include <stdbool.h>

#include "shared.h"

/* Share of the dropped fill that goes to the diagonal of the factor: 1 keeps row sums exactly, 0 is
 * plain IC(0) (Bridson 2015, 5.2.3, whose 0.97 this is). */
#define PCG_IC_MODIFIED 0.97

/* Squared norm of a right-hand side that counts as rest, (m/s)^2, as on the device. */
#define PCG_IC_REST 0x1p-60

struct pcg_ic; /* a matrix, its factor and vectors */

/*
 * The matrix and its factor.  cells: sizes, cells[2] = 1 in 2D; link[a], a < dim: f32 [cells], from
 * a cell to its upper neighbour along axis a (ignored for the last cells); excess: f32 [cells].  No
 * value is negative.  The arrays are copied.  NULL after reporting that memory ran out.
 */
struct pcg_ic *pcg_ic_create(const i32 cells[3], int dim, const f32 *const link[3],
			     const f32 *excess, double modified);
void pcg_ic_free(struct pcg_ic *p); /* accepts NULL */

struct pcg_ic_result {
	int iterations;
	double bb;	 /* b.b over the unknowns, after the means are out */
	double residual; /* ||b - A q|| / ||b||, computed from q; 0 for a b at rest */
	bool reached;	 /* the tolerance, in the mean and everywhere */
	bool stalled;	 /* ended because rounding allows no more */
};

/*
 * Solves from the given q until ||b - A q|| <= tolerance ||b||, max_iterations, or the rounding
 * floor.  b: f32 [cells]; q: double [cells], 0 where there is no unknown on return.  b loses its
 * mean over every component without excess, and so does q.
 */
struct pcg_ic_result pcg_ic_solve(struct pcg_ic *p, const f32 *b, double *q, double tolerance,
				  int max_iterations);

#endif
