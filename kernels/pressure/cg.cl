/*
 * Preconditioned conjugate gradients and stationary iterations on level 0.
 *
 * Vectors are the compact level-0 arrays, halos included (they hold zeros), as flat arrays of n
 * elements, a multiple of PAIRS_CHUNK.  x is a float pair; scalars live in `state`.  The recurrence
 * residual of CG in single precision drifts from the true one, so b - A x is recomputed in float
 * pairs every few iterations and whenever convergence is claimed; only that decides.  It replaces
 * the residual while the drift is still small beside it, so that directions go on as if there were
 * none (Sleijpen & van der Vorst 1996; van der Vorst & Ye 2000).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "mg.h"
#include "mg_state.h"
#include "pairs.h"

/* Looks at the true residual: most of x, and so of the drift, comes in the first iterations; then
 * residuals fall to a thousandth from look to look, and drift is proportional to what they were. */
#define CG_FIRST_CHECK 2
#define CG_CHECK_EVERY 3
/* Squares of norms: fluxes below 2^-30 m/s are rest, as products of such would be denormal; from
 * here on a solve has diverged, while sums and products still are finite. */
#define CG_REST 0x1p-60f
#define CG_HUGE 1e30f
/* The recurrence has left the true residual where its square is less than this part of that one's:
 * by a factor of two.  A look must bring the square below this part of what it was, else rounding
 * is all that is left. */
#define CG_DRIFTED 0.25f
#define CG_GAINS 0.9f

/*
 * Sums over the elements of a listed chunk, lane by lane: high in the first PAIRS_LANES words of
 * `lane`, low in the others.  Rows without unknowns hold zeros, which change no sum.  Groups have
 * either a work-item per lane or, on CPUs, one, for which lanes become vectors.
 */
#define CG_LANES(w) for (int w = (int)get_local_id(0); w < PAIRS_LANES; w += (int)get_local_size(0))

/* Lane w += a b. */
ALWAYS_INLINE void cg_add_to_lane(local float *restrict lane, int w, float a, float b)
{
	float high = lane[w], low = lane[PAIRS_LANES + w];
	pairs_accumulate(&high, &low, a, b);
	lane[w] = high;
	lane[PAIRS_LANES + w] = low;
}

ALWAYS_INLINE void cg_clear_lanes(local float *restrict lane)
{
	CG_LANES(w)
	{
		lane[w] = 0.0f;
		lane[PAIRS_LANES + w] = 0.0f;
	}
}

/* The chunk's sum. */
ALWAYS_INLINE void cg_store_chunk(local const float *restrict lane, int chunk,
				  global struct pair *restrict partial)
{
	float high[PAIRS_LANES], low[PAIRS_LANES];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) != 0 || chunk < 0)
		return;
#pragma unroll
	for (int t = 0; t < PAIRS_LANES; t++) {
		high[t] = lane[t];
		low[t] = lane[PAIRS_LANES + t];
	}
	partial[chunk] = pairs_fold(high, low);
}

/* partial = chunk sums of a.b.  One group per listed chunk. */
kernel void cg_dot(global const int *restrict bricks, const struct brick_run run,
		   global const float *restrict a, global const float *restrict b,
		   global struct pair *restrict partial, local float *restrict lane,
		   global const uint *restrict state)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	/* No return before a barrier: an idle group sums nothing. */
	const uint rows = state[MG_DONE] ? 0u : bricks_rows(bricks, run, place);
	cg_clear_lanes(lane);
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		const int first = chunk * PAIRS_CHUNK + row * PAIRS_LANES;
		CG_LANES(w)
		cg_add_to_lane(lane, w, a[first + w], b[first + w]);
	}
	cg_store_chunk(lane, chunk, partial);
}

/* partial = chunk sums of v.v, MG_PEAK = max |v|, where a check is due or `always`.  As cg_dot(),
 * with PAIRS_LANES words more. */
kernel void cg_measure(global const int *restrict bricks, const struct brick_run run,
		       global const float *restrict v, global struct pair *restrict partial,
		       int always, local float *restrict lane, global uint *restrict state)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	const int idle = state[MG_DONE] || !(state[MG_CHECK] | (uint)always);
	const uint rows = idle ? 0u : bricks_rows(bricks, run, place);
	local uint *restrict peak = (local uint *)(lane + 2 * PAIRS_LANES);
	cg_clear_lanes(lane);
	CG_LANES(w)
	peak[w] = 0;
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		const int first = chunk * PAIRS_CHUNK + row * PAIRS_LANES;
		CG_LANES(w)
		{
			const float value = v[first + w];
			const uint bits = as_uint(fabs(value)), before = peak[w];
			peak[w] = bits > before ? bits : before;
			cg_add_to_lane(lane, w, value, value);
		}
	}
	cg_store_chunk(lane, chunk, partial);
	if (get_local_id(0) != 0 || rows == 0)
		return;
	uint most = 0;
	for (int t = 0; t < PAIRS_LANES; t++)
		most = peak[t] > most ? peak[t] : most;
	if (most > 0)
		atomic_max(state + MG_PEAK, most);
}

