/*
 * Recesses: room that solids cut off from its cell, counted to the next cell of its side, whose
 * fields are stretched over both (solids_sides.cl).
 */
#ifndef FRESHET_SOLIDS_RECESS_H
#define FRESHET_SOLIDS_RECESS_H

#include "collide.h"
#include "solids_sight.h"

/* Of the cell size: how far beyond a face a particle stands at least; how deep a recess counts. */
#define SOLIDS_BEYOND 0.01f
#define SOLIDS_DEEPEST 0.9f

/* Does the cell see x, which lies in it, so far from solids at least? */
int solids_cell_sees(const struct grid g, const struct solids_shape *shape, const int cell[3],
		     const float x[3], float distance)
{
	float reference[4];
	return solids_reference(g, shape, cell[0], cell[1], cell[2], reference) &&
	       solids_sees_from(shape, g.h, reference, x, distance);
}

/* Can a particle stand at `to`, and is the way there from x free of solids? */
int solids_free_way(const struct grid g, const struct solids_shape *shape, const float x[3],
		    const float to[3])
{
	float last[3];
	struct shape_sample sample;
	return solids_trace(shape, g.h, 0, x, to, last, &sample) &&
	       sample.distance >= COLLIDE_SKIN * g.h;
}

/* Where particle x of a cell that does not see it belongs: mirrored at the nearest face, edge or
 * corner behind which a cell sees that place, on a free path.  0 if there is none. */
int solids_own_side(const struct grid g, const struct solids_shape *shape, const int cell[3],
		    const float x[3], float best[3])
{
	float nearest = SHAPE_FAR;
	for (int n = 0; n < (DIM == 2 ? 9 : 27); ++n) {
		const int offset[3] = {modulo(n, 3) - 1, modulo(n / 3, 3) - 1,
				       DIM == 3 ? n / 9 - 1 : 0};
		int to[3] = {cell[0], cell[1], cell[2]};
		float target[3] = {x[0], x[1], x[2]}, square = 0.0f;
		for (int axis = 0; axis < DIM; ++axis) {
			if (offset[axis] == 0)
				continue;
			float face = (float)(cell[axis] + (offset[axis] > 0)) * g.h;
			float depth = fabs(face - x[axis]);
			to[axis] += offset[axis];
			square += depth * depth;
			depth = clamp_float(depth, SOLIDS_BEYOND * g.h, 0.5f * g.h);
			target[axis] = offset[axis] > 0 ? face + depth : face - depth;
		}
		if (square >= nearest || !cell_exists(g, to[0], to[1], to[2]) ||
		    !solids_free_way(g, shape, x, target) ||
		    !solids_cell_sees(g, shape, to, target, 0.0f))
			continue;
		nearest = square;
		for (int axis = 0; axis < DIM; ++axis)
			best[axis] = target[axis];
	}
	return nearest < SHAPE_FAR;
}

/* The axis along which what a cell does not see is counted to the next cell: of those that lead to
 * a cell of the box the one that the solid's normal is nearest to; -1 = there is none.  Across its
 * normal (but for rounding) a solid leads to neither side. */
