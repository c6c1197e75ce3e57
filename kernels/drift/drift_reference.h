/*
 * What the drift correction asks of each particle and does to it, plainly (docs/method.md#drift).
 *
 *   rho = sum_p w_p at cell centres, w the (bi/tri)linear weight      drift_density_tile (GPUs),
 *                                                                     drift_density_block (CPUs)
 *   x += displacement(x), no further than a limit                     drift_move, drift_move_lanes
 *
 * rho is summed in units of 2^-bits: integers, so no order changes a bit.  The others give the same
 * bits (tests/device/device_reference.c).
 */
#ifndef FRESHET_DRIFT_REFERENCE_H
#define FRESHET_DRIFT_REFERENCE_H

#include "common.h"
#include "sample.h"

/* Cells around particle p. */
struct stencil drift_stencil(const struct grid g, global const float *position, int stride, int p)
{
	float x[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	return sample_stencil(g, DIM, x);
}

/* What corner q of them gets. */
uint drift_weight(const struct stencil s, int bits, int q)
{
	return convert_uint_rte(stencil_weight(s, q) * (float)(1 << bits));
}

/* Adds particle p to the sums of the cells around it, u32 [L]. */
void drift_reference(const struct grid g, int bits, global const float *position, int stride, int p,
		     global uint *sum)
{
	const struct stencil s = drift_stencil(g, position, stride, p);
	for (int q = 0; q < STENCIL_CORNERS; q++)
		sum[stencil_at(s, q)] += drift_weight(s, bits, q);
}

/* Share of a displacement of that squared length which is within the limit. */
float drift_share(float square, float limit)
{
	float length = sqrt(square);
	return length > limit ? limit / length : 1.0f;
}

/* moved[] = x + displacement(x), at most `limit` metres away. */
void drift_shift(const struct grid g, global const float *displacement, float limit,
		 const float x[3], float moved[3])
{
	float d[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f;
	sample_velocity(g, displacement, x, d);
	for (int a = 0; a < DIM; a++)
		square += d[a] * d[a];
	const float share = drift_share(square, limit);
	for (int a = 0; a < DIM; a++)
		moved[a] = x[a] + d[a] * share;
}

#endif
