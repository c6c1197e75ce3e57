/*
 * The velocity on faces, carried by itself: semi-Lagrangian (Stam 1999), and MacCormack's
 * correction (Selle et al. 2008): there and back again, half of what is then amiss, unless that
 * leaves the range of the values that the path began among.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "runge_kutta.h"
#include "sample.h"

/* Where a face of component c is, m. */
ALWAYS_INLINE void advect_place(const struct grid g, int c, const struct brick_point p, float x[3])
{
	x[0] = ((float)p.i + (c == 0 ? 0.0f : 0.5f)) * g.h;
	x[1] = ((float)p.j + (c == 1 ? 0.0f : 0.5f)) * g.h;
	x[2] = DIM == 3 ? ((float)p.k + (c == 2 ? 0.0f : 0.5f)) * g.h : 0.0f;
}

/* Is liquid so near, in cells, that paths from its faces may end beside those of this point? */
int advect_is_near(const struct grid g, global const uint *volume, int reach,
		   const struct brick_point p)
{
	const int width = 2 * reach, count = DIM == 3 ? width * width * width : width * width;
	int near = cell_exists(g, p.i, p.j, p.k) && volume[lattice_index(g, p.i, p.j, p.k)] != 0;
	for (int n = 0; n < count && !near; n++) {
		const int i = p.i + modulo(n, width) - reach;
		const int j = p.j + modulo(n / width, width) - reach;
		const int k = DIM == 3 ? p.k + n / width / width - reach : 0;
		near = cell_exists(g, i, j, k) && volume[lattice_index(g, i, j, k)] != 0;
	}
	return near;
}

/*
 * traced = u(x - dt u) of faces near liquid, its path by Runge-Kutta, u elsewhere; and, with
 * `ranges`, the least and the greatest of the values that the path began among.  One work-item per
 * lattice point.
 */
kernel void advect_trace(global const int *bricks, const struct brick_run run, const struct grid g,
			 int order, float dt, int reach, int ranges, global const float *u,
			 global const uint *volume, global float *traced, global float *least,
			 global float *most)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k), near = advect_is_near(g, volume, reach, p);
	for (int c = 0; c < DIM; c++) {
		const int slot = c * g.lattice + at;
		float x[3], from[3] = {0.0f, 0.0f, 0.0f};
		if (!face_exists(g, c, p.i, p.j, p.k))
			continue;
		if (!near) {
			traced[slot] = u[slot];
			continue;
		}
		advect_place(g, c, p, x);
		runge_kutta(g, u, order, -dt, x, from);
		const struct stencil s = sample_stencil(g, c, from);
		traced[slot] = sample_field(u + c * g.lattice, s);
		if (!ranges)
			continue;
		float low = u[c * g.lattice + s.base], high = low;
		for (int q = 1; q < STENCIL_CORNERS; q++) {
			const float corner = u[c * g.lattice + stencil_at(s, q)];
			low = min_float(low, corner);
			high = max_float(high, corner);
		}
		least[slot] = low;
		most[slot] = high;
	}
}

/* Is there liquid in a cell, be it a rest, or does the solver take it for liquid? */
ALWAYS_INLINE int advect_is_wet(const struct grid g, global const uint *volume,
				global const uchar *cell_type, int i, int j, int k)
{
	if (!cell_exists(g, i, j, k))
		return 0;
	const int at = lattice_index(g, i, j, k);
	return volume[at] != 0 || cell_type[at] == CELL_LIQUID;
}

/* What MacCormack adds to the semi-Lagrangian value of a face at x[], half of what comes back too
 * little. */
float advect_correction(const struct grid g, int c, int order, float dt, float old,
			global const float *u, global const float *traced, const float x[3])
{
	float to[3] = {0.0f, 0.0f, 0.0f};
	runge_kutta(g, u, order, dt, x, to);
	return 0.5f * (old - sample_field(traced + c * g.lattice, sample_stencil(g, c, to)));
}

/*
 * u_face = u* and its mask, on faces of cells that hold liquid; 0 and none elsewhere.  u: at the
 * start of the substep; traced, least, most: of advect_trace(), the last two with `correct`.  One
 * work-item per lattice point.
 */
kernel void advect_velocity(global const int *bricks, const struct brick_run run,
			    const struct grid g, int order, float dt, int correct,
			    global const float *u, global const float *traced,
			    global const float *least, global const float *most,
			    global const uint *volume, global const uchar *cell_type,
			    global float *u_face, global uchar *valid)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	const int here = advect_is_wet(g, volume, cell_type, p.i, p.j, p.k);
	uint bits = 0;
	for (int c = 0; c < DIM; c++) {
		const int slot = c * g.lattice + at;
		if (!face_exists(g, c, p.i, p.j, p.k))
			continue;
		float value = 0.0f;
		if (here || advect_is_wet(g, volume, cell_type, p.i - (c == 0), p.j - (c == 1),
					  p.k - (c == 2))) {
			float x[3], corrected;
			value = traced[slot];
			advect_place(g, c, p, x);
			if (correct) {
				corrected = value + advect_correction(g, c, order, dt, u[slot], u,
								      traced, x);
				value = corrected < least[slot] || corrected > most[slot]
						? value
						: corrected;
			}
			bits |= 1u << c;
		}
		u_face[slot] = value;
	}
	valid[at] = (uchar)bits;
}
