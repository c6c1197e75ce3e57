/* Mass, centre and inertia of a body, from its shape. */
#ifndef FRESHET_BODY_MASS_H
#define FRESHET_BODY_MASS_H

#include "shape_program.h"

/* In 2D all is per metre of depth: kg/m, kg m. */
struct body_mass {
	double volume;	      /* m^3 (2D: m^2) */
	double mass;	      /* kg */
	double center[3];     /* m, of mass, as the shape is told */
	double inertia[3][3]; /* kg m^2 about the centre, along the axes as the shape is told */
	double radius; /* m, greatest distance of a point from the centre, or a little more */
};

/*
 * Of a shape that is bounded by low and high, of density 1.  Spheres, boxes, capsules, cylinders,
 * polygons and sound closed meshes exactly; what is combined, and meshes with faults, by
 * body_quadrature().  A volume that is not positive: the shape is empty.
 */
void body_mass_of(const struct shape_program *program, int dim, const double low[3],
		  const double high[3], struct body_mass *mass);

/* Makes the mass `to`, kg; what depends on it follows. */
void body_mass_scale(struct body_mass *mass, double to);

#endif
