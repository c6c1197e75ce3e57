/* What the Coriolis acceleration does to the particles of a box that turns. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "sample.h"

/* Slower than this, m/s, is at rest: no product of it with a turn comes near the denormals. */
float forces_flush(float x)
{
	return fabs(x) < 0x1p-60f ? 0.0f : x;
}

/* One component of (1 + turn) v + rest w. */
float forces_turned(const float turn[9], const float v[3], const float rest[9], const float w[3],
		    int c)
{
	float sum = 0.0f;
	for (int a = 0; a < DIM; a++)
		sum += turn[3 * c + a] * v[a];
	for (int a = 0; a < DIM; a++)
		sum += rest[3 * c + a] * w[a];
	return forces_flush(v[c] + sum);
}

/*
 * v becomes (1 + turn) v + rest dv, dv the change of velocity at the particle's place (f32 [D][L]
 * on faces; has_change: there is one, else rest does nothing).  C likewise, column by column, with
 * the gradient of the change.  One work-item per particle.
 */
kernel void forces_turn(const struct grid g, const struct turn turn, const struct turn rest,
			int has_change, global const float *change, int has_affine,
			global const float *position, global float *velocity, global float *affine,
			int stride, int n)
{
	int p = (int)get_global_id(0);
	if (p >= n)
		return;
	/* Copies, for they are indexed by a variable: docs/portability.md. */
	const float turn_m[9] = {turn.m[0], turn.m[1], turn.m[2], turn.m[3], turn.m[4],
				 turn.m[5], turn.m[6], turn.m[7], turn.m[8]};
	const float rest_m[9] = {rest.m[0], rest.m[1], rest.m[2], rest.m[3], rest.m[4],
				 rest.m[5], rest.m[6], rest.m[7], rest.m[8]};
	float x[3] = {0.0f, 0.0f, 0.0f}, v[3] = {0.0f, 0.0f, 0.0f}, w[3] = {0.0f, 0.0f, 0.0f};
	/* Columns of C and of the change's gradient: d/dx_a of all components at 3a. */
	float slope[9], change_slope[9];
	for (int q = 0; q < 9; q++)
		slope[q] = change_slope[q] = 0.0f;
	for (int a = 0; a < DIM; a++) {
		x[a] = position[a * stride + p];
		v[a] = forces_flush(velocity[a * stride + p]);
	}
	for (int c = 0; c < DIM && has_change; c++) {
		struct stencil s = sample_stencil(g, c, x);
		float along[DIM];
		w[c] = forces_flush(sample_field(change + c * g.lattice, s));
		if (!has_affine)
			continue;
		sample_gradient(change + c * g.lattice, s, g.inv_h, along);
		for (int a = 0; a < DIM; a++)
			change_slope[3 * a + c] = forces_flush(along[a]);
	}
	for (int c = 0; c < DIM; c++)
		velocity[c * stride + p] = forces_turned(turn_m, v, rest_m, w, c);
	if (!has_affine)
		return;
	for (int c = 0; c < DIM; c++)
		for (int a = 0; a < DIM; a++)
			slope[3 * a + c] = forces_flush(affine[(c * DIM + a) * stride + p]);
	for (int c = 0; c < DIM; c++)
		for (int a = 0; a < DIM; a++)
			affine[(c * DIM + a) * stride + p] = forces_turned(
				turn_m, slope + 3 * a, rest_m, change_slope + 3 * a, c);
}
