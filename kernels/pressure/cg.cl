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
#include "cg_end.h"
#include "cg_lanes.h"
#include "common.h"
#include "mg.h"
#include "mg_state.h"
#include "pairs.h"

/* Chunk sums of a.b, and what comes of them (cg_end.h).  One group per listed chunk, one at least;
 * lane: PAIRS_FINAL_LANES pairs. */
kernel void cg_dot(global const int *restrict bricks, const struct brick_run run,
		   global const float *restrict a, global const float *restrict b,
		   global struct pair *restrict partial, const struct cg_end end,
		   global uint *restrict meeting, local float *restrict lane,
		   global const uint *restrict state, global uint *restrict next)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	/* No return before a barrier: an idle group sums nothing. */
	const int idle = cg_is_idle(end, state);
	const uint rows = idle ? 0u : bricks_rows(bricks, run, place);
	cg_clear_lanes(lane);
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		const int first = chunk * PAIRS_CHUNK + row * PAIRS_LANES;
		CG_LANES(w)
		cg_add_to_lane(lane, w, a[first + w], b[first + w]);
	}
	cg_store_chunk(lane, idle ? -1 : chunk, partial);
	cg_end(end, idle, partial, meeting, lane, state, next);
}

/* Chunk sums of v.v, max |v|, and what comes of them.  As cg_dot(). */
kernel void cg_measure(global const int *restrict bricks, const struct brick_run run,
		       global const float *restrict v, global struct pair *restrict partial,
		       const struct cg_end end, global uint *restrict meeting,
		       local float *restrict lane, global const uint *restrict state,
		       global uint *restrict next)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	const int idle = cg_is_idle(end, state);
	const uint rows = idle ? 0u : bricks_rows(bricks, run, place);
	cg_clear_measure(lane);
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		const int first = chunk * PAIRS_CHUNK + row * PAIRS_LANES;
		CG_LANES(w)
		cg_measure_in_lane(lane, w, v[first + w]);
	}
	cg_store_chunk(lane, idle ? -1 : chunk, partial);
	cg_store_peak(lane, meeting);
	cg_end(end, idle, partial, meeting, lane, state, next);
}

/* x += alpha s in a pair, r -= alpha q, at an element; r there. */
ALWAYS_INLINE float cg_step(float alpha, float s, float q, global float *restrict x,
			    global float *restrict x_low, global float *restrict r, int at)
{
	float step = alpha * s, before = x[at];
	float after = before + step, moved = after - before;
	/* The high part stays the pair rounded: velocities are made of it alone. */
	struct pair sum =
		pairs_two_sum(after, x_low[at] + ((before - (after - moved)) + (step - moved)));
	x[at] = sum.high;
	x_low[at] = sum.low;
	float residual = r[at] - alpha * q;
	r[at] = residual;
	return residual;
}

/* cg_step() at all elements; chunk sums of r.r then, and what comes of them.  As cg_dot().
 * sparse: memory costs more than a branch, which keeps lanes from becoming vectors. */
kernel void cg_update(global const int *restrict bricks, const struct brick_run run, int sparse,
		      global const float *restrict s, global const float *restrict q,
		      global float *restrict x, global float *restrict x_low,
		      global float *restrict r, global struct pair *restrict partial,
		      const struct cg_end end, global uint *restrict meeting,
		      local float *restrict lane, global const uint *restrict state,
		      global uint *restrict next)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	const int idle = state[MG_DONE] != 0;
	const uint rows = idle ? 0u : bricks_rows(bricks, run, place);
	const float alpha = as_float(state[MG_ALPHA]);
	cg_clear_lanes(lane);
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		const int first = chunk * PAIRS_CHUNK + row * PAIRS_LANES;
		if (sparse) {
			/* Where nothing is unknown nothing changes. */
			CG_LANES(w)
			{
				const float along = s[first + w], change = q[first + w];
				const float residual = along == 0.0f && change == 0.0f
							       ? r[first + w]
							       : cg_step(alpha, along, change, x,
									 x_low, r, first + w);
				cg_add_to_lane(lane, w, residual, residual);
			}
		} else {
			CG_LANES(w)
			{
				const float residual = cg_step(alpha, s[first + w], q[first + w], x,
							       x_low, r, first + w);
				cg_add_to_lane(lane, w, residual, residual);
			}
		}
	}
	cg_store_chunk(lane, idle ? -1 : chunk, partial);
	cg_end(end, idle, partial, meeting, lane, state, next);
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

/* b - A x at a cell, in float pairs. */
ALWAYS_INLINE float cg_residual_at(const struct mg_level l, const struct mg_cell c,
				   global const ushort *restrict open,
				   global const float *restrict excess,
				   global const float *restrict b, global const float *restrict x,
				   global const float *restrict x_low)
{
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
	return (sum + sum_low) * (1.0f / FRACTION_ONE);
}

/* r = b - A x, when it is due or `always`.  Work-item per cell, both colours. */
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
	if (c.stored)
		r[c.at] = cg_residual_at(l, c, open, excess, b, x, x_low);
}

/* ---- by chunks, for devices that do not mind the divisions ----------------------------------- */

