/* Advection among solids that move. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide_count.h"
#include "collide_moving.h"
#include "common.h"
#include "loop_guard.h"
#include "reach.h"
#include "runge_kutta.h"
#include "sample.h"
#include "solids_recess.h"

/* As particles_advect(); mover: f32 [][MOVER_WORDS] of the solids from rest_count on, most: the
 * greatest way of any point of theirs, m.  Work-items stride through the particles. */
kernel void particles_advect_moving(const struct grid g, global const float *u_face, int order,
				    float dt, uint salt, global float *position,
				    global float *velocity, global uint *id, int stride, int n,
				    global const struct shape_op *ops, int op_count,
				    global const float *points, global const float *solid_phi,
				    global const uint *solid_slip, int solid_count, int rest_count,
				    global const float *mover, float most, global uint *scalars)
{
	const struct collide_movers movers = {
		{ops, op_count, points, solid_phi, solid_slip, solid_count}, rest_count, mover, most};
	int furthest = 0;
	for (int p = (int)get_global_id(0); p < n; p += (int)get_global_size(0)) {
		float x[3] = {0.0f, 0.0f, 0.0f}, moved[3] = {0.0f, 0.0f, 0.0f},
		      v[3] = {0.0f, 0.0f, 0.0f};
		if (id[p] == ID_REMOVED)
			continue;
		for (int c = 0; c < DIM; c++) {
			x[c] = position[c * stride + p];
			v[c] = velocity[c * stride + p];
		}
		runge_kutta(g, u_face, order, dt, x, moved);
		const int result = collide_moving(g, &movers, id[p], salt, x, moved, v);
		for (int c = 0; c < DIM; c++) {
			position[c * stride + p] = moved[c];
			velocity[c * stride + p] = v[c];
		}
		collide_count(result, scalars, id, p);
		const int reach = reach_of(g, x, position, id, stride, p);
		furthest = reach > furthest ? reach : furthest;
	}
	if (furthest > 0)
		atomic_max(scalars + SCALAR_DRIFT_REACH, (uint)furthest);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* As solids_leave_grid(), among solids that move: position[p] as far from origin[order[p]], the true
 * place at the start, as it is from where that stood on the grid.  Work-items stride through the
 * particles. */
kernel void particles_leave_grid_moving(const struct grid g, global const float *origin,
					global const uint *order, uint salt,
					global float *position, global float *velocity,
					global uint *id, int stride, int n,
					global const struct shape_op *ops, int op_count,
					global const float *points, global const float *solid_phi,
					global const uint *solid_slip, int solid_count,
					int rest_count, global const float *mover, float most,
					global uint *scalars)
{
	const struct solids_shape shape = {ops, op_count, points};
	const struct collide_movers movers = {
		{ops, op_count, points, solid_phi, solid_slip, solid_count}, rest_count, mover, most};
	for (int p = (int)get_global_id(0); p < n; p += (int)get_global_size(0)) {
		float x[3] = {0.0f, 0.0f, 0.0f}, from[3], moved[3] = {0.0f, 0.0f, 0.0f},
		      v[3] = {0.0f, 0.0f, 0.0f};
		if (id[p] == ID_REMOVED)
			continue;
		for (int a = 0; a < DIM; a++)
			x[a] = origin[a * stride + (int)order[p]];
		if (collide_is_far(g, solid_phi, x, SOLIDS_STRETCHED * g.h) ||
		    !solids_stretch(g, &shape, solid_phi, x, from))
			continue;
		for (int a = 0; a < DIM; a++) {
			moved[a] = x[a] + (position[a * stride + p] - from[a]);
			v[a] = velocity[a * stride + p];
		}
		/* What flows out has left on the grid; the rest of the way may be a correction. */
		collide_stay_inside(g, x, moved);
		const int result = collide_moving(g, &movers, id[p], salt, x, moved, v);
		for (int a = 0; a < DIM; a++) {
			position[a * stride + p] = moved[a];
			velocity[a * stride + p] = v[a];
		}
		collide_count(result, scalars, id, p);
	}
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