int solids_way_out(const struct grid g, const int cell[3], const float n[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int axis = -1;
	for (int a = 0; a < DIM; ++a) {
		int to = cell[a] + (n[a] > 0.0f ? 1 : -1);
		if (fabs(n[a]) > 0.01f && to >= 0 && to < cells[a] &&
		    (axis < 0 || fabs(n[a]) > fabs(n[axis])))
			axis = a;
	}
	return axis;
}

/* Length of the recess behind a face of a cell that sees it, m, at most SOLIDS_DEEPEST h: the cell
 * on the other side does not see this place of the face, and the way out of it is this axis.  x: a
 * point in the column of cells, whose place on the face counts. */
float solids_recess(const struct grid g, const struct solids_shape *shape, const int cell[3],
		    int axis, int side, const float x[3])
{
	const float sign = side ? 1.0f : -1.0f, face = (float)(cell[axis] + side) * g.h;
	int beyond[3] = {cell[0], cell[1], cell[2]};
	float at[3] = {x[0], x[1], x[2]}, end[3] = {x[0], x[1], x[2]}, last[3];
	beyond[axis] += side ? 1 : -1;
	at[axis] = face;
	end[axis] = face + sign * SOLIDS_DEEPEST * g.h;
	if (!cell_exists(g, cell[0], cell[1], cell[2]) ||
	    !cell_exists(g, beyond[0], beyond[1], beyond[2]))
		return 0.0f;
	float reference[4];
	if (solids_reference(g, shape, beyond[0], beyond[1], beyond[2], reference) &&
	    solids_covers(g.h, reference, at, 0.0f))
		return 0.0f;
	struct shape_sample s = solids_evaluate(shape, at);
	if (s.distance >= g.h || s.distance < SOLIDS_CLEARANCE * g.h ||
	    solids_way_out(g, beyond, s.gradient) != axis || s.gradient[axis] * sign > 0.0f)
		return 0.0f;
	for (int turn = 0; turn < 2; ++turn)
		if (solids_cell_sees(g, shape, turn ? cell : beyond, at, s.distance) != turn)
			return 0.0f;
	/* Past the end of a plate that faces another axis this is that axis' recess. */
	solids_trace(shape, g.h, 0, at, end, last, &s);
	return solids_way_out(g, beyond, s.gradient) == axis ? fabs(last[axis] - face) : 0.0f;
}

/* A recess and its cell are at most 2h deep; nodal distances are off by less than h. */
#define SOLIDS_STRETCHED 3.0f

/* Where particle x stands on the grid; 0 if that is x itself. */
int solids_stretch(const struct grid g, const struct solids_shape *shape,
		   global const float *solid_phi, const float x[3], float to[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int cell[3] = {0, 0, 0};
	for (int axis = 0; axis < 3; ++axis) {
		to[axis] = x[axis];
		if (axis < DIM)
			cell[axis] = clamp_int(floor_int(x[axis] * g.inv_h), 0, cells[axis] - 1);
	}
	if (collide_solid_phi(g, solid_phi, x) > SOLIDS_STRETCHED * g.h)
		return 0;
	struct shape_sample s = solids_evaluate(shape, x);
	if (s.distance > 2.0f * g.h)
		return 0;
	const int seen = solids_cell_sees(g, shape, cell, x, s.distance);
	/* The recess, as volumes count it, in whose column x is, behind the face `side` of the cell
	 * that it is counted to; of several the one that lies straightest against the normal. */
	int axis = 0, side = 0;
	float recess = 0.0f, nearest = SHAPE_FAR;
	for (int n = 0; n < 2 * DIM; ++n) {
		const int a = n >> 1, high = n & 1;
		const float turn = high ? s.gradient[a] : -s.gradient[a];
		int own[3] = {cell[0], cell[1], cell[2]};
		if (turn >= nearest)
			continue;
		if (!seen)
			own[a] += high ? -1 : 1;
		float length = solids_recess(g, shape, own, a, high, x);
		if (length <= 0.0f)
			continue;
		axis = a;
		side = high;
		recess = length;
		nearest = turn;
	}
	if (recess > 0.0f) {
		float face = (float)(cell[axis] + (seen == side)) * g.h;
		float from = side ? face - x[axis] : x[axis] - face;
		float depth = (from + recess) * (g.h / (g.h + recess));
		from = max_float(from, 0.0f);
		/* Less far where another solid is in the way. */
		for (int attempt = 0; attempt < 4; ++attempt) {
			float way = clamp_float(depth, SOLIDS_BEYOND * g.h,
						(1.0f - COLLIDE_MARGIN) * g.h);
			to[axis] = side ? face - way : face + way;
			if (solids_free_way(g, shape, x, to))
				return 1;
			depth = 0.5f * (from + depth);
		}
		to[axis] = x[axis];
	}
	return !seen && solids_own_side(g, shape, cell, x, to);
}

#endif
