/*
 * Solids: distance at nodes, open parts of faces.
 *
 * Computed once, and where solids move again in every substep.  A face's open part comes from the
 * distances at its corners (edge fraction in 2D, marching squares in 3D: second order).  That alone
 * loses solids thinner than a cell, so every corner must also be seen from the two cells beside the
 * face, see solids_sees().
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "solids_sight.h"

/* Faces less open than this are closed. */
#define SOLIDS_FACE_THRESHOLD 1e-3f

/* solid_phi[node] = distance of the united solids, m, at most `limit`.  Without solids there is no
 * such field.  One work-item per lattice point of the box. */
kernel void solids_distance(const struct grid g, const struct lattice_box box,
			    global const struct shape_op *ops, int op_count,
			    global const float *points, float limit, global float *solid_phi)
{
	int i, j, k;
	if (!lattice_box_point(box, &i, &j, &k))
		return;
	const struct solids_shape shape = {ops, op_count, points, 0};
	float node[3] = {(float)i * g.h, (float)j * g.h, (float)k * g.h};
	solid_phi[lattice_index(g, i, j, k)] =
		min_float(solids_evaluate(&shape, node).distance, limit);
}

/* Open part of an edge with distances a, b at its ends. */
float solids_edge(float a, float b)
{
	if (a > 0.0f)
		return b > 0.0f ? 1.0f : a / (a - b);
	return b > 0.0f ? b / (b - a) : 0.0f;
}

/* Area cut off a unit square at a corner of value a by a line between it and its neighbours b, c
 * of the other sign. */
float solids_corner(float a, float b, float c)
{
	return 0.5f * (a / (a - b)) * (a / (a - c));
}

/* Open part of a square with distances p[0..3] around its rim (marching squares). */
float solids_square(const float p[4])
{
	int open = 0, odd = 0;
	for (int n = 0; n < 4; ++n)
		open += p[n] > 0.0f;
	if (open == 0 || open == 4)
		return open == 0 ? 0.0f : 1.0f;
	if (open == 2) {
		if ((p[0] > 0.0f) == (p[2] > 0.0f)) { /* diagonal: the middle decides */
			int first = p[0] > 0.0f ? 0 : 1;
			if ((p[0] + p[1]) + (p[2] + p[3]) > 0.0f)
				return 1.0f - solids_corner(p[first ^ 1], p[first], p[first ^ 2]) -
				       solids_corner(p[(first ^ 1) ^ 2], p[first], p[first ^ 2]);
			return solids_corner(p[first], p[first ^ 1], p[(first ^ 1) ^ 2]) +
			       solids_corner(p[first ^ 2], p[first ^ 1], p[(first ^ 1) ^ 2]);
		}
		if ((p[0] > 0.0f) == (p[1] > 0.0f))
			return 0.5f * (solids_edge(p[0], p[3]) + solids_edge(p[1], p[2]));
		return 0.5f * (solids_edge(p[0], p[1]) + solids_edge(p[3], p[2]));
	}
	for (int n = 0; n < 4; ++n)
		odd = (p[n] > 0.0f) == (open == 1) ? n : odd;
	float area = solids_corner(p[odd], p[(odd + 1) & 3], p[(odd + 3) & 3]);
	return open == 1 ? area : 1.0f - area;
}

/* Open part of a face, from the distances on 3 points per axis of it: one between the corners, so
 * that a gap as narrow as a cell is seen even where both corners lie in solids.  between: where
 * that is, along the face's axes. */
float solids_fraction(const float p[9], const float between[2])
{
	const float low = between[0], high = 1.0f - low;
#if DIM == 2
	return low * solids_edge(p[0], p[1]) + high * solids_edge(p[1], p[2]);
#else
	float sum = 0.0f;
	for (int n = 0; n < 4; ++n) {
		int at = (n & 1) + 3 * (n >> 1);
		const float rim[4] = {p[at], p[at + 1], p[at + 4], p[at + 3]};
		sum += (n & 1 ? high : low) * (n >> 1 ? 1.0f - between[1] : between[1]) *
		       solids_square(rim);
	}
	return sum;
#endif
}

/* Place of point n, of 3 along each axis of a face of a lattice point. */
void solids_face_point(const struct grid g, const int node[3], int u, int v, int n,
		       const float between[2], float x[3])
{
	const int row = modulo(n, 3), column = n / 3;
	for (int axis = 0; axis < 3; ++axis)
		x[axis] = (float)node[axis] * g.h;
	x[u] += (row == 1 ? between[0] : 0.5f * (float)row) * g.h;
	if (DIM == 3)
		x[v] += (column == 1 ? between[1] : 0.5f * (float)column) * g.h;
}

