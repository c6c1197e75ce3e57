/* Exclusive prefix sums of u32 by reduce-then-scan: a work-group per chunk.  Integer sums: any
 * chunks and groups give the same result, so the host may choose them per device. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"

/* Sum over the group of what each work-item has; lane: a word for each. */
uint scan_group_total(uint own, local uint *lane)
{
	const int size = (int)get_local_size(0);
	uint total = 0;
	lane[get_local_id(0)] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int t = 0; t < size; t++)
		total += lane[t];
	barrier(CLK_LOCAL_MEM_FENCE);
	return total;
}

/* sums[c] = sum of values[c*chunk ..]. */
kernel void scan_sum_chunks(global const uint *values, int n, int chunk, global uint *sums,
			    local uint *lane)
{
	const int c = (int)get_group_id(0), start = c * chunk;
	const int end = n - start < chunk ? n : start + chunk;
	uint sum = 0;
	for (int i = start + (int)get_local_id(0); i < end; i += (int)get_local_size(0))
		sum += values[i];
	sum = scan_group_total(sum, lane);
	if (get_local_id(0) == 0)
		sums[c] = sum;
}

/* values becomes its exclusive scan, given the chunk sums, values[n] the total. */
kernel void scan_apply(global uint *values, int n, int chunk, global const uint *sums,
		       local uint *lane)
{
	const int c = (int)get_group_id(0), start = c * chunk;
	const int own = (int)get_local_id(0), size = (int)get_local_size(0);
	const int end = n - start < chunk ? n : start + chunk;
	uint before = 0;
	for (int i = own; i < c; i += size)
		before += sums[i];
	before = scan_group_total(before, lane);
	for (int from = start; from < end; from += size) {
		const int i = from + own;
		const uint value = i < end ? values[i] : 0;
		lane[own] = value;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int step = 1; step < size; step *= 2) {
			const uint add = own >= step ? lane[own - step] : 0;
			barrier(CLK_LOCAL_MEM_FENCE);
			lane[own] += add;
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		if (i < end)
			values[i] = before + lane[own] - value;
		before += lane[size - 1];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (own == 0 && end == n)
		values[n] = before;
}
