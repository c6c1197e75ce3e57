/* Exclusive prefix sums of u32 by reduce-then-scan.  Arrays start at element `from`, chunk sums at
 * `to` (levels of sums share a buffer).  Integer sums: any chunk size gives the same
 * result, so the host may choose it per device. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"

/* sums[c] = sum of values[c*chunk ..].  One work-item per chunk. */
kernel void scan_sum_chunks(global const uint *values, int from, int n, int chunk,
			    global uint *sums, int to)
{
	values += from;
	sums += to;
	int c = (int)get_global_id(0);
	int start = c * chunk;
	if (start >= n)
		return;
	int end = n - start < chunk ? n : start + chunk;
	uint sum = 0;
	for (int i = start; i < end; i++)
		sum += values[i];
	sums[c] = sum;
}

/* values becomes its own exclusive scan, values[n] the total.  One work-item in all. */
kernel void scan_serial(global uint *values, int from, int n)
{
	values += from;
	if (get_global_id(0) != 0)
		return;
	uint sum = 0;
	for (int i = 0; i < n; i++) {
		uint value = values[i];
		values[i] = sum;
		sum += value;
	}
	values[n] = sum;
}

/* values becomes its exclusive scan, given the scanned chunk sums.  One work-item per chunk. */
kernel void scan_apply(global uint *values, int from, int n, int chunk, global const uint *sums,
		       int to)
{
	values += from;
	sums += to;
	int c = (int)get_global_id(0);
	int start = c * chunk;
	if (start >= n)
		return;
	int end = n - start < chunk ? n : start + chunk;
	uint sum = sums[c];
	for (int i = start; i < end; i++) {
		uint value = values[i];
		values[i] = sum;
		sum += value;
	}
	if (end == n)
		values[n] = sum;
}