/* x += alpha s in a pair, r -= alpha q; partial = chunk sums of r.r then.  As cg_dot(). */
kernel void cg_update(global const int *restrict bricks, const struct brick_run run,
		      global const float *restrict s, global const float *restrict q,
		      global float *restrict x, global float *restrict x_low,
		      global float *restrict r, global struct pair *restrict partial,
		      local float *restrict lane, global const uint *restrict state)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	const uint rows = state[MG_DONE] ? 0u : bricks_rows(bricks, run, place);
	const float alpha = as_float(state[MG_ALPHA]);
	cg_clear_lanes(lane);
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		const int first = chunk * PAIRS_CHUNK + row * PAIRS_LANES;
		CG_LANES(w)
		{
			const int at = first + w;
			float step = alpha * s[at], before = x[at];
			float after = before + step, moved = after - before;
			/* The high part stays the pair rounded: velocities are made of it alone. */
			struct pair sum = pairs_two_sum(
				after, x_low[at] + ((before - (after - moved)) + (step - moved)));
			x[at] = sum.high;
			x_low[at] = sum.low;
			float residual = r[at] - alpha * q[at];
			r[at] = residual;
			cg_add_to_lane(lane, w, residual, residual);
		}
	}
	cg_store_chunk(lane, chunk, partial);
}

/* s = z + beta s.  One work-item per element of listed chunks. */
kernel void cg_direction(global const int *restrict bricks, const struct brick_run run,
			 global const float *restrict z, global float *restrict s,
			 global const uint *restrict state)
{
	int at = bricks_element(bricks, run);
	if (bricks_element_is_idle(bricks, run, state))
		return;
	s[at] = state[MG_RESTART] ? z[at] : z[at] + as_float(state[MG_BETA]) * s[at];
}

/* q = A s.  Work-item per cell, both colours. */
kernel void cg_multiply(global const int *restrict bricks, const struct brick_run run,
			const struct mg_level l, global const ushort *restrict open,
			global const float *restrict excess, global const float *restrict s,
			global float *restrict q, global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 2, state))
		return;
	struct mg_cell c = mg_listed_both(l, bricks, run);
	if (!c.stored)
		return;
	struct mg_row r = mg_apply(l, c, mg_finest_links(l, c, open), excess, s);
	q[c.at] = r.diagonal * s[c.at] - r.off;
}

/* z = weight r / diagonal: the Jacobi preconditioner. */
kernel void cg_diagonal(global const int *restrict bricks, const struct brick_run run,
			const struct mg_level l, global const ushort *restrict open,
			global const float *restrict excess, float weight,
			global const float *restrict r, global float *restrict z,
			global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 2, state))
		return;
	struct mg_cell c = mg_listed_both(l, bricks, run);
	if (!c.exists)
		return;
	struct mg_row row = mg_diagonal_row(mg_finest_links(l, c, open), excess[c.at]);
	z[c.at] = row.diagonal > 0.0f ? weight * r[c.at] / row.diagonal : 0.0f;
}

/* x += z, for stationary iterations.  One work-item per element of listed chunks. */
kernel void cg_correct(global const int *bricks, const struct brick_run run, global const float *z,
		       global float *x, global float *x_low, global const uint *state)
{
	int at = bricks_element(bricks, run);
	if (bricks_element_is_idle(bricks, run, state))
		return;
	struct pair moved = pairs_two_sum(x[at], z[at]);
	struct pair sum = pairs_two_sum(moved.high, x_low[at] + moved.low);
	x[at] = sum.high;
	x_low[at] = sum.low;
}

/* high + low += weight (x + x_low); low is not brought to normal form, which would make a chain of
 * all steps. */
ALWAYS_INLINE void cg_accumulate(float *high, float *low, float weight, float x, float x_low)
{
	pairs_accumulate(high, low, weight, x);
	*low = fma(weight, x_low, *low);
}

