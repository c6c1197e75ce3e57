/* Advection among solids that move. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide_count.h"
#include "collide_lanes.h"
#include "collide_moving.h"
#include "common.h"
#include "loop_guard.h"
#include "reach.h"
#include "runge_kutta.h"
#include "sample.h"

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
		{ops, op_count, points, solid_phi, solid_slip, solid_count},
		rest_count,
		mover,
		most};
	int furthest = 0;
	for (int p = (int)get_global_id(0); p < n; p += (int)get_global_size(0)) {
		float x[3] = {0.0f, 0.0f, 0.0f}, moved[3] = {0.0f, 0.0f, 0.0f};
		if (id[p] == ID_REMOVED)
			continue;
		for (int c = 0; c < DIM; c++)
			x[c] = position[c * stride + p];
		runge_kutta(g, u_face, order, dt, x, moved);
		collide_move_moving(g, &movers, salt, x, moved, position, velocity, id, stride, p,
				    scalars);
		const int reach = reach_of(g, x, position, id, stride, p);
		furthest = reach > furthest ? reach : furthest;
	}
	if (furthest > 0)
		atomic_max(scalars + SCALAR_DRIFT_REACH, (uint)furthest);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

#ifndef FRESHET_NATIVE
/* The same by vectors of particles, most of which meet nothing; two cells or more in x.  One
 * work-item per LANES_CHUNK of them. */
kernel void particles_advect_moving_lanes(const struct grid g, global const float *u_face,
					  int order, float dt, uint salt, global float *position,
					  global float *velocity, global uint *id, int stride,
					  int n, global const struct shape_op *ops, int op_count,
					  global const float *points, global const float *solid_phi,
					  global const uint *solid_slip, int solid_count,
					  int rest_count, global const float *mover, float most,
					  global uint *scalars)
{
	const struct collide_movers movers = {
		{ops, op_count, points, solid_phi, solid_slip, solid_count},
		rest_count,
		mover,
		most};
	int p = (int)get_global_id(0) * LANES_CHUNK, end = lanes_chunk_end(p, n), furthest = 0;
	for (; p < end; p += LANES) {
		lane_floats x[3], moved[3];
		float from[3][LANES], to[3][LANES];
		lanes_load_points(position, stride, p, end, x);
		runge_kutta_lanes(g, u_face, order, dt, x, moved);
		const int free = p <= end - LANES && !any(lanes_load(id + p) == ID_REMOVED) &&
				 collide_free_lanes(g, &movers.all, x, moved, g.h + most);
		for (int a = 0; a < DIM; a++) {
			if (free)
				lanes_store(moved[a], position + a * stride + p);
			lanes_store(x[a], from[a]);
			lanes_store(moved[a], to[a]);
		}
		for (int l = 0; l < LANES && p + l < end && !free; l++) {
			float start[3] = {0.0f, 0.0f, 0.0f}, way[3] = {0.0f, 0.0f, 0.0f};
			if (id[p + l] == ID_REMOVED)
				continue;
			for (int a = 0; a < DIM; a++) {
				start[a] = from[a][l];
				way[a] = to[a][l];
			}
			collide_move_moving(g, &movers, salt, start, way, position, velocity, id,
					    stride, p + l, scalars);
		}
		const int reach = reach_of_lanes(g, x, position, id, stride, p, end);
		furthest = reach > furthest ? reach : furthest;
	}
	if (furthest > 0)
		atomic_max(scalars + SCALAR_DRIFT_REACH, (uint)furthest);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
#endif /* FRESHET_NATIVE */