/* Open part of face c at lattice point (i,j,k), in 0..1. */
float solids_face(const struct grid g, const struct solids_shape *shape,
		  global const float *solid_phi, int c, int i, int j, int k)
{
	const int u = c == 0 ? 1 : 0, v = c == 2 ? 1 : 2; /* axes along the face */
	const int cells[3] = {g.nx, g.ny, g.nz};
	/* A cell that belongs to a gap does not see places up to a cell from the plate. */
	const float reach = ((g.gaps ? 1.0f : SOLIDS_REACH) + 2.0f * SOLIDS_CLEARANCE) * g.h;
	if (shape->op_count == 0)
		return 1.0f;
	int node = lattice_index(g, i, j, k), near = 0;
	for (int corner = 0; corner < (1 << (DIM - 1)); ++corner)
		near |= !(solid_phi[node + (corner & 1) * lattice_stride(g, u) +
				    (corner >> 1) * lattice_stride(g, v)] > reach);
	if (!near)
		return 1.0f;
	float p[9], reference[2][4];
	int beside[2], known[2] = {1, 1}; /* the wall's outer side has no cell: nothing to ask */
	for (int side = 0; side < 2; ++side) {
		int cell[3] = {i, j, k};
		cell[c] -= side;
		beside[side] = cell[c] >= 0 && cell[c] < cells[c];
		if (beside[side])
			known[side] = solids_reference(g, shape, cell[0], cell[1], cell[2],
						       reference[side]);
	}
	/* Between the corners is beside the point of a cell that belongs to a gap, which may be too
	 * narrow for the middle. */
	const int node_at[3] = {i, j, k}, axes[2] = {u, v};
	float between[2] = {0.5f, 0.5f};
	for (int n = 0; n < 2 * (DIM - 1) && g.gaps; ++n) {
		const int side = n & 1, which = n >> 1, axis = axes[which];
		if (!beside[side] || !known[side])
			continue;
		const float at = reference[side][axis] * g.inv_h - (float)node_at[axis];
		if (at > 0.0f && at < 1.0f && fabs(at - 0.5f) > fabs(between[which] - 0.5f))
			between[which] = at;
	}
	int clear = known[0] && known[1];
	for (int n = 0; n < (DIM == 2 ? 3 : 9) && clear; ++n) {
		float x[3];
		solids_face_point(g, node_at, u, v, n, between, x);
		for (int side = 0; side < 2; ++side)
			clear &= !beside[side] || solids_covers(g.h, reference[side], x, 0.0f);
	}
	if (clear)
		return 1.0f;
	for (int n = 0; n < (DIM == 2 ? 3 : 9); ++n) {
		float x[3];
		solids_face_point(g, node_at, u, v, n, between, x);
		p[n] = solids_evaluate(shape, x).distance;
		int seen = known[0] && known[1] && p[n] >= SOLIDS_CLEARANCE * g.h;
		for (int side = 0; side < 2; ++side)
			seen = seen && (!beside[side] || p[n] > reach ||
					solids_sees_from(shape, g.h, reference[side], x, p[n]));
		if (!seen)
			p[n] = -fabs(p[n]);
	}
	return solids_fraction(p, between);
}

/* open_fraction of every face; 0 on closed walls and where there is no face.  One work-item per
 * lattice point of the box. */
kernel void solids_open_faces(const struct grid g, const struct lattice_box box,
			      global const struct shape_op *ops, int op_count,
			      global const float *points, global const float *solid_phi,
			      global const float *references, global ushort *open_fraction,
			      global uint *scalars)
{
	int i, j, k;
	if (!lattice_box_point(box, &i, &j, &k))
		return;
	const struct solids_shape shape = {ops, op_count, points, references};
	const int at[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	for (int c = 0; c < DIM; ++c) {
		int wall = at[c] == 0 ? 2 * c : at[c] == cells[c] ? 2 * c + 1 : -1;
		float open = 0.0f;
		if (face_exists(g, c, i, j, k) && (wall < 0 || (g.open_walls >> wall) & 1))
			open = solids_face(g, &shape, solid_phi, c, i, j, k);
		if (open < SOLIDS_FACE_THRESHOLD)
			open = 0.0f;
		open_fraction[c * g.lattice + lattice_index(g, i, j, k)] =
			(ushort)rint(open * SOLIDS_UNIT);
	}
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
