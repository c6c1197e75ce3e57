/*
 * How sums of conjugate gradients end, in the launch that makes them: the group that is through
 * last adds up what all have stored, and brings the state up to date.
 *
 * What groups tell each other goes through atomics, as OpenCL 1.2 promises nothing else among them:
 * sums are stored and read by atomics, and a count tells which group is the last.  Nobody reads
 * what a launch writes of the state: it reads `state` and writes `next`, and the host swaps the
 * two.
 */
#ifndef FRESHET_CG_END_H
#define FRESHET_CG_END_H

#include "common.h"
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

/* The state at the start, given b.b and max |b|. */
void cg_start(uint s[MG_STATE_WORDS], float sum, float peak, int max_iterations)
{
	const int rest = sum <= CG_REST;
	s[MG_ITERATIONS] = 0;
	s[MG_CHECK] = 1;
	s[MG_RESTART] = 1;
	s[MG_STALLED] = 0;
	s[MG_SINCE_CHECK] = 0;
	s[MG_CHANGES] = 0;
	s[MG_RZ] = 0;
	s[MG_ALPHA] = 0;
	s[MG_BETA] = 0;
	s[MG_BB] = as_uint(sum);
	s[MG_RR] = as_uint(sum);
	s[MG_TRUE_RR] = rest ? 0u : as_uint(sum);
	s[MG_PEAK_B] = as_uint(peak);
	s[MG_REACHED] = (uint)rest;
	s[MG_DONE] = !(sum > CG_REST) || max_iterations < 1;
}

/* Given the true r.r and max |r|: is this the end? */
void cg_judge(uint s[MG_STATE_WORDS], float sum, float peak, const struct cg_end end)
{
	int reached = sum / as_float(s[MG_BB]) <= end.tolerance * end.tolerance &&
		      peak / as_float(s[MG_PEAK_B]) <= (float)RESIDUAL_PEAK * end.tolerance;
	float claimed = as_float(s[MG_RR]), before = as_float(s[MG_TRUE_RR]);
	uint iterations = s[MG_ITERATIONS] + (end.what == CG_STATIONARY ? 1u : 0u);
	/* A recurrence that has left the true residual must start afresh.  It also shows the
	 * rounding floor, when the true residual no longer falls; on its way there the residual of
	 * conjugate gradients may rise. */
	int drifted = end.what == CG_CHECKED && claimed < CG_DRIFTED * sum;
	int stalled = s[MG_STALLED] || (iterations > 0 && drifted && sum > CG_GAINS * before);
	s[MG_ITERATIONS] = iterations;
	s[MG_TRUE_RR] = as_uint(sum);
	s[MG_REACHED] = (uint)reached;
	s[MG_RESTART] = end.what == CG_STATIONARY || drifted || iterations == 0;
	s[MG_CHECK] = 0;
	s[MG_SINCE_CHECK] = iterations > 0 ? 0 : CG_CHECK_EVERY - CG_FIRST_CHECK;
	if (reached || iterations >= (uint)end.max_iterations || stalled || !(sum < CG_HUGE)) {
		s[MG_STALLED] = (uint)stalled;
		s[MG_DONE] = 1;
	}
}

/* r.z: beta. */
void cg_take_rz(uint s[MG_STATE_WORDS], float sum)
{
	float before = as_float(s[MG_RZ]);
	/* The preconditioner lost its sign to rounding: nothing left to gain.  The check of this
	 * iteration ends the solve with the true residual. */
	if (!(sum > 0.0f))
		s[MG_STALLED] = 1;
	s[MG_BETA] = as_uint(before > 0.0f ? sum / before : 0.0f);
	s[MG_RZ] = as_uint(sum);
}

/* s.q: alpha. */
void cg_take_sq(uint s[MG_STATE_WORDS], float sum)
{
	float alpha = as_float(s[MG_RZ]) / sum;
	if (!(sum > 0.0f) || !(alpha < CG_HUGE))
		s[MG_STALLED] = 1;
	s[MG_ALPHA] = as_uint(s[MG_STALLED] ? 0.0f : alpha);
}

/* r.r after an update: is the true residual due? */
void cg_take_rr(uint s[MG_STATE_WORDS], float sum, const struct cg_end end)
{
	/* As a ratio: the product of tolerance and norm could be denormal. */
	int reached = sum / as_float(s[MG_BB]) <= end.tolerance * end.tolerance;
	s[MG_ITERATIONS]++;
	s[MG_SINCE_CHECK]++;
	s[MG_RR] = as_uint(sum);
	s[MG_RESTART] = 0;
	s[MG_CHECK] = reached || s[MG_SINCE_CHECK] >= CG_CHECK_EVERY ||
		      s[MG_ITERATIONS] >= (uint)end.max_iterations || !(sum < CG_HUGE) ||
		      s[MG_STALLED];
}

