/*
 * Air between liquid and what closes its cell above, a lid: the box's top, the underside of a solid
 * or of a plate.  Thinner than half a cell it has no cell of its own.  Then the liquid's cell has
 * p = 0 at its surface below the lid instead of a closed face, where the lid would not press
 * (kernels/lids.cl).
 */
#ifndef FRESHET_LIDS_H
#define FRESHET_LIDS_H

#include "common.h"

/* Bits of `opened` at a cell with such air; during the pressure solve at one that is air for that
 * (lids_apply) and where it is the body's only surface, during the drift solve where the lid is
 * closed to displacements. */
#define LIDS_AIR 8
#define LIDS_ALONE 16
#define LIDS_TURNED 128
#define LIDS_CLOSED 128
/* Lids nearer to a cell's centre, in cells, or below it leave the cell no depth of its own: it is
 * liquid or air as a whole. */
#define LIDS_LEAST 0.05f

/* grid.lid: axis and side of the face that gravity points away from. */
ALWAYS_INLINE int lids_axis(const struct grid g)
{
	return (g.lid - 1) >> 1;
}

ALWAYS_INLINE int lids_side(const struct grid g)
{
	return (g.lid - 1) & 1;
}

/* A cell's open volume, in cells. */
ALWAYS_INLINE float lids_room(global const ushort *volume_open, int at)
{
	return (float)room_units(volume_open[at]) * (1.0f / FRACTION_ONE);
}

/* Height of the lid above the cell's centre, in cells of the grid: cells that have a recess are
 * stretched to it.  Open volumes are sums of linear weights: the height, and half, or half the
 * square of what is above the centre of the cell below. */
ALWAYS_INLINE float lids_height(global const ushort *volume_open, int at)
{
	const float room = min_float(lids_room(volume_open, at), 1.0f);
	return room < 0.5f ? sqrt(2.0f * room) - 1.0f : room - 0.5f;
}

/* Length r of the recess beyond the cell's lid, in cells: an eighth of its liquid weighs in the
 * cell below. */
ALWAYS_INLINE float lids_recess(global const ushort *volume_open, int at)
{
	return clamp_float((lids_room(volume_open, at) - 1.0f) * (8.0f / 7.0f), 0.0f, 1.0f);
}

/* The cell below cell (i,j,k) if that has a lid, its face above is closed and the one below open;
 * else -1. */
ALWAYS_INLINE int lids_below(const struct grid g, global const ushort *open_fraction, int i, int j,
			     int k)
{
	if (g.lid == 0 || !cell_exists(g, i, j, k))
		return -1;
	const int axis = lids_axis(g), side = lids_side(g), stride = lattice_stride(g, axis);
	const int here = axis == 0 ? i : axis == 1 ? j : k;
	const int cells = axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz;
	const int at = lattice_index(g, i, j, k), slot = axis * g.lattice + at;
	if (here == (side ? 0 : cells - 1) || open_fraction[slot + side * stride] != 0 ||
	    open_fraction[slot + (1 - side) * stride] == 0)
		return -1;
	return at + (1 - 2 * side) * stride;
}

/* The cell above (i,j,k) whose lid is below its centre, so near that it has no depth of its own;
 * else -1. */
ALWAYS_INLINE int lids_flat_above(const struct grid g, global const ushort *open_fraction,
				  global const ushort *volume_open, int i, int j, int k)
{
	if (g.lid == 0)
		return -1;
	const int axis = lids_axis(g), up = 2 * lids_side(g) - 1;
	const int at = lattice_index(g, i, j, k);
	if (lids_below(g, open_fraction, i + (axis == 0 ? up : 0), j + (axis == 1 ? up : 0),
		       k + (axis == 2 ? up : 0)) != at)
		return -1;
	const int above = at + up * lattice_stride(g, axis);
	return lids_height(volume_open, above) < LIDS_LEAST ? above : -1;
}

/* Can there be such air above the liquid of cell (i,j,k)?  Not where there is liquid on the lid as
 * well: its face has one velocity. */
ALWAYS_INLINE int lids_can_part(const struct grid g, global const ushort *open_fraction,
				global const uchar *cell_type, int i, int j, int k)
{
	const int below = lids_below(g, open_fraction, i, j, k);
	if (below < 0 || cell_type[below] != CELL_LIQUID)
		return 0;
	const int axis = lids_axis(g), side = lids_side(g);
	const int here = axis == 0 ? i : axis == 1 ? j : k;
	const int cells = axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz;
	const int at = lattice_index(g, i, j, k);
	return cell_type[at] == CELL_LIQUID &&
	       (here == (side ? cells - 1 : 0) || cell_type[2 * at - below] != CELL_LIQUID);
}

/* Has a lid let go of the liquid at the face of component a at lattice point (i,j,k)? */
ALWAYS_INLINE int lids_let_go(const struct grid g, global const uchar *opened, int a, int i, int j,
			      int k)
{
	if (g.lid == 0 || a != lids_axis(g))
		return 0;
	const int side = lids_side(g), here = a == 0 ? i : a == 1 ? j : k;
	return here >= side &&
	       (opened[lattice_index(g, i, j, k) - side * lattice_stride(g, a)] & LIDS_AIR) != 0;
}

#endif
