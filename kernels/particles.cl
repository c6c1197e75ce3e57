/*
 * Particles: counting sort into canonical order, bounds, advection, collision.
 * Arrays are component-major: position[c*stride + p].
 */
#include "collide_count.h"
#include "common.h"
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

/* rank[p] = how many came before to p's key, in no particular order; counts[key] their number.
 * Removed particles go to key g.keys.  One work-item per particle. */
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
}

/* order[start[key] + rank] = p.  One work-item per particle. */
kernel void particles_place(const struct grid g, global const float *position,
			    global const uint *id, int stride, int n, global const uint *start,
			    global const uint *rank, global uint *order)
{
	int p = (int)get_global_id(0);
	int cell[3];
	if (p >= n)
		return;
	int key = id[p] == ID_REMOVED ? g.keys : particles_cell(g, position, stride, p, cell);
	order[start[key] + rank[p]] = (uint)p;
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

/* Sorts each cell's particles by id, which makes the order canonical: by insertion, or by heap
 * sort where a cell is crowded.  One work-item per key. */
kernel void particles_canonical(const struct grid g, global const uint *id,
				global const uint *start, global uint *order)
{
	int key = (int)get_global_id(0);
	if (key >= g.keys)
		return;
	uint from = start[key], to = start[key + 1];
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

/* Copies one particle's floats into its sorted place.  order may be id_out: element q is read
 * before it is written.  One work-item per particle. */
kernel void particles_permute(global const uint *order, int n, int stride,
			      global const float *position, global const float *velocity,
			      global const uint *id, global float *position_out,
			      global float *velocity_out, global uint *id_out)
{
	int q = (int)get_global_id(0);
	if (q >= n)
		return;
	int p = (int)order[q];
	for (int c = 0; c < DIM; c++) {
		position_out[c * stride + q] = position[c * stride + p];
		velocity_out[c * stride + q] = velocity[c * stride + p];
	}
	id_out[q] = id[p];
}

/* The same for APIC's affine matrices. */
kernel void particles_permute_affine(global const uint *order, int n, int stride,
				     global const float *affine, global float *affine_out)
{
	int q = (int)get_global_id(0);
	if (q >= n)
		return;
	int p = (int)order[q];
	for (int c = 0; c < DIM * DIM; c++)
		affine_out[c * stride + q] = affine[c * stride + p];
}

/*
 * Maxima that scale the splats and the time step: max_c(|v_c| + h sum_j |C_cj|) and |v|^2; and a
 * flag for anything that is not finite.  Maxima do not depend on order.  Work-items stride
 * through the particles.
 */
kernel void particles_bounds(const struct grid g, global const float *position,
			     global const float *velocity, global const float *affine,
			     int has_affine, int stride, int n, global uint *scalars)
{
	int items = (int)get_global_size(0);
	float bound = 0.0f, speed = 0.0f;
	uint bad = 0;
	for (int p = (int)get_global_id(0); p < n; p += items) {
		float square = 0.0f;
		for (int c = 0; c < DIM; c++) {
			float v = velocity[c * stride + p];
			float x = position[c * stride + p];
			float reach = fabs(v);
			if (has_affine)
				for (int j = 0; j < DIM; j++)
					reach += g.h * fabs(affine[(c * DIM + j) * stride + p]);
			bad |= !(reach < 1e18f) || !(fabs(x) < 1e18f);
			square += v * v;
			bound = max_float(bound, reach);
		}
		speed = max_float(speed, square);
	}
	if (bad)
		atomic_max(scalars + SCALAR_NON_FINITE, 1u);
	atomic_max(scalars + SCALAR_SPEED_BOUND, as_uint(bound));
	atomic_max(scalars + SCALAR_PARTICLE_SPEED, as_uint(speed));
}

/* Most and fewest particles in an occupied cell.  Work-items stride through the keys. */
kernel void particles_occupancy(const struct grid g, global const uint *start, global uint *scalars)
{
	int items = (int)get_global_size(0);
	uint most = 0, fewest = 0xffffffffu;
	for (int key = (int)get_global_id(0); key < g.keys; key += items) {
		uint count = start[key + 1] - start[key];
		most = count > most ? count : most;
		fewest = count && count < fewest ? count : fewest;
	}
	atomic_max(scalars + SCALAR_MAX_PPC, most);
	atomic_min(scalars + SCALAR_MIN_PPC, fewest);
}

/*
 * x(t+dt) from dx/dt = u(x) by explicit Runge-Kutta through the grid velocity (field B), then
 * swept collision.  order 1: Euler; 2: midpoint; 3: Ralston (2/9, 3/9, 4/9); 4: classical.
 * One work-item per particle; each touches its own particle only.
 */
kernel void particles_advect(const struct grid g, global const float *u_face, int order, float dt,
			     uint salt, global float *position, global float *velocity,
			     global uint *id, int stride, int n, global const struct shape_op *ops,
			     int op_count, global const float *points,
			     global const float *solid_phi, global const uint *solids,
			     int solid_count, global uint *scalars)
{
	int p = (int)get_global_id(0);
	if (p >= n || id[p] == ID_REMOVED)
		return;
	float x[3] = {0.0f, 0.0f, 0.0f}, v[3] = {0.0f, 0.0f, 0.0f};
	for (int c = 0; c < DIM; c++) {
		x[c] = position[c * stride + p];
		v[c] = velocity[c * stride + p];
	}
	float k1[3], k2[3], k3[3], k4[3], at[3] = {0.0f, 0.0f, 0.0f};
	float moved[3] = {0.0f, 0.0f, 0.0f};
	sample_velocity(g, u_face, x, k1);
	if (order == 1) {
		for (int c = 0; c < DIM; c++)
			moved[c] = x[c] + dt * k1[c];
	} else if (order == 2) {
		for (int c = 0; c < DIM; c++)
			at[c] = x[c] + 0.5f * dt * k1[c];
		sample_velocity(g, u_face, at, k2);
		for (int c = 0; c < DIM; c++)
			moved[c] = x[c] + dt * k2[c];
	} else if (order == 3) {
		for (int c = 0; c < DIM; c++)
			at[c] = x[c] + 0.5f * dt * k1[c];
		sample_velocity(g, u_face, at, k2);
		for (int c = 0; c < DIM; c++)
			at[c] = x[c] + 0.75f * dt * k2[c];
		sample_velocity(g, u_face, at, k3);
		for (int c = 0; c < DIM; c++)
			moved[c] = x[c] + dt / 9.0f * (2.0f * k1[c] + 3.0f * k2[c] + 4.0f * k3[c]);
	} else {
		for (int c = 0; c < DIM; c++)
			at[c] = x[c] + 0.5f * dt * k1[c];
		sample_velocity(g, u_face, at, k2);
		for (int c = 0; c < DIM; c++)
			at[c] = x[c] + 0.5f * dt * k2[c];
		sample_velocity(g, u_face, at, k3);
		for (int c = 0; c < DIM; c++)
			at[c] = x[c] + dt * k3[c];
		sample_velocity(g, u_face, at, k4);
		for (int c = 0; c < DIM; c++)
			moved[c] = x[c] + dt / 6.0f * (k1[c] + 2.0f * k2[c] + 2.0f * k3[c] + k4[c]);
	}
	int result = collide(g, ops, op_count, points, solid_phi, solids, solid_count, id[p], salt,
			     x, moved, v);
	for (int c = 0; c < DIM; c++) {
		position[c * stride + p] = moved[c];
		velocity[c * stride + p] = v[c];
	}
	collide_count(result, scalars, id, p);
}
