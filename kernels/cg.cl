/*
 * Preconditioned conjugate gradients and stationary iterations on level 0.
 *
 * Vectors are the compact level-0 arrays, halos included (they hold zeros), as flat arrays of n
 * elements.  x is a float pair; scalars live in `state`.  The recurrence residual of CG in single
 * precision drifts from the true one, so b - A x is recomputed in float pairs every few iterations
 * and whenever convergence is claimed; only that decides (van der Vorst & Ye 2000).
 */
#include "common.h"
#include "mg.h"
#include "mg_state.h"
#include "pairs.h"

/* Iterations between two looks at the true residual. */
#define CG_CHECK_EVERY 5

/* partial = chunk sums of a.b.  Groups of PAIRS_GROUP_CHUNKS chunks. */
kernel void cg_dot(global const float *a, global const float *b, int n, int chunks,
		   global float2 *partial, local float2 *lane, global const uint *state)
{
	/* No return before a barrier: an idle group sums nothing. */
	int end = state[MG_DONE] ? 0 : n;
	int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
	     w += (int)get_local_size(0)) {
		int start = (first + w / PAIRS_LANES) * PAIRS_CHUNK + w % PAIRS_LANES;
		float2 sum = (float2)(0.0f, 0.0f);
		for (int t = 0; t < PAIRS_CHUNK; t += PAIRS_LANES)
			if (start + t < end)
				sum = pairs_accumulate(
					sum, pairs_two_product(a[start + t], b[start + t]));
		lane[w] = sum;
	}
	pairs_store_chunks(lane, first, chunks, partial);
}

/* x += alpha s, r -= alpha q, and the chunk sums of r.r. */
kernel void cg_update(global const float *s, global const float *q, int n, int chunks,
		      global float *x, global float *x_low, global float *r, global float2 *partial,
		      local float2 *lane, global const uint *state)
{
	int end = state[MG_DONE] ? 0 : n;
	float alpha = as_float(state[MG_ALPHA]);
	int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
	     w += (int)get_local_size(0)) {
		int start = (first + w / PAIRS_LANES) * PAIRS_CHUNK + w % PAIRS_LANES;
		float2 sum = (float2)(0.0f, 0.0f);
		for (int t = 0; t < PAIRS_CHUNK; t += PAIRS_LANES) {
			int at = start + t;
			if (at >= end)
				continue;
			float2 moved = pairs_two_sum(x[at], alpha * s[at]);
			x[at] = moved.x;
			x_low[at] += moved.y;
			float left = r[at] - alpha * q[at];
			r[at] = left;
			sum = pairs_accumulate(sum, pairs_two_product(left, left));
		}
		lane[w] = sum;
	}
	pairs_store_chunks(lane, first, chunks, partial);
}

/* s = z + beta s.  One work-item per element. */
kernel void cg_direction(global const float *z, int n, global float *s, global const uint *state)
{
	int at = (int)get_global_id(0);
	if (state[MG_DONE] || at >= n)
		return;
	s[at] = state[MG_RESTART] ? z[at] : z[at] + as_float(state[MG_BETA]) * s[at];
}

/* q = A s.  Work-item per cell, both colours. */
kernel void cg_multiply(const struct mg_level l, int total, global const float *link,
			global const float *excess, global const float *s, global float *q,
			global const uint *state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_cell_both_colours(l);
	if (!c.exists)
		return;
	struct mg_row r = mg_apply(l, c, total, link, excess, s);
	q[c.at] = r.diagonal * s[c.at] - r.off;
}

/* z = weight r / diagonal: the Jacobi preconditioner. */
kernel void cg_diagonal(const struct mg_level l, int total, global const float *link,
			global const float *excess, float weight, global const float *r,
			global float *z, global const uint *state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_cell_both_colours(l);
	if (!c.exists)
		return;
	struct mg_row row = mg_apply(l, c, total, link, excess, r);
	z[c.at] = row.diagonal > 0.0f ? weight * r[c.at] / row.diagonal : 0.0f;
}

/* x += z, for stationary iterations.  One work-item per element. */
kernel void cg_correct(global const float *z, int n, global float *x, global float *x_low,
		       global const uint *state)
{
	int at = (int)get_global_id(0);
	if (state[MG_DONE] || at >= n)
		return;
	float2 moved = pairs_two_sum(x[at], z[at]);
	x[at] = moved.x;
	x_low[at] += moved.y;
}

/* acc += weight (x_to - x_from) in pairs. */
float2 cg_add_difference(float2 acc, float weight, float to, float to_low, float from,
			 float from_low)
{
	float2 d = pairs_two_sum(to, -from);
	float2 p = pairs_two_product(weight, d.x);
	p.y += weight * (d.y + (to_low - from_low));
	return pairs_add(acc, p);
}

