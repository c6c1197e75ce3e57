/* Known-answer checks of a device and its compiler; the answers are in host/device/selftest.c. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "probe_layout.h"

#ifdef HAS_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

/* out: PROBE_LAYOUT's sizes and offsets, then the words of a struct that came by value, after one
 * of another size.  One work-item. */
kernel void probe_layout(const struct splat_scale before, const struct mg_level by_value,
			 global uint *out)
{
	int n = 0;
	if (get_global_id(0) != 0)
		return;
#define PROBE_SIZE(type) out[n++] = (uint)sizeof(struct type);
#define PROBE_OFFSET(type, member)                                                 \
	{                                                                          \
		struct type s;                                                     \
		out[n++] = (uint)((private char *)&s.member - (private char *)&s); \
	}
	PROBE_LAYOUT(PROBE_SIZE, PROBE_OFFSET)
#define PROBE_WORD(member) out[n++] = as_uint(by_value.member);
	PROBE_BY_VALUE(PROBE_WORD)
	out[n] = (uint)before.weight_bits;
}

/* out[i * PROBE_OPERATIONS ..]: enum probe_operation of triple i.  One work-item per triple. */
kernel void probe_arithmetic(global const float *a, global const float *b, global const float *c,
			     global float *out, int n)
{
	int i = (int)get_global_id(0);
	if (i >= n)
		return;
	global float *result = out + i * PROBE_OPERATIONS;
	float product = a[i] * b[i];
	result[PROBE_DIVIDE] = a[i] / b[i];
	result[PROBE_SQRT] = sqrt(fabs(a[i]));
	result[PROBE_FMA] = fma(a[i], b[i], c[i]);
	result[PROBE_MUL_ADD] = product + c[i];
	result[PROBE_RINT] = rint(a[i]);
	result[PROBE_CONVERT] = convert_float_rte((long)(as_int(a[i])) * (long)(as_int(b[i])));
}

/* Many work-items meet at the same words: enum probe_atomic of values[0..n), value * 2^16 in the
 * 64-bit sums; sum64 by the device's own 64-bit atomics where it has them. */
kernel void probe_atomics(global const int *values, int n, global uint *out, global long *sum64)
{
	int i = (int)get_global_id(0);
	if (i >= n)
		return;
	int value = values[i];
	long wide = (long)value * 65536;
	atomic_add(out + PROBE_SUM, (uint)value);
	/* As the simulation uses them: maxima over bits of floats that are not negative. */
	atomic_max(out + PROBE_MAX, as_uint(fabs((float)value)));
	atomic_min(out + PROBE_MIN, (uint)value);
	atomic_or(out + PROBE_OR, 1u << (i & 31));
	atomic_inc(out + PROBE_COUNT);
	uint low = (uint)(ulong)wide, high = (uint)((ulong)wide >> 32);
	uint old = atomic_add(out + PROBE_PAIR_LOW, low);
	atomic_add(out + PROBE_PAIR_HIGH, high + (old + low < low ? 1u : 0u));
#ifdef HAS_INT64_ATOMICS
	atom_add(sum64, wide);
#else
	(void)sum64;
#endif
}

/* The sums again in local memory.  One work-group; sums: 3 words. */
kernel void probe_local_atomics(global const int *values, int n, local uint *sums, global uint *out)
{
	int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	for (int word = lane; word < 3; word += lanes)
		sums[word] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = lane; i < n; i += lanes) {
		long wide = (long)values[i] * 65536;
		uint low = (uint)(ulong)wide, high = (uint)((ulong)wide >> 32);
		atomic_add(sums, (uint)values[i]);
		uint old = atomic_add(sums + 1, low);
		atomic_add(sums + 2, high + (old + low < low ? 1u : 0u));
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int word = lane; word < 3; word += lanes)
		out[PROBE_LOCAL_SUM + word] = sums[word];
}

/* *x after that many turns of a loop.  One work-item. */
kernel void probe_loops(int turns, global uint *x)
{
	uint value = *x;
	if (get_global_id(0) != 0)
		return;
	for (int turn = 0; turn < turns; ++turn)
		value = loops_turn(value);
	*x = value;
}
