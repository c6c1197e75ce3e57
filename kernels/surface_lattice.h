/* Nodes of the surface's lattice (surface_params.h): their numbers and places. */
#ifndef FRESHET_SURFACE_LATTICE_H
#define FRESHET_SURFACE_LATTICE_H

#include "common.h"
#include "surface_params.h"

/* What the cells within two of a cell hold. */
enum surface_class { SURFACE_CLASS_EMPTY, SURFACE_CLASS_MIXED, SURFACE_CLASS_DEEP };

int surface_index(const struct surface_grid s, int i, int j, int k)
{
	return (DIM == 3 ? (k + 1) * s.py * s.px : 0) + (j + 1) * s.px + i + 1;
}

int surface_stride(const struct surface_grid s, int axis)
{
	return axis == 0 ? 1 : axis == 1 ? s.px : s.px * s.py;
}

/* The coordinate `part` of the way from node n to n + 1 of an axis with `last` intervals, m. */
float surface_place(const struct surface_grid s, float size, int last, int n, float part)
{
	float gap = SURFACE_CHAMFER * s.spacing;
	if (n < 0)
		return 0.0f;
	if (n >= last)
		return part > 0.0f ? size : size - gap;
	float low = n == 0 ? gap : (float)n * s.spacing;
	float high = n + 1 == last ? size - gap : (float)(n + 1) * s.spacing;
	return low + part * (high - low);
}

/* Which corners of the cube (2D: square) above node `at` are inside. */
int surface_case(const struct surface_grid s, global const float *phi, int at)
{
	int inside = 0;
	for (int n = 0; n < 1 << DIM; n++) {
		int corner = at + (n & 1) + (n >> 1 & 1) * s.px + (n >> 2) * s.px * s.py;
		inside |= (phi[corner] < 0.0f) << n;
	}
	return inside;
}

/* enum surface_class at a node: that of the cell above it. */
int surface_class_at(const struct grid g, const struct surface_grid s, global const uchar *class_of,
		     int i, int j, int k)
{
	return class_of[lattice_index(g, clamp_int(i / s.fine, 0, g.nx - 1),
				      clamp_int(j / s.fine, 0, g.ny - 1),
				      clamp_int(k / s.fine, 0, g.nz - 1))];
}

#endif
