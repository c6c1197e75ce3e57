/*
 * What is measured in a simulation, defined once: probes and `freshet validate` use these.
 *
 * Everything here works on the host's copies of fields and particles; no device is needed.  The
 * volume of the liquid is measured on the device (stages/statistics.c): `volume` of stats.csv.
 */
#ifndef FRESHET_MEASURE_H
#define FRESHET_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared.h"

/* The 2^3 samples around a point, and how much each counts.  In 2D the upper four count 0. */
struct measure_stencil {
	int base[3];	  /* lattice point of the first sample */
	int step[3];	  /* 1, or 0 along an axis with one sample only */
	double weight[3]; /* of the upper sample along each axis */
};

/* The stencil of a point (m) among the faces of component `c`, or the cell centres if c = -1, of a
 * grid of cell size h (m).  Beyond the outermost samples the weights extrapolate. */
struct measure_stencil measure_stencil_at(const struct grid *grid, int dim, double h,
					  const double point[3], int c);

/* Lattice index of sample `corner`; bit a of it = the upper one along axis a. */
size_t measure_sample(const struct grid *grid, const struct measure_stencil *stencil, int corner);

/*
 * The pressure at a wall, the velocity at a point: the multilinear mean of the samples that count.
 * Where some do not (cells inside solids), the others' weights are made up to 1 and nothing is
 * extrapolated, so that at a solid it is the value of the first cell off the wall.  False if none
 * counts.
 */
bool measure_mean(const struct measure_stencil *stencil, const double value[8],
		  const bool counts[8], double *result);

/* Planes of cells, the first of them that of lattice index `first`. */
struct measure_cells {
	const struct grid *grid;
	double h, top; /* cell size, height of the box, m */
	size_t first;
	const f32 *phi;	     /* m */
	const uint8_t *type; /* enum cell_type */
};

/*
 * Height of the surface in the column of a stencil (its y part is not used), m: where phi, linear
 * between the two (2D) or four columns around it and along them, first rises through 0 on the way
 * up from the floor.  `top` if it never does, 0 in a dry column, the underside of a solid that
 * liquid reaches.  Spray above the surface does not count.
 */
double measure_height(const struct measure_cells *cells, const struct measure_stencil *column);

/*
 * Front of the liquid towards +x, m: the far side of the farthest slab of one cell along x that
 * holds a layer of at least `depth` (m) over the whole width of the box, by its particles: at least
 * depth / h times particles_per_cell times the cells along z.  0 if no slab does.
 *
 * `x`: positions (m) of `count` particles; those whose id is ID_REMOVED do not count.
 * *farthest (may be NULL): greatest x of any particle, 0 if there is none.  False after reporting
 * that memory is short.
 */
bool measure_front(const struct grid *grid, double h, int particles_per_cell, double depth,
		   const f32 *x, const u32 *id, size_t count, double *front, double *farthest);
/* The same of liquid on the grid: units[] of C in cells, by lattice point. */
void measure_front_cells(const struct grid *grid, double h, double depth, const u32 *units,
			 double *front, double *farthest);

#endif