/* The cell of an element of level 0; `stored` tells whether there is one. */
ALWAYS_INLINE struct mg_cell cg_cell_of(const struct mg_level l, int element)
{
	const int colour = element >= l.colour_stride,
		  of_colour = element - colour * l.colour_stride;
	const int k = of_colour / l.plane, in_plane = modulo(of_colour, l.plane);
	const int j = in_plane / l.pitch, m = modulo(in_plane, l.pitch);
	struct mg_cell c = mg_cell_at(l, colour, m - 1, j - 1, k - MG_HALO_Z);
	c.stored &= (m > 0) & (j > 0) & (k >= MG_HALO_Z);
	return c;
}

/* q = A s, chunk sums of s.q, and what comes of them: cg_multiply() and cg_dot(). */
kernel void cg_product(global const int *restrict bricks, const struct brick_run run,
		       const struct mg_level l, global const ushort *restrict open,
		       global const float *restrict excess, global const float *restrict s,
		       global float *restrict q, global struct pair *restrict partial,
		       const struct cg_end end, global uint *restrict meeting,
		       local float *restrict lane, global const uint *restrict state,
		       global uint *restrict next)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	const int idle = state[MG_DONE] != 0;
	const uint rows = idle ? 0u : bricks_rows(bricks, run, place);
	cg_clear_lanes(lane);
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		CG_LANES(w)
		{
			const struct mg_cell c =
				cg_cell_of(l, chunk * PAIRS_CHUNK + row * PAIRS_LANES + w);
			if (!c.stored)
				continue;
			const struct mg_row r =
				mg_apply(l, c, mg_finest_links(l, c, open), excess, s);
			const float own = s[c.at], value = r.diagonal * own - r.off;
			q[c.at] = value;
			cg_add_to_lane(lane, w, own, value);
		}
	}
	cg_store_chunk(lane, idle ? -1 : chunk, partial);
	cg_end(end, idle, partial, meeting, lane, state, next);
}

/* r = b - A x where due, its size, and what comes of it: cg_true_residual() and cg_measure(). */
kernel void cg_look(global const int *restrict bricks, const struct brick_run run,
		    const struct mg_level l, global const ushort *restrict open,
		    global const float *restrict excess, global const float *restrict b,
		    global const float *restrict x, global const float *restrict x_low,
		    global float *restrict r, global struct pair *restrict partial,
		    const struct cg_end end, global uint *restrict meeting,
		    local float *restrict lane, global const uint *restrict state,
		    global uint *restrict next)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	const int idle = cg_is_idle(end, state);
	const uint rows = idle ? 0u : bricks_rows(bricks, run, place);
	cg_clear_measure(lane);
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		CG_LANES(w)
		{
			const struct mg_cell c =
				cg_cell_of(l, chunk * PAIRS_CHUNK + row * PAIRS_LANES + w);
			if (!c.stored)
				continue;
			const float value = cg_residual_at(l, c, open, excess, b, x, x_low);
			r[c.at] = value;
			cg_measure_in_lane(lane, w, value);
		}
	}
	cg_store_chunk(lane, idle ? -1 : chunk, partial);
	cg_store_peak(lane, meeting);
	cg_end(end, idle, partial, meeting, lane, state, next);
}

/* ---- where a solve begins ---------------------------------------------------------------------
 */

/* Zeros what the sums of a solve need, and the vectors; and q = 0, r = b, if `from_zero`. Work-item
 * = element. */
kernel void cg_begin(int elements, int chunks, int from_zero, global const float *restrict b,
		     global float *restrict x, global float *restrict x_low,
		     global float *restrict r, global float *restrict z, global float *restrict s,
		     global struct pair *restrict partial, global uint *restrict meeting)
{
	const int at = (int)get_global_id(0);
	if (at >= elements)
		return;
	if (at < chunks)
		partial[at] = pair_of(0.0f, 0.0f);
	if (at < CG_MEETING_WORDS)
		meeting[at] = 0;
	z[at] = 0.0f;
	s[at] = 0.0f;
	r[at] = from_zero ? b[at] : 0.0f;
	if (!from_zero)
		return;
	x[at] = 0.0f;
	x_low[at] = 0.0f;
}

/* From the q that is there, unless 0 is nearer: it is where there is no flux, and may be where
 * walls let go.  Then q = 0, r = b.  Groups as of cg_dot(). */
kernel void cg_choose_start(global const int *restrict bricks, const struct brick_run run,
			    global const float *restrict b, global float *restrict x,
			    global float *restrict x_low, global float *restrict r,
			    const struct cg_end end, global const uint *restrict state,
			    global uint *restrict next)
{
	const int place = (int)get_group_id(0), chunk = bricks_chunk(bricks, run, place);
	const float rr = as_float(state[MG_TRUE_RR]), bb = as_float(state[MG_BB]);
	const int near = rr > 0.0f && rr < bb;
	const uint rows = near ? 0u : bricks_rows(bricks, run, place);
	for (int row = 0; row < CHUNK_ROWS; row++) {
		if (!(rows >> row & 1u))
			continue;
		const int first = chunk * PAIRS_CHUNK + row * PAIRS_LANES;
		CG_LANES(w)
		{
			x[first + w] = 0.0f;
			x_low[first + w] = 0.0f;
			r[first + w] = b[first + w];
		}
	}
	if (place == 0 && get_local_id(0) == 0)
		cg_advance(end, near, bb, as_float(state[MG_PEAK_B]), state, next);
}
