/*
 * Velocities without convergence, and places without excess of density, by conjugate gradients:
 *
 *   find k >= 0 with A k = b where k > 0,  A k = -D(a),  a_i = -sum V (k_i + k_j) grad W_ij,
 *   D(u)_i = sum V (u_i - u_j) . grad W_ij
 *
 * A is symmetric, and A k > 0 where k pushes particles apart (Cornelis et al. 2019; the operator of
 * Bender & Koschier 2015).  k = p dt^2/rho in m^2, a in m, b and r without unit.  The
 * preconditioner is the diagonal where a particle is active, 0 elsewhere.
 *
 * Kernels that sum: a group for each chunk of PAIRS_CHUNK particles; lane: PAIRS_FINAL_LANES pairs.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "sph_end.h"
#include "sph_pairs.h"

/* Goes through the particles of this group's chunk, w: lane, i: particle. */
#define SPH_CHUNK(w, i, row)                                                                \
	for (int row = 0; row < CHUNK_ROWS; row++)                                          \
		CG_LANES(w)                                                                 \
	for (int i = ((int)get_group_id(0) * CHUNK_ROWS + row) * PAIRS_LANES + w, once = 1; \
	     once && i < p.n; once = 0)

/* Most of an excess of density that is taken out at once. */
#define SPH_MOST_EXCESS 0.1f

/*
 * b, and k = scale * pressure to begin with.  shift 0: b = dt D(v) + min(s - slack, 0), so that
 * what is not full may close up. shift 1: b = share (s - 1) where that is positive, else s - 1 + dt
 * D(v).
 */
kernel void sph_source(const struct grid g, const struct sph_params p, int shift, float dt,
		       float slack, float share, float scale, global const float *position,
		       global const float *velocity, global const uint *start,
		       global const uint *count, global const uint *list,
		       global const float *gradient, global const float *density,
		       global const float *pressure, global float *b, global float *k,
		       global struct pair *partial, const struct sph_end end, global uint *meeting,
		       local float *lane, global const uint *state, global uint *next)
{
	const struct sph_view v = {position, start, count, list, gradient};
	cg_clear_lanes(SPH_LANE(lane, 0));
	cg_clear_lanes(SPH_LANE(lane, 1));
	SPH_CHUNK(w, i, row)
	{
		const float change = dt * sph_divergence(g, p, v, velocity, i);
		const float off = density[i] - (shift ? 1.0f : slack);
		float value = change + (off < 0.0f ? off : 0.0f);
		if (shift && off > 0.0f)
			value = off * share;
		if (shift)
			value = min_float(value, SPH_MOST_EXCESS);
		b[i] = value;
		k[i] = sph_flush(max_float(scale * pressure[i], 0.0f));
		const float above = max_float(value, 0.0f);
		cg_add_to_lane(SPH_LANE(lane, 0), w, above, above);
	}
	sph_end_sums(end, 0, partial, meeting, lane, state, next);
}

/* a of k.  One work-item per particle. */
kernel void sph_accelerate(const struct grid g, const struct sph_params p,
			   global const float *position, global const uint *start,
			   global const uint *count, global const uint *list,
			   global const float *gradient, global const float *k, global float *a)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n)
		return;
	const struct sph_view v = {position, start, count, list, gradient};
	struct sph_cursor c = sph_begin(g, p, v, i, (int)count[i]);
	struct sph_pair pair = sph_no_pair();
	const float own = k[i];
	float sum[3] = {0.0f, 0.0f, 0.0f};
	while (sph_next(g, p, v, &c, &pair)) {
		const float push = sph_pair_gradient(p, v, &c, &pair) * (own + k[pair.other]);
		for (int axis = 0; axis < DIM; axis++)
			sum[axis] -= push * pair.apart[axis];
	}
	for (int axis = 0; axis < DIM; axis++)
		a[axis * p.stride + i] = sph_flush(sum[axis]);
}

/*
 * Begins a round: r = b - A k (from_zero: k = 0), who is active, no direction before.  Active: k >
 * 0 or r > -lowest rms(b where it is positive); tension: all that have a diagonal.
 */
kernel void sph_round(const struct grid g, const struct sph_params p, int from_zero, int tension,
		      float lowest, global const float *position, global const uint *start,
		      global const uint *count, global const uint *list,
		      global const float *gradient, global const float *diagonal,
		      global const float *b, global const float *k, global const float *a,
		      global float *r, global float *active, global float *direction,
		      global struct pair *partial, const struct sph_end end, global uint *meeting,
		      local float *lane, global const uint *state, global uint *next)
{
	const struct sph_view v = {position, start, count, list, gradient};
	const float bound = -lowest * sqrt(as_float(state[SPH_SOURCE]) / (float)end.n);
	cg_clear_lanes(SPH_LANE(lane, 0));
	cg_clear_lanes(SPH_LANE(lane, 1));
	SPH_CHUNK(w, i, row)
	{
		float rest = b[i];
		if (!from_zero)
			rest += sph_divergence(g, p, v, a, i);
		const int is_active =
			diagonal[i] > 0.0f && (tension || k[i] > 0.0f || rest > bound);
		const float m = is_active ? diagonal[i] : 0.0f;
		rest = is_active ? rest : 0.0f;
		r[i] = rest;
		active[i] = m;
		direction[i] = 0.0f;
		cg_add_to_lane(SPH_LANE(lane, 0), w, rest, rest);
		cg_add_to_lane(SPH_LANE(lane, 1), w, rest, m * rest);
	}
	sph_end_sums(end, 0, partial, meeting, lane, state, next);
}