/* r = b - A x in float pairs, when it is due or `always`.  Work-item per cell, both colours. */
kernel void cg_true_residual(global const int *restrict bricks, const struct brick_run run,
			     const struct mg_level l, global const ushort *restrict open,
			     global const float *restrict excess, global const float *restrict b,
			     global const float *restrict x, global const float *restrict x_low,
			     global float *restrict r, int always,
			     global const uint *restrict state)
{
	/* One condition: docs/portability.md#kernels-that-become-vectors. */
	if (mg_row_is_idle(bricks, run, 2, state) | !(state[MG_CHECK] | (uint)always))
		return;
	struct mg_cell c = mg_listed_both(l, bricks, run);
	if (!c.stored)
		return;
	/* In units of links, whose sum is exact then. */
	float sum = b[c.at] * FRACTION_ONE, sum_low = 0.0f;
	int links = 0;
#pragma unroll
	for (int d = 0; d < 2 * DIM; d++) {
		int a = d >> 1, step = a == 1 ? l.pitch : l.plane;
		long to = a == 0  ? c.other + c.shift - 1 + d
			  : d & 1 ? c.other + step
				  : c.other - step;
		int link = open[2 * l.colour_stride * a + (d & 1 ? c.at : to)];
		cg_accumulate(&sum, &sum_low, (float)link, x[to], x_low[to]);
		links += link;
	}
	float own = x[c.at], own_low = x_low[c.at];
	cg_accumulate(&sum, &sum_low, -(float)links, own, own_low);
	cg_accumulate(&sum, &sum_low, -FRACTION_ONE * excess[c.at], own, own_low);
	r[c.at] = (sum + sum_low) * (1.0f / FRACTION_ONE);
}

/* Sums the partials and updates the state.  One work-group. */
kernel void cg_scalars(int what, int chunks, global const struct pair *partial, float tolerance,
		       int max_iterations, local struct pair *lane, global uint *state)
{
	/* Read before the barrier inside pairs_total(), written after it; no return before it. */
	int idle = what != CG_START && (state[MG_DONE] || (what == CG_CHECKED && !state[MG_CHECK]));
	struct pair total = pairs_total(lane, partial, idle ? 0 : chunks);
	if (idle || get_local_id(0) != 0)
		return;
	float sum = total.high;
	if (what == CG_START) {
		state[MG_ITERATIONS] = 0;
		state[MG_CHECK] = 1;
		state[MG_RESTART] = 1;
		state[MG_STALLED] = 0;
		state[MG_SINCE_CHECK] = 0;
		state[MG_BB] = as_uint(sum);
		state[MG_RR] = as_uint(sum);
		state[MG_TRUE_RR] = as_uint(sum);
		state[MG_PEAK_B] = state[MG_PEAK];
		state[MG_PEAK] = 0;
		int rest = sum <= CG_REST;
		if (rest)
			state[MG_TRUE_RR] = 0;
		state[MG_REACHED] = (uint)rest;
		state[MG_DONE] = !(sum > CG_REST) || max_iterations < 1;
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
		if (!(sum > 0.0f) || !(alpha < CG_HUGE))
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
				  iterations >= (uint)max_iterations || !(sum < CG_HUGE) ||
				  state[MG_STALLED];
	} else {
		float peak = as_float(state[MG_PEAK]) / as_float(state[MG_PEAK_B]);
		int reached = sum / as_float(state[MG_BB]) <= tolerance * tolerance &&
			      peak <= (float)RESIDUAL_PEAK * tolerance;
		float claimed = as_float(state[MG_RR]);
		float before = as_float(state[MG_TRUE_RR]);
		uint iterations = state[MG_ITERATIONS];
		if (what == CG_STATIONARY)
			state[MG_ITERATIONS] = ++iterations;
		/* A recurrence that has left the true residual must start afresh.  It also shows
		 * the rounding floor, when the true residual no longer falls; on its way there the
		 * residual of conjugate gradients may rise. */
		int drifted = what == CG_CHECKED && claimed < CG_DRIFTED * sum;
		int stalled =
			state[MG_STALLED] || (iterations > 0 && drifted && sum > CG_GAINS * before);
		state[MG_TRUE_RR] = as_uint(sum);
		state[MG_REACHED] = (uint)reached;
		state[MG_RESTART] = what == CG_STATIONARY || drifted || iterations == 0;
		state[MG_CHECK] = 0;
		state[MG_PEAK] = 0;
		state[MG_SINCE_CHECK] = iterations > 0 ? 0 : CG_CHECK_EVERY - CG_FIRST_CHECK;
		if (reached || iterations >= (uint)max_iterations || stalled || !(sum < CG_HUGE)) {
			state[MG_STALLED] = stalled;
			state[MG_DONE] = 1;
		}
	}
}
