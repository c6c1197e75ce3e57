/* Sums over chunks of vectors of a solve, lane by lane. */
#ifndef FRESHET_CG_LANES_H
#define FRESHET_CG_LANES_H

#include "common.h"
#include "pairs.h"

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

/* Lane w takes v, and its greatest |v|. */
ALWAYS_INLINE void cg_measure_in_lane(local float *restrict lane, int w, float v)
{
	local uint *restrict peak = (local uint *)(lane + 2 * PAIRS_LANES);
	const uint bits = as_uint(fabs(v)), before = peak[w];
	peak[w] = bits > before ? bits : before;
	cg_add_to_lane(lane, w, v, v);
}

ALWAYS_INLINE void cg_clear_measure(local float *restrict lane)
{
	local uint *restrict peak = (local uint *)(lane + 2 * PAIRS_LANES);
	cg_clear_lanes(lane);
	CG_LANES(w)
	peak[w] = 0;
}

/* The greatest |v| of all lanes; cg_store_chunk() comes before. */
ALWAYS_INLINE void cg_store_peak(local const float *restrict lane, global uint *restrict meeting)
{
	local const uint *restrict peak = (local const uint *)(lane + 2 * PAIRS_LANES);
	uint most = 0;
	if (get_local_id(0) != 0)
		return;
	for (int t = 0; t < PAIRS_LANES; t++)
		most = peak[t] > most ? peak[t] : most;
	if (most > 0)
		atomic_max(meeting + 1, most);
}

#endif