/* direction = z + beta times that before, z = active r, and a of it.  One work-item per particle.
 */
kernel void sph_turn(const struct grid g, const struct sph_params p, global const float *position,
		     global const uint *start, global const uint *count, global const uint *list,
		     global const float *gradient, global const float *r,
		     global const float *active, global const float *before,
		     global float *direction, global float *a, global const uint *state)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n || state[SPH_DONE])
		return;
	const struct sph_view v = {position, start, count, list, gradient};
	const float beta = as_float(state[SPH_BETA]);
	struct sph_cursor c = sph_begin(g, p, v, i, (int)count[i]);
	struct sph_pair pair = sph_no_pair();
	const float own = active[i] * r[i] + beta * before[i];
	float sum[3] = {0.0f, 0.0f, 0.0f};
	while (sph_next(g, p, v, &c, &pair)) {
		const int j = pair.other;
		const float there = active[j] * r[j] + beta * before[j];
		const float push = sph_pair_gradient(p, v, &c, &pair) * (own + there);
		for (int axis = 0; axis < DIM; axis++)
			sum[axis] -= push * pair.apart[axis];
	}
	direction[i] = sph_flush(own);
	for (int axis = 0; axis < DIM; axis++)
		a[axis * p.stride + i] = sph_flush(sum[axis]);
}

/* product = A direction, of which a is made, where particles are active; direction . product. */
kernel void sph_product(const struct grid g, const struct sph_params p,
			global const float *position, global const uint *start,
			global const uint *count, global const uint *list,
			global const float *gradient, global const float *a,
			global const float *active, global const float *direction,
			global float *product, global struct pair *partial,
			const struct sph_end end, global uint *meeting, local float *lane,
			global const uint *state, global uint *next)
{
	const struct sph_view v = {position, start, count, list, gradient};
	/* No return before a barrier. */
	const int idle = state[SPH_DONE] != 0;
	cg_clear_lanes(SPH_LANE(lane, 0));
	cg_clear_lanes(SPH_LANE(lane, 1));
	SPH_CHUNK(w, i, row)
	{
		float value = 0.0f;
		if (!idle && active[i] > 0.0f)
			value = -sph_divergence(g, p, v, a, i);
		if (!idle)
			product[i] = value;
		cg_add_to_lane(SPH_LANE(lane, 0), w, value, direction[i]);
	}
	sph_end_sums(end, idle, partial, meeting, lane, state, next);
}

/* k += alpha direction, r -= alpha product; r . r, r . z. */
kernel void sph_update(const struct sph_params p, global const float *direction,
		       global const float *product, global const float *active, global float *k,
		       global float *r, global struct pair *partial, const struct sph_end end,
		       global uint *meeting, local float *lane, global const uint *state,
		       global uint *next)
{
	const int idle = state[SPH_DONE] != 0;
	const float alpha = as_float(state[SPH_ALPHA]);
	cg_clear_lanes(SPH_LANE(lane, 0));
	cg_clear_lanes(SPH_LANE(lane, 1));
	SPH_CHUNK(w, i, row)
	{
		if (idle)
			continue;
		const float rest = r[i] - alpha * product[i];
		k[i] = sph_flush(k[i] + sph_flush(alpha * direction[i]));
		r[i] = rest;
		cg_add_to_lane(SPH_LANE(lane, 0), w, rest, rest);
		cg_add_to_lane(SPH_LANE(lane, 1), w, rest, active[i] * rest);
	}
	sph_end_sums(end, idle, partial, meeting, lane, state, next);
}

/* Nothing pulls.  One work-item per particle. */
kernel void sph_clamp(const struct sph_params p, global float *k)
{
	const int i = (int)get_global_id(0);
	if (i < p.n)
		k[i] = max_float(k[i], 0.0f);
}

/* v += rate a, pressure = scale k.  One work-item per particle. */
kernel void sph_accept(const struct sph_params p, float rate, float scale, global const float *a,
		       global const float *k, global float *velocity, global float *pressure)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n)
		return;
	for (int axis = 0; axis < DIM; axis++)
		velocity[axis * p.stride + i] += sph_flush(rate * a[axis * p.stride + i]);
	pressure[i] = sph_flush(scale * k[i]);
}