/* What becomes of the state. */
void cg_conclude(uint s[MG_STATE_WORDS], float sum, float peak, const struct cg_end end)
{
	if (end.what == CG_RZ)
		cg_take_rz(s, sum);
	else if (end.what == CG_SQ)
		cg_take_sq(s, sum);
	else if (end.what == CG_RR)
		cg_take_rr(s, sum, end);
	else if (end.what == CG_CHECKED || end.what == CG_STATIONARY)
		cg_judge(s, sum, peak, end);
	else
		cg_start(s, sum, peak, end.max_iterations);
	/* The residual is b. */
	if (end.what == CG_START && !s[MG_DONE])
		cg_judge(s, sum, 0.0f, end);
}

/* One work-item: next = state, concluded unless `idle`. */
void cg_advance(const struct cg_end end, int idle, float sum, float peak, global const uint *state,
		global uint *next)
{
	uint s[MG_STATE_WORDS];
	for (int w = 0; w < MG_STATE_WORDS; w++)
		s[w] = state[w];
	if (!idle)
		cg_conclude(s, sum, peak, end);
	for (int w = 0; w < MG_STATE_WORDS; w++)
		next[w] = s[w];
}

/* Does what a launch ends with ask for nothing? */
ALWAYS_INLINE int cg_is_idle(const struct cg_end end, global const uint *restrict state)
{
	if (end.what == CG_START || end.what == CG_START_LAST)
		return 0;
	return state[MG_DONE] || (end.what == CG_CHECKED && !state[MG_CHECK]);
}

/* Sum of a chunk, given its lanes: high in the first PAIRS_LANES words of `lane`, low in the
 * others.  By work-item 0. */
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
	const struct pair sum = pairs_fold(high, low);
	volatile global uint *words = (volatile global uint *)(partial + chunk);
	atomic_xchg(words, as_uint(sum.high));
	atomic_xchg(words + 1, as_uint(sum.low));
}

/* pairs_total() of what groups of this launch have stored; of nothing unless `last`. */
struct pair cg_total(local struct pair *lane, global struct pair *partial, int last, int chunks)
{
	volatile global uint *words = (volatile global uint *)partial;
	const int lanes = last ? PAIRS_FINAL_LANES : 0;
	for (int t = (int)get_local_id(0); t < lanes; t += (int)get_local_size(0)) {
		struct pair sum = pair_of(0.0f, 0.0f);
		for (int c = t; c < chunks; c += PAIRS_FINAL_LANES) {
			const uint high = atomic_or(words + 2 * c, 0u);
			const uint low = atomic_or(words + 2 * c + 1, 0u);
			sum = pairs_add(sum, pair_of(as_float(high), as_float(low)));
		}
		lane[t] = sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) != 0 || !last)
		return pair_of(0.0f, 0.0f);
	for (int step = PAIRS_FINAL_LANES / 2; step > 0; step /= 2)
		for (int t = 0; t < step; t++)
			lane[t] = pairs_add(lane[t], lane[t + step]);
	return lane[0];
}

/*
 * Ends a launch that has stored the sums of its chunks.  All work-items of all groups come here,
 * having read what they need of `state`.  meeting: groups that are through, and the greatest |v|,
 * by atomic_max(); both 0 before and after.  `lane` holds PAIRS_FINAL_LANES pairs.
 */
void cg_end(const struct cg_end end, int idle, global struct pair *partial, global uint *meeting,
	    local float *lane, global const uint *state, global uint *next)
{
	local uint *flag = (local uint *)lane;
	const int nothing = idle | (end.what == CG_NONE);
	if (get_local_id(0) == 0) {
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		flag[0] = !nothing && atomic_inc(meeting) == (uint)get_num_groups(0) - 1u;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	const int last = (int)flag[0];
	/* Lanes take its place. */
	barrier(CLK_LOCAL_MEM_FENCE);
	const struct pair total = cg_total((local struct pair *)lane, partial, last, end.chunks);
	if (get_local_id(0) != 0)
		return;
	if (last) {
		const uint peak = atomic_xchg(meeting + 1, 0u);
		atomic_xchg(meeting, 0u);
		cg_advance(end, 0, total.high, as_float(peak), state, next);
	} else if (idle && end.what != CG_NONE && get_group_id(0) == 0) {
		cg_advance(end, 1, 0.0f, 0.0f, state, next);
	}
}

#endif
