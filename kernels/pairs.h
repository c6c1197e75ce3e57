/*
 * Sums in float pairs (high + low), of a fixed shape.
 *
 * Elements are summed in chunks of 1024 in index order: 32 lanes, lane t taking elements t, t+32,
 * ...; then the lanes in order; then the chunk sums likewise with 256 lanes.  The shape does not
 * depend on the work-group, so the bits do not either.  two_sum: Knuth; two_prod: fma.
 */
#ifndef FRESHET_PAIRS_H
#define FRESHET_PAIRS_H

#include "common.h"

float2 pairs_two_sum(float a, float b)
{
	float s = a + b;
	float v = s - a;
	return (float2)(s, (a - (s - v)) + (b - v));
}

float2 pairs_two_product(float a, float b)
{
	float p = a * b;
	return (float2)(p, fma(a, b, -p));
}

float2 pairs_add(float2 a, float2 b)
{
	float2 s = pairs_two_sum(a.x, b.x);
	float low = s.y + (a.y + b.y);
	float high = s.x + low;
	return (float2)(high, low - (high - s.x));
}

/* Within a lane: high + low += p, low not brought to normal form (Ogita, Rump & Oishi 2005, Dot2).
 */
float2 pairs_accumulate(float2 sum, float2 p)
{
	float2 s = pairs_two_sum(sum.x, p.x);
	return (float2)(s.x, sum.y + (s.y + p.y));
}

/* Ends a chunked sum: lane[] holds the lanes of this group's chunks. */
void pairs_store_chunks(local float2 *lane, int first_chunk, int chunks, global float2 *partial)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int q = (int)get_local_id(0); q < PAIRS_GROUP_CHUNKS; q += (int)get_local_size(0)) {
		if (first_chunk + q >= chunks)
			continue;
		float2 sum = lane[q * PAIRS_LANES];
		for (int t = 1; t < PAIRS_LANES; t++)
			sum = pairs_add(sum, lane[q * PAIRS_LANES + t]);
		partial[first_chunk + q] = sum;
	}
}

/* Sum of partial[0..chunks); only work-item 0 of the (only) group gets it.
 * Global memory that the group has read before may be written by it after. */
float2 pairs_total(local float2 *lane, global const float2 *partial, int chunks)
{
	for (int t = (int)get_local_id(0); t < PAIRS_FINAL_LANES; t += (int)get_local_size(0)) {
		float2 sum = (float2)(0.0f, 0.0f);
		for (int c = t; c < chunks; c += PAIRS_FINAL_LANES)
			sum = pairs_add(sum, partial[c]);
		lane[t] = sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	float2 total = lane[0];
	if (get_local_id(0) == 0)
		for (int t = 1; t < PAIRS_FINAL_LANES; t++)
			total = pairs_add(total, lane[t]);
	return total;
}

#endif
