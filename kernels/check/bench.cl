/* What memory can do on this device: the copy that `freshet bench` compares every stage with. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"

/* to = from, n vectors of 16 bytes.  One work-item per vector. */
kernel void bench_copy(global const float4 *from, global float4 *to, int n)
{
	int i = (int)get_global_id(0);
	if (i < n)
		to[i] = from[i];
}
