/*
 * The level set from the planes of the cells that the surface goes through: at their centres the
 * distance to their own, beside them that to the nearest of their neighbours' planes.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "vof_cell.h"

/* Units by which a cell must be off empty and full to have a plane, and for that to count as its
 * surface: less is as likely the rest of one that has gone. */
#define VOF_TRACE 1024
#define VOF_MIXED (VOLUME_ONE >> 7)
/* Away from planes, in cells. */
#define VOF_BEYOND 2.0f
/* Between a full cell and an empty one, in cells. */
#define VOF_BETWEEN 0.5f
/* A plane as near to that is one at the face. */
#define VOF_AT_FACE 0.01f
/* phi is off 0 by this at least, in cells: its sign says which side of C = 1/2 a cell is on. */
#define VOF_TOKEN 1e-6f

/* Is a cell off empty and full by more than so many units? */
ALWAYS_INLINE int vof_is_off(int units, int by)
{
	return units > by && units < VOLUME_ONE - by;
}

ALWAYS_INLINE int vof_is_wet(int units)
{
	return units >= VOLUME_ONE / 2;
}

/* A distance, in cells, with the sign that C asks for. */
ALWAYS_INLINE float vof_signed(float distance, int wet)
{
	const float size = wet ? -distance : distance;
	const float least = size > VOF_TOKEN ? size : VOF_TOKEN;
	return wet ? -least : least;
}

/* Is a neighbour across a face on the other side of C = 1/2? */
int vof_at_surface(const struct grid g, global const uint *volume, int i, int j, int k)
{
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	const int at = lattice_index(g, i, j, k), wet = vof_is_wet((int)volume[at]);
	int beside = 0;
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			const int to = here[a] + 2 * side - 1;
			const int there = at + (2 * side - 1) * lattice_stride(g, a);
			beside |= to >= 0 && to < cells[a] && vof_is_wet((int)volume[there]) != wet;
		}
	return beside;
}

/* Cells with a plane: phi at their centres in cells, and the unit normal out of the liquid.  Traces
 * away from the surface have none: VOF_BEYOND.  One work-item per lattice point. */
kernel void vof_planes(global const int *bricks, const struct brick_run run, const struct grid g,
		       global const uint *volume, global float *plane, global float *normal)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.j >= g.py || p.k >= g.pz || !cell_exists(g, p.i, p.j, p.k))
		return;
	const int at = lattice_index(g, p.i, p.j, p.k), units = (int)volume[at];
	if (!vof_is_off(units, VOF_TRACE))
		return;
	if (!vof_is_off(units, VOF_MIXED) && !vof_at_surface(g, volume, p.i, p.j, p.k)) {
		plane[at] = VOF_BEYOND;
		return;
	}
	const struct vof_plane f = vof_plane_of(g, volume, p.i, p.j, p.k, units);
	float square = 0.0f;
	for (int a = 0; a < DIM; a++)
		square += f.normal[a] * f.normal[a];
	const float length = sqrt(square), depth = (0.5f - f.offset) / length;
	const float side = f.air ? -1.0f : 1.0f;
	plane[at] = vof_signed(side * depth, vof_is_wet(units));
	for (int a = 0; a < DIM; a++)
		normal[a * g.lattice + at] = side * f.sign[a] * f.normal[a] / length;
}

/* Distance by the nearest planes of traces of liquid and of air.  Where both lie at a face between
 * full and empty cells, what one has too much lies in what the other lacks. */
ALWAYS_INLINE float vof_between(float liquid, float air)
{
	const int both =
		fabs(liquid - VOF_BETWEEN) < VOF_AT_FACE && fabs(air - VOF_BETWEEN) < VOF_AT_FACE;
	return both ? liquid + air - VOF_BETWEEN : min_float(liquid, air);
}

/*
 * phi, m.  A cell that is full or empty, or nearly, takes the nearest of the planes around it: of
 * cells that the surface goes through; or else of those with a trace of the other phase, its own
 * among them; half a cell towards a neighbour on the other side that has no plane; two cells where
 * there is nothing.  One work-item per lattice point.
 */
kernel void vof_distance(global const int *bricks, const struct brick_run run, const struct grid g,
			 global const uint *volume, global const float *plane,
			 global const float *normal, global float *phi)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	if (!cell_exists(g, p.i, p.j, p.k)) {
		phi[at] = VOF_BEYOND * g.h;
		return;
	}
	const int wet = vof_is_wet((int)volume[at]);
	if (vof_is_off((int)volume[at], VOF_MIXED)) {
		phi[at] = plane[at] * g.h;
		return;
	}
	float surface = VOF_BEYOND, liquid = VOF_BEYOND, air = VOF_BEYOND;
	for (int q = 0; q < VOF_AROUND; q++) {
		const int step[3] = {vof_side(q, 0), vof_side(q, 1), DIM == 3 ? vof_side(q, 2) : 0};
		const int i = p.i + step[0], j = p.j + step[1], k = p.k + step[2];
		if (!cell_exists(g, i, j, k))
			continue;
		const int there = lattice_index(g, i, j, k), units = (int)volume[there];
		const int beside = step[0] * step[0] + step[1] * step[1] + step[2] * step[2] == 1;
		const float own = vof_is_off(units, VOF_TRACE) ? plane[there] : VOF_BEYOND;
		const int has_plane = own < VOF_BEYOND;
		float distance = beside && vof_is_wet(units) != wet ? VOF_BETWEEN : VOF_BEYOND;
		if (has_plane) {
			float d = own;
			for (int a = 0; a < DIM; a++)
				d -= normal[a * g.lattice + there] * (float)step[a];
			distance = (d < 0.0f) == wet ? fabs(d) : VOF_BEYOND;
		}
		if (vof_is_off(units, VOF_MIXED))
			surface = min_float(surface, distance);
		else if (vof_is_wet(units))
			air = min_float(air, distance);
		else
			liquid = min_float(liquid, distance);
	}
	const float least = surface < VOF_BEYOND ? surface : vof_between(liquid, air);
	phi[at] = vof_signed(wet ? -least : least, wet) * g.h;
}
