/*
 * Particles along the grid velocity, plainly (docs/method.md#advection-and-collision): x(t + dt)
 * from dx/dt = u(x), u frozen, by explicit Runge-Kutta of order 1 to 4.  runge_kutta_lanes() gives
 * the same bits for vectors of particles.
 */
#ifndef FRESHET_RUNGE_KUTTA_H
#define FRESHET_RUNGE_KUTTA_H

#include "common.h"
#include "sample.h"
#include "sample_lanes.h"

/* Where the velocity of a stage is used next: at x + share dt k.  Order 2 is the midpoint rule, 3
 * Ralston's, 4 the classical one. */
float runge_kutta_share(int order, int stage)
{
	return stage == 0 ? 0.5f : stage == 2 ? 1.0f : order == 3 ? 0.75f : 0.5f;
}

/* Weights of the stages of orders 3 (2 3 4, of 9) and 4 (1 2 2 1, of 6). */
float runge_kutta_weight(int order, int stage)
{
	if (order == 3)
		return (float)(2 + stage);
	return stage == 0 || stage == 3 ? 1.0f : 2.0f;
}

/* moved[] = x(t + dt) of a particle at x[]. */
void runge_kutta(const struct grid g, global const float *u_face, int order, float dt,
		 const float x[3], float moved[3])
{
	float at[3] = {x[0], x[1], DIM == 3 ? x[2] : 0.0f};
	float k[3] = {0.0f, 0.0f, 0.0f}, sum[3] = {0.0f, 0.0f, 0.0f};
	const float whole = order == 3 ? dt / 9.0f : dt / 6.0f;
	for (int stage = 0; stage < order; stage++) {
		const float share = runge_kutta_share(order, stage);
		const float weight = runge_kutta_weight(order, stage);
		sample_velocity(g, u_face, at, k);
#pragma unroll
		for (int c = 0; c < DIM; c++) {
			at[c] = x[c] + share * dt * k[c];
			sum[c] += weight * k[c];
		}
	}
	/* Of orders 1 and 2 the last stage alone counts. */
#pragma unroll
	for (int c = 0; c < DIM; c++)
		moved[c] = order < 3 ? x[c] + dt * k[c] : x[c] + whole * sum[c];
}

#ifndef FRESHET_NATIVE
/* The same, lane by lane. */
void runge_kutta_lanes(const struct grid g, global const float *u_face, int order, float dt,
		       const lane_floats x[3], lane_floats moved[3])
{
	lane_floats at[DIM], k[3], sum[DIM];
	const float whole = order == 3 ? dt / 9.0f : dt / 6.0f;
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		at[c] = x[c];
		sum[c] = (lane_floats)(0.0f);
	}
	for (int stage = 0; stage < order; stage++) {
		const float share = runge_kutta_share(order, stage);
		const float weight = runge_kutta_weight(order, stage);
		lanes_velocity(g, u_face, at, k);
#pragma unroll
		for (int c = 0; c < DIM; c++) {
			at[c] = x[c] + share * dt * k[c];
			sum[c] += weight * k[c];
		}
	}
#pragma unroll
	for (int c = 0; c < DIM; c++)
		moved[c] = order < 3 ? x[c] + dt * k[c] : x[c] + whole * sum[c];
}
#endif /* FRESHET_NATIVE */

#endif
