/*
 * Vectors of particles, for kernels in which one work-item goes through the particles of a block.
 * CPU compilers keep them in registers; they do not make vectors of a loop with scattered access.
 * There are as many lanes as a cell has corners, so that lanes x corners is a square.
 */
#ifndef FRESHET_LANES_H
#define FRESHET_LANES_H

#include "common.h"

#ifndef FRESHET_NATIVE

#define LANES (1 << DIM)
#if DIM == 2
typedef float4 lane_floats;
typedef int4 lane_ints;
typedef long4 lane_longs;
#define LANE_NUMBERS ((int4)(0, 1, 2, 3))
#define lanes_load(from) vload4(0, from)
#define lanes_store(x, to) vstore4(x, 0, to)
#define lanes_as_ints(x) as_int4(x)
#define lanes_to_ints(x) convert_int4(x)
#define lanes_to_floats(x) convert_float4(x)
#define lanes_to_longs(x) convert_long4(x)
#else
typedef float8 lane_floats;
typedef int8 lane_ints;
typedef long8 lane_longs;
#define LANE_NUMBERS ((int8)(0, 1, 2, 3, 4, 5, 6, 7))
#define lanes_load(from) vload8(0, from)
#define lanes_store(x, to) vstore8(x, 0, to)
#define lanes_as_ints(x) as_int8(x)
#define lanes_to_ints(x) convert_int8(x)
#define lanes_to_floats(x) convert_float8(x)
#define lanes_to_longs(x) convert_long8(x)
#endif

/* The nearest integers, ties to even, of 0 <= x <= 2^22: the sum's last bit is a unit
 * (docs/portability.md). */
lane_ints lanes_round_small(lane_floats x)
{
	return lanes_as_ints(x + 0x1p23f) - lanes_as_ints((lane_floats)(0x1p23f));
}

/* The same of any |x| < 2^31; from 2^23 on a float is an integer. */
lane_ints lanes_round(lane_floats x)
{
	lane_floats size = fabs(x);
	lane_ints whole = lanes_to_ints(size < 0x1p23f ? (size + 0x1p23f) - 0x1p23f : size);
	return x < 0.0f ? -whole : whole;
}

/* Row r, lane l becomes row l, lane r.  A round takes the last bit of the lane's number to the
 * front of the row's, and the row's last to the front of the lane's. */
#define LANES_TRANSPOSE(type, rows)                                                           \
	_Pragma("unroll") for (int round = 0; round < DIM; round++)                           \
	{                                                                                     \
		type turned[LANES];                                                           \
		_Pragma("unroll") for (int r = 0; r < LANES / 2; r++)                         \
		{                                                                             \
			turned[r] = (type)(rows[2 * r].even, rows[2 * r + 1].even);           \
			turned[r + LANES / 2] = (type)(rows[2 * r].odd, rows[2 * r + 1].odd); \
		}                                                                             \
		_Pragma("unroll") for (int r = 0; r < LANES; r++) rows[r] = turned[r];        \
	}

void lanes_transpose_ints(lane_ints rows[LANES])
{
	LANES_TRANSPOSE(lane_ints, rows)
}

void lanes_transpose_floats(lane_floats rows[LANES])
{
	LANES_TRANSPOSE(lane_floats, rows)
}

/* Where the lanes' particles fall among the samples of one axis, as sample_stencil() has it. */
struct lane_axis {
	lane_ints low;	   /* the lower sample */
	lane_floats upper; /* weight of the next one */
};

/* at: position in cells from sample 0; last: number of the last sample.  (Not returned:
 * docs/portability.md.) */
void lanes_axis(lane_floats at, int last, struct lane_axis *axis)
{
	lane_floats most = (lane_floats)((float)last);
	at = at > 0.0f ? (at < most ? at : most) : (lane_floats)(0.0f);
	lane_ints low = lanes_to_ints(at);
	int most_low = last > 0 ? last - 1 : 0;
	axis->low = low > last - 1 ? (lane_ints)(most_low) : low;
	axis->upper = at - lanes_to_floats(axis->low);
}

/* End of the chunk that starts at particle p, of n in all. */
int lanes_chunk_end(int p, int n)
{
	return n - p < LANES_CHUNK ? n : p + LANES_CHUNK;
}

/* x[axis] of the particles p .. p + LANES-1. */
void lanes_load_point(global const float *position, int stride, int p, lane_floats x[DIM])
{
#pragma unroll
	for (int a = 0; a < DIM; a++)
		x[a] = lanes_load(position + a * stride + p);
}

/* Of the particles p .. end-1, up to LANES; lanes without one repeat the last. */
void lanes_load_points(global const float *position, int stride, int p, int end, lane_floats x[DIM])
{
	float each[LANES];
	if (p <= end - LANES) {
		lanes_load_point(position, stride, p, x);
		return;
	}
	for (int a = 0; a < DIM; a++) {
		for (int l = 0; l < LANES; l++)
			each[l] = position[a * stride + (p + l < end ? p + l : end - 1)];
		x[a] = lanes_load(each);
	}
}
#endif /* FRESHET_NATIVE */

#endif
