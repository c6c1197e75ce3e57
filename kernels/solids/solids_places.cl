/*
 * Where particles stand on the grid, beside solids that split cells (solids_sides.cl).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "collide_count.h"
#include "collide_moving.h"
#include "common.h"
#include "loop_guard.h"
#include "solids_recess.h"

/* place = where the particles at `position` stand on the grid.  The two may be the same array.  One
 * work-item per particle. */
kernel void solids_enter_grid(const struct grid g, global const float *position,
			      global const uint *id, int stride, int n,
			      global const struct shape_op *ops, int op_count,
			      global const float *points, global const float *solid_phi,
			      global const float *references, global float *place,
			      global uint *scalars)
{
	int p = (int)get_global_id(0);
	if (p >= n)
		return;
	const struct solids_shape shape = {ops, op_count, points, references};
	float x[3] = {0.0f, 0.0f, 0.0f}, to[3];
	for (int axis = 0; axis < DIM; ++axis)
		x[axis] = position[axis * stride + p];
	if (id[p] == ID_REMOVED || collide_is_far(g, solid_phi, x, SOLIDS_STRETCHED * g.h) ||
	    !solids_stretch(g, &shape, solid_phi, x, to))
		for (int axis = 0; axis < DIM; ++axis)
			to[axis] = x[axis];
	for (int axis = 0; axis < DIM; ++axis)
		place[axis * stride + p] = to[axis];
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* Back to true places: position[p] as far from the true place at the start, origin[order[p]] or,
 * not `ordered`, origin[p], as it is from where that stood on the grid, with collision.  One
 * work-item per particle. */
kernel void solids_leave_grid(const struct grid g, global const float *origin,
			      global const uint *order, int ordered, uint salt,
			      global float *position, global float *velocity, global uint *id,
			      int stride, int n, global const struct shape_op *ops, int op_count,
			      global const float *points, global const float *solid_phi,
			      global const float *references, global const uint *solid_slip,
			      int solid_count, global uint *scalars)
{
	const struct collide_solids solids = {ops,	 op_count,   points,
					      solid_phi, solid_slip, solid_count};
	const struct solids_shape shape = {ops, op_count, points, references};
	int p = (int)get_global_id(0);
	if (p >= n || id[p] == ID_REMOVED)
		return;
	float x[3] = {0.0f, 0.0f, 0.0f}, from[3], moved[3] = {0.0f, 0.0f, 0.0f};
	for (int axis = 0; axis < DIM; ++axis)
		x[axis] = origin[axis * stride + (ordered ? (int)order[p] : p)];
	if (!collide_is_far(g, solid_phi, x, SOLIDS_STRETCHED * g.h) &&
	    solids_stretch(g, &shape, solid_phi, x, from)) {
		for (int axis = 0; axis < DIM; ++axis)
			moved[axis] = x[axis] + (position[axis * stride + p] - from[axis]);
		/* What flows out has left on the grid; the rest of the way may be a correction. */
		collide_stay_inside(g, x, moved);
		collide_move(g, &solids, salt, x, moved, position, velocity, 0, id, stride, p,
			     scalars);
	}
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* As solids_leave_grid(), among solids that move: position[p] as far from origin[order[p]], the
 * true place at the start, as it is from where that stood on the grid.  Work-items stride through
 * the particles. */
kernel void solids_leave_grid_moving(const struct grid g, global const float *origin,
				     global const uint *order, uint salt, global float *position,
				     global float *velocity, global uint *id, int stride, int n,
				     global const struct shape_op *ops, int op_count,
				     global const float *points, global const float *solid_phi,
				     global const float *references, global const uint *solid_slip,
				     int solid_count, int rest_count, global const float *mover,
				     float most, global uint *scalars)
{
	const struct solids_shape shape = {ops, op_count, points, references};
	const struct collide_movers movers = {
		{ops, op_count, points, solid_phi, solid_slip, solid_count},
		rest_count,
		mover,
		most};
	for (int p = (int)get_global_id(0); p < n; p += (int)get_global_size(0)) {
		float x[3] = {0.0f, 0.0f, 0.0f}, from[3], moved[3] = {0.0f, 0.0f, 0.0f};
		if (id[p] == ID_REMOVED)
			continue;
		for (int a = 0; a < DIM; a++)
			x[a] = origin[a * stride + (int)order[p]];
		if (collide_is_far(g, solid_phi, x, SOLIDS_STRETCHED * g.h) ||
		    !solids_stretch(g, &shape, solid_phi, x, from))
			continue;
		for (int a = 0; a < DIM; a++)
			moved[a] = x[a] + (position[a * stride + p] - from[a]);
		/* What flows out has left on the grid; the rest of the way may be a correction. */
		collide_stay_inside(g, x, moved);
		collide_move_moving(g, &movers, salt, x, moved, position, velocity, id, stride, p,
				    scalars);
	}
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
