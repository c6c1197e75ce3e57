/* Liquid by markers: a cell that holds one is liquid (Harlow & Welch 1965). */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"

/* phi, m: half a cell below the surface in cells with a marker, half a cell above it in others; and
 * their volume, a cell or nothing.  One work-item per lattice point. */
kernel void grid_mark(global const int *bricks, const struct brick_run run, const struct grid g,
		      global const uint *start, global float *phi, global uint *volume)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	int marked = 0;
	if (cell_exists(g, p.i, p.j, p.k)) {
		const int key = block_key(g, p.i, p.j, p.k);
		marked = start[key + 1] > start[key];
	}
	phi[at] = (marked ? -0.5f : 0.5f) * g.h;
	volume[at] = marked ? (uint)VOLUME_ONE : 0u;
}
