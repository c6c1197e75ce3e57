/* Sums of several numbers by the lanes of a group (cg_lanes.h): [number][2][PAIRS_LANES] words of
 * `lane`, high and low. */
#ifndef FRESHET_COUPLING_LANES_H
#define FRESHET_COUPLING_LANES_H

#include "cg_lanes.h"
#include "pairs.h"

/* Lane w's sums of so many numbers. */
ALWAYS_INLINE void coupling_put(local float *lane, int w, int numbers, const float *high,
				const float *low)
{
	for (int n = 0; n < numbers; ++n) {
		lane[2 * n * PAIRS_LANES + w] = high[n];
		lane[(2 * n + 1) * PAIRS_LANES + w] = low[n];
	}
}

/* Number n of all lanes, once they have met. */
ALWAYS_INLINE struct pair coupling_total(local const float *lane, int n)
{
	float high[PAIRS_LANES], low[PAIRS_LANES];
	for (int t = 0; t < PAIRS_LANES; ++t) {
		high[t] = lane[2 * n * PAIRS_LANES + t];
		low[t] = lane[(2 * n + 1) * PAIRS_LANES + t];
	}
	return pairs_fold(high, low);
}

#endif