/* r = b - A x in float pairs, when it is due or `always`.  Work-item per cell, both colours. */
kernel void cg_true_residual(const struct mg_level l, int total, global const float *link,
			     global const float *excess, global const float *b,
			     global const float *x, global const float *x_low, global float *r,
			     int always, global const uint *state)
{
	if (state[MG_DONE] || !(state[MG_CHECK] || always))
		return;
	struct mg_cell c = mg_cell_both_colours(l);
	if (!c.exists)
		return;
	float own = x[c.at], own_low = x_low[c.at];
	float2 acc = (float2)(b[c.at], 0.0f);
	int high = c.other + c.shift, low = high - 1;
	acc = cg_add_difference(acc, link[c.at], x[high], x_low[high], own, own_low);
	acc = cg_add_difference(acc, link[low], x[low], x_low[low], own, own_low);
	global const float *link_y = link + total;
	high = c.other + l.pitch;
	low = c.other - l.pitch;
	acc = cg_add_difference(acc, link_y[c.at], x[high], x_low[high], own, own_low);
	acc = cg_add_difference(acc, link_y[low], x[low], x_low[low], own, own_low);
#if DIM == 3
	global const float *link_z = link + 2 * total;
	high = c.other + l.plane;
	low = c.other - l.plane;
	acc = cg_add_difference(acc, link_z[c.at], x[high], x_low[high], own, own_low);
	acc = cg_add_difference(acc, link_z[low], x[low], x_low[low], own, own_low);
#endif
	acc = cg_add_difference(acc, excess[c.at], 0.0f, 0.0f, own, own_low);
	r[c.at] = acc.x;
}

/* Sums the partials and updates the state.  One work-group. */
kernel void cg_scalars(int what, int chunks, global const float2 *partial, float tolerance,
		       int max_iterations, local float2 *lane, global uint *state)
{
	/* Read before the barrier inside pairs_total(), written after it; no return before it. */
	int idle = what != CG_START && (state[MG_DONE] || (what == CG_CHECKED && !state[MG_CHECK]));
	float2 total = pairs_total(lane, partial, idle ? 0 : chunks);
	if (idle || get_local_id(0) != 0)
		return;
	float sum = total.x;
	if (what == CG_START) {
		state[MG_ITERATIONS] = 0;
		state[MG_CHECK] = 1;
		state[MG_RESTART] = 1;
		state[MG_STALLED] = 0;
		state[MG_SINCE_CHECK] = 0;
		state[MG_BB] = as_uint(sum);
		state[MG_RR] = as_uint(sum);
		state[MG_TRUE_RR] = as_uint(sum);
		/* Fluxes below 2^-30 m/s are rest; products of such would be denormal. */
		int rest = sum <= 0x1p-60f;
		if (rest)
			state[MG_TRUE_RR] = 0;
		state[MG_DONE] = !(sum > 0x1p-60f) || max_iterations < 1;
	} else if (what == CG_RZ) {
		float before = as_float(state[MG_RZ]);
		/* The preconditioner lost its sign to rounding: nothing left to gain.  The check
		 * of this iteration ends the solve with the true residual. */
		if (!(sum > 0.0f))
			state[MG_STALLED] = 1;
		state[MG_BETA] = as_uint(before > 0.0f ? sum / before : 0.0f);
		state[MG_RZ] = as_uint(sum);
	} else if (what == CG_SQ) {
		float alpha = as_float(state[MG_RZ]) / sum;
		if (!(sum > 0.0f) || !(alpha < 1e30f))
			state[MG_STALLED] = 1;
		if (state[MG_STALLED])
			alpha = 0.0f;
		state[MG_ALPHA] = as_uint(alpha);
	} else if (what == CG_RR) {
		uint iterations = state[MG_ITERATIONS] + 1;
		uint since = state[MG_SINCE_CHECK] + 1;
		/* As a ratio: the product of tolerance and norm could be denormal. */
		int reached = sum / as_float(state[MG_BB]) <= tolerance * tolerance;
		state[MG_ITERATIONS] = iterations;
		state[MG_SINCE_CHECK] = since;
		state[MG_RR] = as_uint(sum);
		state[MG_RESTART] = 0;
		state[MG_CHECK] = reached || since >= CG_CHECK_EVERY ||
				  iterations >= (uint)max_iterations || !(sum < 1e30f) ||
				  state[MG_STALLED];
	} else {
		int reached = sum / as_float(state[MG_BB]) <= tolerance * tolerance;
		float claimed = as_float(state[MG_RR]);
		float before = as_float(state[MG_TRUE_RR]);
		uint iterations = state[MG_ITERATIONS];
		if (what == CG_STATIONARY)
			state[MG_ITERATIONS] = ++iterations;
		/* A recurrence that has left the true residual must start afresh.  It also shows
		 * the rounding floor, when the true residual no longer falls; on its way there the
		 * residual of conjugate gradients may rise. */
		int drifted = what == CG_CHECKED && claimed < 0.25f * sum;
		int stalled =
			state[MG_STALLED] || (iterations > 0 && drifted && sum > 0.9f * before);
		state[MG_TRUE_RR] = as_uint(sum);
		state[MG_RESTART] = what == CG_STATIONARY || drifted || iterations == 0;
		state[MG_CHECK] = 0;
		state[MG_SINCE_CHECK] = 0;
		if (reached || iterations >= (uint)max_iterations || stalled || !(sum < 1e30f)) {
			state[MG_STALLED] = stalled;
			state[MG_DONE] = 1;
		}
	}
}
