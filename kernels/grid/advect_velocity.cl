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

/* traced = u(x - dt u) of every face, its path by Runge-Kutta.  One work-item per lattice point. */
kernel void advect_trace(global const int *bricks, const struct brick_run run, const struct grid g,
			 int order, float dt, global const float *u, global float *traced)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	for (int c = 0; c < DIM; c++) {
		float x[3], from[3] = {0.0f, 0.0f, 0.0f};
		if (!face_exists(g, c, p.i, p.j, p.k))
			continue;
		advect_place(g, c, p, x);
		runge_kutta(g, u, order, -dt, x, from);
		traced[c * g.lattice + at] =
			sample_field(u + c * g.lattice, sample_stencil(g, c, from));
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

/* MacCormack's value of a face at x[], whose semi-Lagrangian one is `plain`. */
float advect_corrected(const struct grid g, int c, int order, float dt, float plain, float old,
		       global const float *u, global const float *traced, const float x[3])
{
	float to[3] = {0.0f, 0.0f, 0.0f}, from[3] = {0.0f, 0.0f, 0.0f};
	runge_kutta(g, u, order, dt, x, to);
	const float back = sample_field(traced + c * g.lattice, sample_stencil(g, c, to));
	const float value = plain + 0.5f * (old - back);
	runge_kutta(g, u, order, -dt, x, from);
	const struct stencil s = sample_stencil(g, c, from);
	float least = u[c * g.lattice + s.base], most = least;
	for (int q = 1; q < STENCIL_CORNERS; q++) {
		const float corner = u[c * g.lattice + stencil_at(s, q)];
		least = min_float(least, corner);
		most = max_float(most, corner);
	}
	return value < least || value > most ? plain : value;
}

/*
 * u_face = u* and its mask, on faces of cells that hold liquid; 0 and none elsewhere.  u: at the
 * start of the substep; traced: of advect_trace(), corrected with `correct`.  One work-item per
 * lattice point.
 */
kernel void advect_velocity(global const int *bricks, const struct brick_run run,
			    const struct grid g, int order, float dt, int correct,
			    global const float *u, global const float *traced,
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
			float x[3];
			value = traced[slot];
			advect_place(g, c, p, x);
			if (correct)
				value = advect_corrected(g, c, order, dt, value, u[slot], u, traced,
							 x);
			bits |= 1u << c;
		}
		u_face[slot] = value;
	}
	valid[at] = (uchar)bits;
}
