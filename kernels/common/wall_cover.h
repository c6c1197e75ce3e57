/* What solids cover of the box's walls. */
#ifndef FRESHET_WALL_COVER_H
#define FRESHET_WALL_COVER_H

#include "common.h"

/* Nodes so near to a solid, in cells, are on it. */
#define WALL_CLEARANCE 1e-3f

#if DIM == 3
/* Part of a triangle where what is a, b, c at its corners, linear between, is not above 0. */
float wall_cover_triangle(float a, float b, float c)
{
	const int in = (a <= 0.0f) + (b <= 0.0f) + (c <= 0.0f);
	if (in == 0 || in == 3)
		return in == 0 ? 0.0f : 1.0f;
	/* The corner that differs comes first. */
	const int odd_a = (a <= 0.0f) == (in == 1), odd_b = (b <= 0.0f) == (in == 1);
	const float p = odd_a ? a : odd_b ? b : c, q = odd_a ? b : a;
	const float r = odd_a || odd_b ? c : b;
	const float part = p / (p - q) * (p / (p - r));
	return in == 1 ? part : 1.0f - part;
}
#endif

/* The distance at a node of a wall; of what stands on it, as the next node inwards tells it. */
float wall_cover_node(const struct grid g, global const float *solid_phi, int node, int inwards)
{
	const float on = solid_phi[node];
	return fabs(on) < WALL_CLEARANCE * g.h ? min_float(on, solid_phi[node + inwards]) : on;
}

/* Part of a wall's face that solids cover, by the distances at its corners.  Of such faces no open
 * fraction tells it. */
float wall_cover(const struct grid g, global const float *solid_phi, int axis, int side, int slot)
{
	const int u = lattice_stride(g, axis == 0 ? 1 : 0);
	const int inwards = side ? -lattice_stride(g, axis) : lattice_stride(g, axis);
	const float a = wall_cover_node(g, solid_phi, slot, inwards);
	const float b = wall_cover_node(g, solid_phi, slot + u, inwards);
#if DIM == 2
	if ((a <= 0.0f) == (b <= 0.0f))
		return a <= 0.0f ? 1.0f : 0.0f;
	return a <= 0.0f ? a / (a - b) : b / (b - a);
#else
	const int v = lattice_stride(g, axis == 2 ? 1 : 2);
	const float c = wall_cover_node(g, solid_phi, slot + u + v, inwards);
	const float d = wall_cover_node(g, solid_phi, slot + v, inwards);
	const float middle = 0.25f * ((a + b) + (c + d));
	return 0.25f * ((wall_cover_triangle(a, b, middle) + wall_cover_triangle(b, c, middle)) +
			(wall_cover_triangle(c, d, middle) + wall_cover_triangle(d, a, middle)));
#endif
}

#endif
