/* Volume, first and second moments of what fills a part of space. */
#ifndef FRESHET_BODY_MOMENTS_H
#define FRESHET_BODY_MOMENTS_H

#include "shape_program.h"

struct body_moments {
	double volume;
	double first[3];     /* integral of x */
	double second[3][3]; /* integral of x x^T */
};

/* Adds the box from low to high (2D: of x and y alone). */
void body_moments_add_box(struct body_moments *moments, int dim, const double low[3],
			  const double high[3]);

/* What is told about a point `origin` becomes, in place, what is told about the centre, which is
 * returned in center[]. */
void body_moments_center(struct body_moments *moments, const double origin[3], double center[3]);

/*
 * About the middle of the box from low to high, of a shape inside it, by halving cells `levels`
 * times.  A cell that the shape's value, which bounds the distance, tells to be full or empty is
 * taken whole; of the smallest ones the part behind the plane that value and gradient tell, along
 * the axis that the gradient is longest along.  Second order in the smallest cell.
 */
void body_quadrature(const struct shape_program *program, int dim, const double low[3],
		     const double high[3], int levels, struct body_moments *moments);
/* Of its cells that are not empty, the greatest distance of a point from `center`. */
double body_quadrature_reach(const struct shape_program *program, int dim, const double low[3],
			     const double high[3], int levels, const double center[3]);

#endif
