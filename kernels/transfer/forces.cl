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
 * What advection through the gradient G = du/dx adds to the path of a particle, as a change of
 * velocity: half_dt (M G u - G (M u + du)), M = 2 rest; as a change of a column of C, with columns
 * of the gradients of u and du.  docs/method.md#a-box-that-moves.
 */
void forces_path(const float gradient[9], const float rest[9], float half_dt, const float u[3],
		 const float du[3], float out[3])
{
	float along[3] = {0.0f, 0.0f, 0.0f}, turned[3] = {0.0f, 0.0f, 0.0f};
	for (int c = 0; c < DIM; c++) {
		float sum = 0.0f, slope = 0.0f;
		for (int a = 0; a < DIM; a++) {
			sum += rest[3 * c + a] * u[a];
			slope += gradient[3 * a + c] * u[a];
		}
		turned[c] = forces_flush(2.0f * sum + du[c]);
		along[c] = forces_flush(slope);
	}
	for (int c = 0; c < DIM; c++) {
		float first = 0.0f, second = 0.0f;
		for (int a = 0; a < DIM; a++) {
			first += rest[3 * c + a] * along[a];
			second += gradient[3 * a + c] * turned[a];
		}
		out[c] = forces_flush(half_dt * forces_flush(2.0f * first - second));
	}
}

/* Value and gradient of a field on faces, f32 [D][L], at x: d/dx_a of component c at 3a + c. */
void forces_sample(const struct grid g, global const float *field, const float x[3], float value[3],
		   float gradient[9])
{
	for (int c = 0; c < DIM; c++) {
		const struct stencil s = sample_stencil(g, c, x);
		float along[DIM];
		value[c] = forces_flush(sample_field(field + c * g.lattice, s));
		sample_gradient(field + c * g.lattice, s, g.inv_h, along);
		for (int a = 0; a < DIM; a++)
			gradient[3 * a + c] = forces_flush(along[a]);
	}
}

/*
 * v becomes (1 + turn) (v + forces_path()) + rest du, u and du the velocity and its change at the
 * particle's place (f32 [D][L] on faces; has_change: they are there, else v is turned only).  C
 * likewise, column by column, with the gradients of u and du.  One work-item per particle.
 */
kernel void forces_turn(const struct grid g, const struct turn turn, const struct turn rest,
			int has_change, float half_dt, global const float *u_face,
			global const float *change, int has_affine, global const float *position,
			global float *velocity, global float *affine, int stride, int n)
{
	int p = (int)get_global_id(0);
	if (p >= n)
		return;
	/* Copies, for they are indexed by a variable: docs/portability.md. */
	const float turn_m[9] = {turn.m[0], turn.m[1], turn.m[2], turn.m[3], turn.m[4],
				 turn.m[5], turn.m[6], turn.m[7], turn.m[8]};
	const float rest_m[9] = {rest.m[0], rest.m[1], rest.m[2], rest.m[3], rest.m[4],
				 rest.m[5], rest.m[6], rest.m[7], rest.m[8]};
	float x[3] = {0.0f, 0.0f, 0.0f}, v[3] = {0.0f, 0.0f, 0.0f}, path[3] = {0.0f, 0.0f, 0.0f};
	float u[3] = {0.0f, 0.0f, 0.0f}, w[3] = {0.0f, 0.0f, 0.0f};
	float gradient[9], change_gradient[9];
	for (int q = 0; q < 9; q++)
		gradient[q] = change_gradient[q] = 0.0f;
	for (int a = 0; a < DIM; a++) {
		x[a] = position[a * stride + p];
		v[a] = forces_flush(velocity[a * stride + p]);
	}
	if (has_change) {
		forces_sample(g, u_face, x, u, gradient);
		forces_sample(g, change, x, w, change_gradient);
		forces_path(gradient, rest_m, half_dt, u, w, path);
	}
	for (int a = 0; a < DIM; a++)
		v[a] += path[a];
	for (int c = 0; c < DIM; c++)
		velocity[c * stride + p] = forces_turned(turn_m, v, rest_m, w, c);
	if (!has_affine)
		return;
	for (int a = 0; a < DIM; a++) {
		float column[3] = {0.0f, 0.0f, 0.0f};
		if (has_change)
			forces_path(gradient, rest_m, half_dt, gradient + 3 * a,
				    change_gradient + 3 * a, path);
		for (int c = 0; c < DIM; c++)
			column[c] = forces_flush(affine[(c * DIM + a) * stride + p]) + path[c];
		for (int c = 0; c < DIM; c++)
			affine[(c * DIM + a) * stride + p] =
				forces_turned(turn_m, column, rest_m, change_gradient + 3 * a, c);
	}
}
