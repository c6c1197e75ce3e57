/*
 * Particles: counting sort into canonical order, bounds, advection, collision.
 * Arrays are component-major: position[c*stride + p].
 */
#pragma OPENCL FP_CONTRACT OFF

#include "collide_count.h"
#include "collide_lanes.h"
#include "common.h"
#include "loop_guard.h"
#include "reach.h"
#include "runge_kutta.h"
#include "sample.h"

/* Cell of a position; a position outside the box counts to the nearest cell. */
int particles_cell(const struct grid g, global const float *position, int stride, int p,
		   int cell[3])
{
	cell[0] = clamp_int(floor_int(position[p] * g.inv_h), 0, g.nx - 1);
	cell[1] = clamp_int(floor_int(position[stride + p] * g.inv_h), 0, g.ny - 1);
#if DIM == 3
	cell[2] = clamp_int(floor_int(position[2 * stride + p] * g.inv_h), 0, g.nz - 1);
#else
	cell[2] = 0;
#endif
	return block_key(g, cell[0], cell[1], cell[2]);
}

/* rank[p] = how many came before to p's key, in no particular order, rank[stride + p] = the key;
 * counts[key] their number.  Removed particles go to key g.keys.  One work-item per particle. */
kernel void particles_count(const struct grid g, global const float *position,
			    global const uint *id, int stride, int n, global uint *counts,
			    global uint *rank)
{
	int p = (int)get_global_id(0);
	int cell[3];
	if (p >= n)
		return;
	int key = id[p] == ID_REMOVED ? g.keys : particles_cell(g, position, stride, p, cell);
	rank[p] = atomic_inc(counts + key);
	rank[stride + p] = (uint)key;
}

/* order[start[key] + rank] = p.  One work-item per particle. */
kernel void particles_place(int stride, int n, global const uint *start, global const uint *rank,
			    global uint *order)
{
	int p = (int)get_global_id(0);
	if (p < n)
		order[start[rank[stride + p]] + rank[p]] = (uint)p;
}

/* Restores heap order of ids below `root` among order[from .. from+count). */
void particles_sift(global uint *order, global const uint *id, uint from, uint root, uint count)
{
	for (;;) {
		uint child = 2 * root + 1;
		if (child >= count)
			return;
		if (child + 1 < count && id[order[from + child]] < id[order[from + child + 1]])
			child++;
		uint above = order[from + root], below = order[from + child];
		if (id[above] >= id[below])
			return;
		order[from + root] = below;
		order[from + child] = above;
		root = child;
	}
}

/* Sorts the particles of a cell, order[from .. to), by id, which makes the order canonical: by
 * insertion, or by heap sort where a cell is crowded. */
void particles_sort_cell(global const uint *id, uint from, uint to, global uint *order)
{
	uint count = to - from;
	if (count < 2)
		return;
	if (count > 64) {
		for (uint root = count / 2; root-- > 0;)
			particles_sift(order, id, from, root, count);
		for (uint end = count - 1; end > 0; end--) {
			uint top = order[from];
			order[from] = order[from + end];
			order[from + end] = top;
			particles_sift(order, id, from, 0, end);
		}
		return;
	}
	for (uint a = from + 1; a < to; a++) {
		uint moving = order[a], moving_id = id[moving];
		uint b = a;
		while (b > from && id[order[b - 1]] > moving_id) {
			order[b] = order[b - 1];
			b--;
		}
		order[b] = moving;
	}
}

/* One work-item per key. */
kernel void particles_canonical(const struct grid g, global const uint *id,
				global const uint *start, global uint *order)
{
	int key = (int)get_global_id(0);
	if (key < g.keys)
		particles_sort_cell(id, start[key], start[key + 1], order);
}

/* The same, with the most and fewest particles in an occupied cell, and how many there are.
 * Work-items stride through the keys. */
kernel void particles_order(const struct grid g, global const uint *id, global const uint *start,
			    global uint *order, global uint *scalars)
{
	int items = (int)get_global_size(0);
	uint most = 0, fewest = 0xffffffffu;
	for (int key = (int)get_global_id(0); key < g.keys; key += items) {
		uint from = start[key], to = start[key + 1], count = to - from;
		most = count > most ? count : most;
		fewest = count && count < fewest ? count : fewest;
		particles_sort_cell(id, from, to, order);
	}
	atomic_max(scalars + SCALAR_MAX_PPC, most);
	atomic_max(scalars + SCALAR_FEWEST_PPC, ~fewest);
	if (get_global_id(0) == 0)
		scalars[SCALAR_SORTED] = start[g.keys];
}

/* Copies one particle's floats into its sorted place q.  order may be id_out: element q is read
 * before it is written. */
ALWAYS_INLINE void particles_place_at(global const uint *order, int q, int stride,
				      global const float *position, global const float *velocity,
				      global const uint *id, global float *position_out,
				      global float *velocity_out, global uint *id_out)
{
	int p = (int)order[q];
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		position_out[c * stride + q] = position[c * stride + p];
		velocity_out[c * stride + q] = velocity[c * stride + p];
	}
	id_out[q] = id[p];
}

/* One work-item per particle. */
kernel void particles_permute(global const uint *order, int n, int stride,
			      global const float *position, global const float *velocity,
			      global const uint *id, global float *position_out,
			      global float *velocity_out, global uint *id_out)
{
	int q = (int)get_global_id(0);
	if (q < n)
		particles_place_at(order, q, stride, position, velocity, id, position_out,
				   velocity_out, id_out);
}

