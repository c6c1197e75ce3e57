/*
 * Moving the liquid: volume of fluid, split and geometric, after Weymouth & Yue (2010), in
 * integers.
 *
 * A sweep along an axis takes from each cell what lies in the box that is swept through a face, and
 * gives the same number to the neighbour; where a cell is liquid it adds the sweep's dilation, and
 * the last sweep takes the others' away again.  So the sum over all cells stays the same to the
 * unit, whatever the velocity.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "mg.h"
#include "vof_cell.h"

/* An outflow that is cut by more than rounding can tell is counted. */
#define VOF_ROUNDING 1024

/* What a face sweeps in the substep, in units of a cell, towards +axis. */
ALWAYS_INLINE int vof_swept(float u, float courant)
{
	return convert_int_rte(clamp_float(u * courant, -1.0f, 1.0f) * VOLUME_ONE);
}

/* Units that leave cell (i,j,k), which holds `units`, through its face on a side of an axis in a
 * box of `swept` > 0. */
int vof_outflow(const struct grid g, global const uint *volume, int i, int j, int k, int units,
		int axis, int side, int swept)
{
	if (units <= 0)
		return 0;
	if (units >= VOLUME_ONE)
		return swept;
	const struct vof_plane p = vof_plane_of(g, volume, i, j, k, units);
	const float width = (float)swept * VOLUME_TO_PART;
	const float sign = axis == 0 ? p.sign[0] : axis == 1 ? p.sign[1] : p.sign[2];
	const float from = (side != 0) != (sign < 0.0f) ? 1.0f - width : 0.0f;
	const float part = plane_slab(p.normal, p.offset, axis, from, width);
	int flow = convert_int_rte(part * VOLUME_ONE);
	flow = min_int(min_int(flow, p.units), swept);
	return min_int(p.air ? swept - flow : flow, units);
}

/* Adds to a number of two words, the lower first. */
void vof_add(volatile global uint *words, uint units)
{
	if (units && atomic_add(words, units) + units < units)
		atomic_add(words + 1, 1u);
}

/*
 * flux[face] = units that go through the faces of an axis towards +axis.  The cell that they leave
 * must have them: where both its faces take, the upper one gets what the lower one leaves.  Closed
 * faces let nothing through; beyond open walls is air, and what goes there is counted.  courant =
 * dt/h.  One work-item per lattice point.
 */
kernel void vof_flux(global const int *bricks, const struct brick_run run, const struct grid g,
		     int axis, float courant, global const uint *volume, global const float *u_face,
		     global const ushort *open_fraction, global int *flux, global uint *scalars)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	global const float *u = u_face + axis * g.lattice;
	global const ushort *open = open_fraction + axis * g.lattice;
	flux[at] = 0;
	if (!face_exists(g, axis, p.i, p.j, p.k) || open[at] == 0)
		return;
	const int swept = vof_swept(u[at], courant), side = swept > 0;
	const int i = p.i - (side && axis == 0), j = p.j - (side && axis == 1);
	const int k = p.k - (side && axis == 2);
	if (swept == 0 || !cell_exists(g, i, j, k))
		return;
	const int from = lattice_index(g, i, j, k), units = (int)volume[from];
	int flow = vof_outflow(g, volume, i, j, k, units, axis, side, side ? swept : -swept);
	const int below = side ? vof_swept(u[from], courant) : 0;
	if (below < 0 && open[from] > 0 && flow > 0) {
		const int left = units - vof_outflow(g, volume, i, j, k, units, axis, 0, -below);
		if (flow > left + VOF_ROUNDING)
			atomic_inc(scalars + SCALAR_VOLUME_CLIPPED);
		flow = min_int(flow, left > 0 ? left : 0);
	}
	flux[at] = side ? flow : -flow;
	const int here = axis == 0 ? p.i : axis == 1 ? p.j : p.k;
	const int cells = axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz;
	if (here == (side ? cells : 0))
		vof_add(scalars + SCALAR_VOLUME_OUT, (uint)flow);
}

/* Dilation of a cell along an axis: what its faces sweep more than they bring. */
ALWAYS_INLINE int vof_dilation(const struct grid g, global const float *u_face, float courant,
			       int axis, int at)
{
	global const float *u = u_face + axis * g.lattice + at;
	return vof_swept(u[lattice_stride(g, axis)], courant) - vof_swept(u[0], courant);
}

/*
 * The sweep's part of C: what comes in less what goes out, and dilation where the cell was liquid
 * at the start of the substep, C >= 1/2 in `before`.  Outside the list nothing flows.  One
 * work-item per lattice point.
 */
kernel void vof_update(global const int *bricks, const struct brick_run run,
		       const struct brick_layout layout, global const uint *state,
		       const struct grid g, int axis, int last, float courant,
		       global const int *flux, global const float *u_face,
		       global const uint *before, global uint *volume)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.j >= g.py || p.k >= g.pz || !cell_exists(g, p.i, p.j, p.k))
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	const int first_x = bricks_first_x(bricks, run, BRICK_ROWS);
	const int out = bricks_listed_beside(state, layout, first_x, p, axis, 1)
				? flux[at + lattice_stride(g, axis)]
				: 0;
	int change = flux[at] - out;
	if ((int)before[at] >= VOLUME_ONE / 2)
		for (int a = 0; a < DIM; a++)
			if ((a == axis) != last)
				change += last ? -vof_dilation(g, u_face, courant, a, at)
					       : vof_dilation(g, u_face, courant, a, at);
	volume[at] = (uint)((int)volume[at] + change);
}

/* An excess as small is left alone, in units; and the most that a substep works off. */
#define VOF_EXCESS_LEAST (1 << 14)
#define VOF_EXCESS_MOST (VOLUME_ONE / 10)

/* What liquid cells hold too much flows out within the substep: b += (C - 1) scale, scale = h/dt.
 * Walls that let go let a little in, as rounding does.  Work-items of mg_listed_both(). */
kernel void vof_add_divergence(global const int *restrict bricks, const struct brick_run run,
			       const struct grid g, const struct mg_level level, float scale,
			       global const uint *restrict volume,
			       global const uchar *restrict cell_type, global float *restrict b)
{
	const struct mg_cell c = mg_listed_both(level, bricks, run);
	if (!c.exists)
		return;
	const int at = lattice_index(g, c.i, c.j, c.k), excess = (int)volume[at] - VOLUME_ONE;
	if (cell_type[at] == CELL_LIQUID && excess > VOF_EXCESS_LEAST)
		b[c.at] += scale * ((float)min_int(excess, VOF_EXCESS_MOST) * VOLUME_TO_PART);
}
