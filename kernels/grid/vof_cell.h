/*
 * What a cell holds, and the plane that bounds it.
 *
 * C, the part of a cell that liquid fills, counts in units of 2^-30, VOLUME_ONE to a cell.  It may
 * be a little above, by rounding of what flows.
 */
#ifndef FRESHET_VOF_CELL_H
#define FRESHET_VOF_CELL_H

#include "common.h"
#include "plane.h"

#define VOLUME_TO_PART (1.0f / VOLUME_ONE)
/* Cells of the 3^DIM ones around a cell, and that itself among them. */
#define VOF_AROUND (DIM == 3 ? 27 : 9)
#define VOF_MIDDLE (DIM == 3 ? 13 : 4)
/* A sum of differences as small has no direction. */
#define VOF_FLAT 1e-7f

/* A plane in a cell, in the turned axes of plane.h; sign[a] < 0 where axis a is turned.  The phase
 * below it is air where `air`, and has `units` of the cell. */
struct vof_plane {
	float normal[3], sign[3], offset;
	int air, units;
};

/* Parts of the cells around (i,j,k); those beyond walls hold what the nearest in the box does. */
void vof_around(const struct grid g, global const uint *volume, int i, int j, int k,
		float part[VOF_AROUND])
{
	for (int q = 0; q < VOF_AROUND; q++) {
		const int x = clamp_int(i + modulo(q, 3) - 1, 0, g.nx - 1);
		const int y = clamp_int(j + modulo(q / 3, 3) - 1, 0, g.ny - 1);
		const int z = DIM == 3 ? clamp_int(k + q / 9 - 1, 0, g.nz - 1) : 0;
		const int units = (int)volume[lattice_index(g, x, y, z)];
		part[q] = (float)clamp_int(units, 0, VOLUME_ONE) * VOLUME_TO_PART;
	}
}

/* Distance between neighbours of part[] along an axis, and whether q is below, at or above the
 * middle along it, -1 to 1. */
ALWAYS_INLINE int vof_step(int axis)
{
	return axis == 0 ? 1 : axis == 1 ? 3 : 9;
}
ALWAYS_INLINE int vof_side(int q, int axis)
{
	return modulo(q / vof_step(axis), 3) - 1;
}

/* Youngs' normal along an axis: differences of layers, weighted 1 2 1. */
float vof_youngs(const float part[VOF_AROUND], int axis)
{
	float sum = 0.0f;
	for (int q = 0; q < VOF_AROUND; q++) {
		float weight = 1.0f;
#pragma unroll
		for (int a = 0; a < DIM; a++)
			if (a != axis)
				weight *= vof_side(q, a) ? 1.0f : 2.0f;
		if (vof_side(q, axis) < 0)
			sum += weight * (part[q] - part[q + 2 * vof_step(axis)]);
	}
	return sum;
}

/* The normal of columns along an axis, by centred differences of their heights; scaled. */
void vof_centred(const float part[VOF_AROUND], int axis, float n[3])
{
	const int own = vof_step(axis);
	float along = part[VOF_MIDDLE - own] - part[VOF_MIDDLE + own], sum = 1.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		const int low = VOF_MIDDLE - vof_step(a), high = VOF_MIDDLE + vof_step(a);
		if (a == axis)
			continue;
		n[a] = 0.5f * ((part[low - own] + part[low] + part[low + own]) -
			       (part[high - own] + part[high] + part[high + own]));
		sum += fabs(n[a]);
		along +=
			(part[low - own] - part[low + own]) + (part[high - own] - part[high + own]);
	}
#pragma unroll
	for (int a = 0; a < DIM; a++)
		n[a] = (a == axis ? (along > 0.0f ? 1.0f : -1.0f) : n[a]) / sum;
}

/*
 * The normal out of the liquid, its absolute values adding up to 1: mixed Youngs-centred (Aulisa et
 * al. 2007).  Of the columns along the axes those whose own component is the greatest; Youngs' in
 * their place where it is less steep.
 */
void vof_normal(const float part[VOF_AROUND], float normal[3])
{
	float youngs[3] = {0.0f, 0.0f, 0.0f}, best[3] = {0.0f, 0.0f, 0.0f};
	float own = 0.0f, sum = 0.0f, greatest = 0.0f;
	for (int axis = 0; axis < DIM; axis++) {
		float n[3] = {0.0f, 0.0f, 0.0f};
		youngs[axis] = vof_youngs(part, axis);
		sum += fabs(youngs[axis]);
		vof_centred(part, axis, n);
		if (fabs(n[axis]) > own) {
			own = fabs(n[axis]);
			best[0] = n[0];
			best[1] = n[1];
			best[2] = n[2];
		}
	}
	normal[0] = normal[2] = 0.0f;
	normal[1] = 1.0f;
	if (!(sum > VOF_FLAT))
		return;
	for (int axis = 0; axis < DIM; axis++)
		greatest = max_float(greatest, fabs(youngs[axis]) / sum);
	for (int axis = 0; axis < DIM; axis++)
		normal[axis] = own > greatest ? youngs[axis] / sum : best[axis];
}

/* The plane of a cell that holds 0 < units < VOLUME_ONE. */
struct vof_plane vof_plane_of(const struct grid g, global const uint *volume, int i, int j, int k,
			      int units)
{
	struct vof_plane p;
	float part[VOF_AROUND];
	vof_around(g, volume, i, j, k, part);
	vof_normal(part, p.normal);
	p.air = units > VOLUME_ONE / 2;
	p.units = p.air ? VOLUME_ONE - units : units;
	for (int a = 0; a < 3; a++) {
		const float out = p.air ? -p.normal[a] : p.normal[a];
		p.sign[a] = out < 0.0f ? -1.0f : 1.0f;
		p.normal[a] = fabs(out);
	}
	p.offset = plane_offset(p.normal, (float)p.units * VOLUME_TO_PART);
	return p;
}

#endif
