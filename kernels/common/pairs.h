/*
 * Sums in float pairs (high + low), of a fixed shape.
 *
 * Elements are summed in chunks of 1024 in index order: 32 lanes, lane t taking elements t, t+32,
 * ...; then the lanes in halves, t and t+16, and so on; then the chunk sums likewise with 256
 * lanes.  The shape does not depend on the work-group, so the bits do not either.  In halves, since
 * a chain of 31 sums takes longer than the chunk's products.  two_sum: Knuth; two_prod: fma.
 */
#ifndef FRESHET_PAIRS_H
#define FRESHET_PAIRS_H

#include "brick_access.h"
#include "common.h"

ALWAYS_INLINE struct pair pair_of(float high, float low)
{
	struct pair p;
	p.high = high;
	p.low = low;
	return p;
}

ALWAYS_INLINE struct pair pairs_two_sum(float a, float b)
{
	float s = a + b;
	float v = s - a;
	return pair_of(s, (a - (s - v)) + (b - v));
}

ALWAYS_INLINE struct pair pairs_two_product(float a, float b)
{
	float p = a * b;
	return pair_of(p, fma(a, b, -p));
}

ALWAYS_INLINE struct pair pairs_add(struct pair a, struct pair b)
{
	struct pair s = pairs_two_sum(a.high, b.high);
	float low = s.low + (a.low + b.low);
	float high = s.high + low;
	return pair_of(high, low - (high - s.high));
}

/* Within a lane: high + low += a b, low not brought to normal form (Ogita, Rump & Oishi 2005,
 * Dot2). By pointers: docs/portability.md#kernels-that-become-vectors. */
ALWAYS_INLINE void pairs_accumulate(float *high, float *low, float a, float b)
{
	float p = a * b, error = fma(a, b, -p);
	float s = *high + p, v = s - *high;
	*low += ((*high - (s - v)) + (p - v)) + error;
	*high = s;
}

/* Sum of the lanes of one chunk, high[] and low[], which are overwritten. */
ALWAYS_INLINE struct pair pairs_fold(float *high, float *low)
{
#pragma unroll
	for (int step = PAIRS_LANES / 2; step > 0; step /= 2) {
#pragma unroll
		for (int t = 0; t < step; t++) {
			struct pair sum = pairs_add(pair_of(high[t], low[t]),
						    pair_of(high[t + step], low[t + step]));
			high[t] = sum.high;
			low[t] = sum.low;
		}
	}
	return pair_of(high[0], low[0]);
}

/* The same of lanes in local memory. */
ALWAYS_INLINE struct pair pairs_lanes(local const struct pair *lane)
{
	float high[PAIRS_LANES], low[PAIRS_LANES];
#pragma unroll
	for (int t = 0; t < PAIRS_LANES; t++) {
		high[t] = lane[t].high;
		low[t] = lane[t].low;
	}
	return pairs_fold(high, low);
}

/* Ends a chunked sum: lane[] holds the lanes of this group's `count` chunks. */
void pairs_store_chunks(local const struct pair *lane, int count, int first_chunk, int chunks,
			global struct pair *partial)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int q = (int)get_local_id(0); q < count; q += (int)get_local_size(0)) {
		if (first_chunk + q < chunks)
			partial[first_chunk + q] = pairs_lanes(lane + q * PAIRS_LANES);
	}
}

/* The same for listed chunks, from place `first` on; the others' sums are 0, and stay what the host
 * has set them to. */
void pairs_store_listed(local const struct pair *lane, int count, int first,
			global const int *bricks, const struct brick_run run,
			global struct pair *partial)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int q = (int)get_local_id(0); q < count; q += (int)get_local_size(0)) {
		int chunk = bricks_chunk(bricks, run, first + q);
		if (chunk >= 0)
			partial[chunk] = pairs_lanes(lane + q * PAIRS_LANES);
	}
}

/* Sum of partial[0..chunks); only work-item 0 of the (only) group gets it.
 * Global memory that the group has read before may be written by it after. */
struct pair pairs_total(local struct pair *lane, global const struct pair *partial, int chunks)
{
	for (int t = (int)get_local_id(0); t < PAIRS_FINAL_LANES; t += (int)get_local_size(0)) {
		struct pair sum = pair_of(0.0f, 0.0f);
		for (int c = t; c < chunks; c += PAIRS_FINAL_LANES)
			sum = pairs_add(sum, partial[c]);
		lane[t] = sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	struct pair total = pair_of(0.0f, 0.0f);
	if (get_local_id(0) == 0) {
		for (int step = PAIRS_FINAL_LANES / 2; step > 0; step /= 2)
			for (int t = 0; t < step; t++)
				lane[t] = pairs_add(lane[t], lane[t + step]);
		total = lane[0];
	}
	return total;
}

#endif
