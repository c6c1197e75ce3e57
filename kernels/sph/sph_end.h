/* How sums of a solve end, in the launch that makes them: as those of cg_end.h, with two sums and
 * decisions of their own. */
#ifndef FRESHET_SPH_END_H
#define FRESHET_SPH_END_H

#include "cg_end.h"
#include "cg_lanes.h"

/* Lanes of the first and of the second sum. */
#define SPH_LANE(lane, which) ((lane) + 2 * (which)*PAIRS_LANES)

/* Is |r| small enough, or beyond all numbers? */
int sph_is_through(const uint s[SPH_WORDS], float rr, const struct sph_end end)
{
	const float source = as_float(s[SPH_SOURCE]);
	return rr <= end.tolerance * end.tolerance * source ||
	       rr <= end.floor * end.floor * (float)end.n || !(rr < CG_HUGE);
}

void sph_conclude(uint s[SPH_WORDS], float first, float second, const struct sph_end end)
{
	if (end.what == SPH_SUM_SOURCE) {
		s[SPH_SOURCE] = as_uint(first);
		s[SPH_RR] = s[SPH_RZ] = s[SPH_ALPHA] = s[SPH_BETA] = 0;
		s[SPH_ITERATIONS] = 0;
		s[SPH_DONE] = 0;
	} else if (end.what == SPH_SUM_BEGIN) {
		s[SPH_RR] = as_uint(first);
		s[SPH_RZ] = as_uint(second);
		s[SPH_BETA] = 0;
		s[SPH_DONE] = (uint)(sph_is_through(s, first, end) ||
				     s[SPH_ITERATIONS] >= (uint)end.max_iterations);
	} else if (end.what == SPH_SUM_PRODUCT) {
		const float alpha = as_float(s[SPH_RZ]) / first;
		const int lost = !(first > 0.0f) || !(alpha < CG_HUGE);
		s[SPH_ALPHA] = lost ? 0u : as_uint(alpha);
		if (lost)
			s[SPH_DONE] = 1;
	} else {
		const float before = as_float(s[SPH_RZ]);
		s[SPH_ITERATIONS]++;
		s[SPH_BETA] = as_uint(before > 0.0f ? second / before : 0.0f);
		s[SPH_RR] = as_uint(first);
		s[SPH_RZ] = as_uint(second);
		if (sph_is_through(s, first, end) || !(second > 0.0f) ||
		    s[SPH_ITERATIONS] >= (uint)end.max_iterations)
			s[SPH_DONE] = 1;
	}
}

void sph_advance(const struct sph_end end, int idle, float first, float second,
		 global const uint *state, global uint *next)
{
	uint s[SPH_WORDS];
	for (int w = 0; w < SPH_WORDS; w++)
		s[w] = state[w];
	if (!idle)
		sph_conclude(s, first, second, end);
	for (int w = 0; w < SPH_WORDS; w++)
		next[w] = s[w];
}

/* Ends a launch, of whose chunk both sums lie in their lanes.  All work-items of all groups come
 * here.  meeting: groups that are through, 0 before and after; partial: pairs [2][chunks]. */
void sph_end_sums(const struct sph_end end, int idle, global struct pair *partial,
		  global uint *meeting, local float *lane, global const uint *state,
		  global uint *next)
{
	const int chunk = idle ? -1 : (int)get_group_id(0);
	cg_store_chunk(SPH_LANE(lane, 0), chunk, partial);
	cg_store_chunk(SPH_LANE(lane, 1), chunk, partial + end.chunks);
	/* Flag and lanes take the place of what has been summed up. */
	barrier(CLK_LOCAL_MEM_FENCE);
	local uint *flag = (local uint *)lane;
	if (get_local_id(0) == 0) {
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		flag[0] = !idle && atomic_inc(meeting) == (uint)get_num_groups(0) - 1u;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	const int last = (int)flag[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	const struct pair first = cg_total((local struct pair *)lane, partial, last, end.chunks);
	barrier(CLK_LOCAL_MEM_FENCE);
	const struct pair second =
		cg_total((local struct pair *)lane, partial + end.chunks, last, end.chunks);
	if (get_local_id(0) != 0)
		return;
	if (last) {
		atomic_xchg(meeting, 0u);
		sph_advance(end, 0, first.high, second.high, state, next);
	} else if (idle && get_group_id(0) == 0) {
		sph_advance(end, 1, 0.0f, 0.0f, state, next);
	}
}

#endif
