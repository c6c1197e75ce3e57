/*
 * Manufactured solutions of the pressure with curved boundaries, for tests of its order.  Built for
 * one DIM.
 */
#ifndef FRESHET_MANUFACTURED_H
#define FRESHET_MANUFACTURED_H

#include "stage_fixture.h"

/* An exact pressure: its value, gradient and Laplacian at x, relative to its own centre. */
typedef double pressure_fn(const double x[3], double gradient[3], double *laplacian);
/* Distance of the boundary from its centre in the direction of an angle of the x-y plane. */
typedef double radius_fn(double angle);

struct problem {
	const char *name;
	bool solid; /* Neumann outside the boundary, else Dirichlet inside */
	double size;
	double centre[3];
	radius_fn *radius;
	pressure_fn *pressure;
	int coarsest, coarsest_full;	/* cells along an axis */
	const char *published, *method; /* in the table, NULL: not there */
	double at_most;			/* times the published error */
};

pressure_fn bell;    /* exp(-r^2) */
radius_fn round_one; /* 0.3: a disc or ball */
#if DIM == 2
pressure_fn quartic;	/* r^4 cos 3 theta: Johansen & Colella 1998, problem 3 */
pressure_fn paraboloid; /* x^2 + y^2: Gibou et al. 2002 */
radius_fn star_inside, star_outside, star_of_five;
#endif

/* The boundary at x: positive in the liquid, negative beyond, 0 on it; slope 1 to 3. */
double problem_shape(const struct problem *p, const double x[3]);
/* The same as a distance, exact no further off than `reach`. */
double problem_distance(const struct problem *p, const double x[3], double reach);
/* The exact pressure; gradient and laplacian may be NULL. */
double problem_pressure(const struct problem *p, const double x[3], double gradient[3],
			double *laplacian);
/* Where the boundary crosses the segment from a (in the liquid) to b. */
void problem_crossing(const struct problem *p, const double a[3], const double b[3], double x[3]);
/* Mean of the exact gradient along c over the open part of the face with centre x. */
double problem_open_mean(const struct problem *p, const double x[3], int c, double h);
/* A simulation of a box with open walls, with the boundary as a solid if it is one. */
struct fixture problem_make(const struct problem *p, int cells);
/* An error of the published table (tests/data): of the rows that start with `test` and hold
 * `method`, the one of a norm at N cells or N + 1 points; NaN if there is none. */
double problem_published(const char *test, const char *method, int cells, const char *norm);

#endif