/* The same for `columns` floats of each particle.  One work-item per particle and column. */
kernel void particles_permute_columns(global const uint *order, int n, int stride, int columns,
				      global const float *values, global float *values_out)
{
	int q = (int)get_global_id(0), c = (int)get_global_id(1);
	if (q < n && c < columns)
		values_out[c * stride + q] = values[c * stride + (int)order[q]];
}

/*
 * Maxima that scale the splats and the time step: max_c(|v_c| + h sum_j |C_cj|) and |v|^2; and a
 * flag for anything that is not finite.  Maxima do not depend on order; they are taken over the
 * bits of non-negative floats, which are in the same order
 * (docs/portability.md#kernels-that-become-vectors).
 */
ALWAYS_INLINE void particles_bound(const struct grid g, global const float *position,
				   global const float *velocity, global const float *affine,
				   int has_affine, int stride, int p, uint *bound, uint *speed,
				   uint *bad)
{
	float square = 0.0f;
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		float v = velocity[c * stride + p];
		float x = position[c * stride + p];
		float reach = fabs(v);
		if (has_affine) {
#pragma unroll
			for (int j = 0; j < DIM; j++)
				reach += g.h * fabs(affine[(c * DIM + j) * stride + p]);
		}
		*bad |= !(reach < HUGE_FROM) || !(fabs(x) < HUGE_FROM);
		square += v * v;
		*bound = max(*bound, as_uint(reach));
	}
	*speed = max(*speed, as_uint(square));
}

/*
 * The last pass of the sort: particles_permute() of all, and the bounds of those that are kept,
 * whose affine matrices are in their places.  A work-item takes `run` in a row, or strides through
 * them if that is 0.
 */
kernel void particles_collect(const struct grid g, global const uint *start,
			      global const uint *order, int n, int stride, int run,
			      global const float *position, global const float *velocity,
			      global const uint *id, global const float *affine_out, int has_affine,
			      global float *position_out, global float *velocity_out,
			      global uint *id_out, global uint *scalars)
{
	const int item = (int)get_global_id(0), kept = (int)start[g.keys];
	const int step = run ? 1 : (int)get_global_size(0);
	const int end = run && (item + 1) * run < n ? (item + 1) * run : n;
	uint bound = 0, speed = 0, bad = 0;
	for (int q = run ? item * run : item; q < end; q += step) {
		particles_place_at(order, q, stride, position, velocity, id, position_out,
				   velocity_out, id_out);
		if (q < kept)
			particles_bound(g, position_out, velocity_out, affine_out, has_affine,
					stride, q, &bound, &speed, &bad);
	}
	if (bad)
		atomic_max(scalars + SCALAR_NON_FINITE, NON_FINITE_PARTICLE);
	atomic_max(scalars + SCALAR_SPEED_BOUND, bound);
	atomic_max(scalars + SCALAR_PARTICLE_SPEED, speed);
}

/*
 * x(t+dt) from dx/dt = u(x) by explicit Runge-Kutta of that order through the grid velocity (field
 * B), then swept collision; and how far particles get out of their blocks.  Work-items stride
 * through the particles; each touches its own particles only.
 */
kernel void particles_advect(const struct grid g, global const float *u_face, int order, float dt,
			     uint salt, global float *position, global float *velocity,
			     global uint *id, int stride, int n, global const struct shape_op *ops,
			     int op_count, global const float *points,
			     global const float *solid_phi, global const uint *solid_slip,
			     int solid_count, global uint *scalars)
{
	const struct collide_solids solids = {ops,	 op_count,   points,
					      solid_phi, solid_slip, solid_count};
	int most = 0;
	for (int p = (int)get_global_id(0); p < n; p += (int)get_global_size(0)) {
		float x[3] = {0.0f, 0.0f, 0.0f}, moved[3] = {0.0f, 0.0f, 0.0f};
		if (id[p] == ID_REMOVED)
			continue;
		for (int c = 0; c < DIM; c++)
			x[c] = position[c * stride + p];
		runge_kutta(g, u_face, order, dt, x, moved);
		collide_move(g, &solids, salt, x, moved, position, velocity, 0, id, stride, p,
			     scalars);
		const int reach = reach_of(g, x, position, id, stride, p);
		most = reach > most ? reach : most;
	}
	if (most > 0)
		atomic_max(scalars + SCALAR_DRIFT_REACH, (uint)most);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

#ifndef FRESHET_NATIVE
/* The same by vectors of particles; two cells or more in x.  One work-item per LANES_CHUNK of them.
 */
kernel void particles_advect_lanes(const struct grid g, global const float *u_face, int order,
				   float dt, uint salt, global float *position,
				   global float *velocity, global uint *id, int stride, int n,
				   global const struct shape_op *ops, int op_count,
				   global const float *points, global const float *solid_phi,
				   global const uint *solid_slip, int solid_count,
				   global uint *scalars)
{
	const struct collide_solids solids = {ops,	 op_count,   points,
					      solid_phi, solid_slip, solid_count};
	int p = (int)get_global_id(0) * LANES_CHUNK, end = lanes_chunk_end(p, n), most = 0;
	for (; p < end; p += LANES) {
		lane_floats x[3], moved[3];
		lanes_load_points(position, stride, p, end, x);
		runge_kutta_lanes(g, u_face, order, dt, x, moved);
		collide_move_lanes(g, &solids, salt, x, moved, position, velocity, 0, id, stride, p,
				   end, scalars);
		const int reach = reach_of_lanes(g, x, position, id, stride, p, end);
		most = reach > most ? reach : most;
	}
	if (most > 0)
		atomic_max(scalars + SCALAR_DRIFT_REACH, (uint)most);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
#endif /* FRESHET_NATIVE */
