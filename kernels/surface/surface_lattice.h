/* Nodes of the surface's lattice (surface_params.h): their numbers and places. */
#ifndef FRESHET_SURFACE_LATTICE_H
#define FRESHET_SURFACE_LATTICE_H

#include "common.h"
#include "surface_params.h"

/* What the cells within two of a cell hold. */
enum surface_class { SURFACE_CLASS_EMPTY, SURFACE_CLASS_MIXED, SURFACE_CLASS_DEEP };

#define SURFACE_CALM_RANGE 0.15f /* from not calm to calm, of the fall of the density */

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

/* Node numbers are mirrored at the walls of the box. */
int surface_fold(int n, int last)
{
	/* Without abs(): docs/portability.md. */
	int low = clamp_int(-n, 0, last), high = clamp_int(n - last, 0, last);
	return low + clamp_int(n, 0, last) - high;
}

/* The node of a work-item, counted from `first`; false beyond number n + `more` of each axis. */
int surface_item(const struct surface_grid s, int first, int more, int *i, int *j, int *k)
{
	*i = (int)get_global_id(0) + first;
	*j = (int)get_global_id(1) + first;
	*k = (int)get_global_id(2) + (DIM == 3 ? first : 0);
	return *i <= s.nx + more && *j <= s.ny + more && *k <= s.nz + (DIM == 3 ? more : 0);
}

/* Between the two nodes at `at` and above, and those of the next row. */
ALWAYS_INLINE float surface_between(const struct surface_grid s, global const float *at, float a,
				    float b)
{
	float low = at[0] + (at[1] - at[0]) * a;
	float high = at[s.px] + (at[s.px + 1] - at[s.px]) * a;
	return low + (high - low) * b;
}

/* A level set at a point (m), linear between nodes, constant beyond the box. */
ALWAYS_INLINE float surface_interpolate(const struct surface_grid s, global const float *level,
					float x, float y, float z)
{
	float u = clamp_float(x / s.spacing, 0.0f, (float)s.nx);
	float v = clamp_float(y / s.spacing, 0.0f, (float)s.ny);
	float w = clamp_float(z / s.spacing, 0.0f, (float)s.nz);
	int i = min_int((int)u, s.nx - 1), j = min_int((int)v, s.ny - 1);
	int k = DIM == 3 ? min_int((int)w, s.nz - 1) : 0;
	float a = u - (float)i, b = v - (float)j;
	global const float *at = level + surface_index(s, i, j, k);
	float layer = surface_between(s, at, a, b);
#if DIM == 3
	layer += (surface_between(s, at + s.px * s.py, a, b) - layer) * (w - (float)k);
#endif
	return layer;
}

/* 0 up to `from`, 1 from `to`, linear between. */
float surface_rise(float x, float from, float to)
{
	return clamp_float((x - from) / (to - from), 0.0f, 1.0f);
}

/* How far a node lies in the surface of thick liquid rather than in a sheet, a drop or a gap, 0 to
 * 1: there rho/rho0 falls by more than `least` over two cells along an axis. */
float surface_calm(const struct surface_grid s, global const float *rho, int i, int j, int k,
		   float least)
{
	const int node[3] = {i, j, k}, last[3] = {s.nx, s.ny, s.nz};
	int at = surface_index(s, i, j, k);
	float most = 0.0f;
	for (int a = 0; a < DIM; a++) {
		int step = surface_stride(s, a);
		int low = surface_fold(node[a] - s.fine, last[a]) - node[a];
		int high = surface_fold(node[a] + s.fine, last[a]) - node[a];
		most = max_float(most,
				 fabs(fabs(rho[at + low * step]) - fabs(rho[at + high * step])));
	}
	return surface_rise(most, least, least + SURFACE_CALM_RANGE);
}

#endif
