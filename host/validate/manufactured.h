/*
 * Manufactured solutions of the pressure with curved boundaries: what its order of convergence is
 * measured on, by `freshet validate` and by tests.
 *
 * An exact pressure p (m^2/s^2, say) with Laplacian f, in a box that is open all around.  The
 * boundary is a free surface (Dirichlet, p given) or a solid (Neumann, the flux given).
 */
#ifndef FRESHET_MANUFACTURED_H
#define FRESHET_MANUFACTURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared.h"

/* An exact pressure in `dim` dimensions: its value, gradient and Laplacian at x, relative to its
 * own centre; x[2] = 0 in 2D. */
typedef double pressure_fn(const double x[3], int dim, double gradient[3], double *laplacian);
/* Distance of the boundary from its centre in the direction of an angle of the x-y plane. */
typedef double radius_fn(double angle);

struct manufactured {
	const char *name;
	int dim;
	bool solid; /* a solid inside the boundary, else liquid inside it */
	double size;
	double centre[3];
	radius_fn *radius;
	pressure_fn *pressure;
	/* Published for the same problem, so that the details are theirs: the walls of the box have
	 * second order, and the value on the surface is that of the place where the level set, made
	 * linear between two centres, crosses the grid line. */
	bool published;
};

pressure_fn manufactured_bell;	     /* exp(-r^2) */
pressure_fn manufactured_quartic;    /* 2D, r^4 cos 3 theta: Johansen & Colella 1998, problem 3 */
pressure_fn manufactured_paraboloid; /* x^2 + y^2: Gibou et al. 2002 */
radius_fn manufactured_round;	     /* 0.3: a disc or ball */
radius_fn manufactured_star_inside;  /* 0.30 + 0.15 cos 6 theta: Johansen & Colella */
radius_fn manufactured_star_outside; /* 0.25 + 0.05 cos 6 theta: the same */
radius_fn manufactured_star_of_five; /* 0.5 + 0.2 sin 5 theta: Gibou et al. */
#define MANUFACTURED_STAR_MIDDLE 1.0447 /* of the star of five in a box of 2: 1 + 0.02 sqrt 5 */

/* The boundary at x: positive in the liquid, negative beyond, 0 on it; slope 1 to 3. */
double manufactured_shape(const struct manufactured *p, const double x[3]);
/* The same as a distance, exact no further off than `reach`. */
double manufactured_distance(const struct manufactured *p, const double x[3], double reach);
/* The exact pressure; gradient and laplacian may be NULL. */
double manufactured_pressure(const struct manufactured *p, const double x[3], double gradient[3],
			     double *laplacian);
/* Where the boundary crosses the segment from a (in the liquid) to b. */
void manufactured_crossing(const struct manufactured *p, const double a[3], const double b[3],
			   double x[3]);
/* Mean of the exact gradient along c over the open part of the face with centre x. */
double manufactured_open_mean(const struct manufactured *p, const double x[3], int c, double h);
/* The text of a scene: the box, with the boundary as a solid if it is one.  malloc'ed; NULL: out of
 * memory. */
char *manufactured_scene(const struct manufactured *p, int cells);

/* ---- manufactured_fields.c: on a grid ----------------------------------------------------- */

/* Lattice fields of a problem.  Owns its arrays. */
struct manufactured_fields {
	f32 *phi;	   /* m */
	uint8_t *type;	   /* enum cell_type */
	double *pressure;  /* exact, at cells */
	double *rhs;	   /* of the discrete equation A q = rhs, q in the unit of p */
	double *defect;	   /* A p - rhs of the exact p: A (p - q), summed face by face in double */
	double *gradient;  /* exact, [dim][lattice], at faces that take part, else NaN */
	double *beyond;	   /* pressure on the boundary, at faces there, else NaN */
	double *beyond_at; /* its distance in cells */
};

/* `open`: open fractions [dim][lattice] of the grid.  False after reporting that memory is short;
 * the fields must be freed all the same. */
bool manufactured_fill(const struct manufactured *p, const struct grid *g, const uint16_t *open,
		       struct manufactured_fields *f);
void manufactured_free(struct manufactured_fields *f);

enum { MANUFACTURED_PRESSURE, MANUFACTURED_VELOCITY, MANUFACTURED_KINDS };
/* Sums of errors, over as many grids as are added.  Zeroed = none. */
struct manufactured_errors {
	double sum[MANUFACTURED_KINDS], greatest[MANUFACTURED_KINDS], count[MANUFACTURED_KINDS];
};
/* Adds those of the solution q = exact - error (lattice): of the pressure at the liquid's cells
 * whose centre lies in the liquid, and of (q_high - q_low)/(theta h) at their faces. */
void manufactured_add_errors(const struct manufactured *p, const struct grid *g,
			     const struct manufactured_fields *f, const double *error,
			     struct manufactured_errors *e);

#endif
