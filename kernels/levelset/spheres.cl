/*
 * The level set as the surface of spheres about the particles: phi = |x - x_p| - r, x_p the nearest
 * one (jump flooding, Rong & Tan 2006: two passes of one cell reach as far as phi is wanted).
 *
 * A sphere holds the centre of its particle's cell wherever in that it is, so that no particle is
 * without liquid.  Which of equally near particles it is, ids decide.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "blocks.h"
#include "brick_access.h"
#include "common.h"

#define SPHERES_NONE 0xffffffffu
/* phi away from particles, in cells. */
#define SPHERES_BEYOND 2.0f

/* Squared distance of a cell's centre from a particle, in cells. */
float spheres_square(const struct grid g, global const float *position, int stride, uint particle,
		     const struct brick_point p)
{
	const int here[3] = {p.i, p.j, p.k};
	float square = 0.0f;
	for (int a = 0; a < DIM; a++) {
		const float d =
			position[a * stride + (int)particle] * g.inv_h - 0.5f - (float)here[a];
		square += d * d;
	}
	return square;
}

/* The nearer of two particles; either may be none. */
uint spheres_nearer(const struct grid g, global const float *position, int stride,
		    global const uint *id, const struct brick_point p, uint one, uint other)
{
	if (one == SPHERES_NONE || one == other)
		return other;
	if (other == SPHERES_NONE)
		return one;
	const float a = spheres_square(g, position, stride, one, p);
	const float b = spheres_square(g, position, stride, other, p);
	return a < b || (!(b < a) && id[one] < id[other]) ? one : other;
}

/* nearest[] = of the particles of a cell, the nearest to its centre.  One work-item per lattice
 * point. */
kernel void spheres_seed(global const int *bricks, const struct brick_run run, const struct grid g,
			 global const uint *start, global const float *position, int stride,
			 global const uint *id, global uint *nearest)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	uint best = SPHERES_NONE;
	if (cell_exists(g, p.i, p.j, p.k)) {
		const int key = block_key(g, p.i, p.j, p.k);
		for (uint n = start[key]; n < start[key + 1]; n++)
			best = spheres_nearer(g, position, stride, id, p, best, n);
	}
	nearest[lattice_index(g, p.i, p.j, p.k)] = best;
}

/* A pass: of the particles that the 3^DIM cells around know.  near: bits of the blocks; cells of
 * others have none, whatever the memory holds.  One work-item per lattice point. */
kernel void spheres_jump(global const int *bricks, const struct brick_run run, const struct grid g,
			 global const uchar *near, global const float *position, int stride,
			 global const uint *id, global const uint *nearest,
			 global uint *nearest_out)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	uint best = SPHERES_NONE;
	if (cell_exists(g, p.i, p.j, p.k) && blocks_hold_sums(g, near, p.i, p.j, p.k))
		for (int n = 0; n < (DIM == 3 ? 27 : 9); n++) {
			const int i = p.i + modulo(n, 3) - 1, j = p.j + modulo(n / 3, 3) - 1;
			const int k = DIM == 3 ? p.k + n / 9 - 1 : 0;
			if (cell_exists(g, i, j, k) && blocks_hold_sums(g, near, i, j, k))
				best = spheres_nearer(g, position, stride, id, p, best,
						      nearest[lattice_index(g, i, j, k)]);
		}
	nearest_out[lattice_index(g, p.i, p.j, p.k)] = best;
}

/* phi, m, for spheres of a radius in cells.  One work-item per lattice point. */
kernel void spheres_phi(global const int *bricks, const struct brick_run run, const struct grid g,
			float radius, global const float *position, int stride,
			global const uint *nearest, global float *phi)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	const uint best = nearest[at];
	float value = SPHERES_BEYOND;
	if (best != SPHERES_NONE)
		value = min_float(sqrt(spheres_square(g, position, stride, best, p)) - radius,
				  value);
	phi[at] = value * g.h;
}
