/* Explicit Runge-Kutta along the grid velocity, for one particle and for vectors of them. */
#ifndef FRESHET_RUNGE_KUTTA_H
#define FRESHET_RUNGE_KUTTA_H

#include "common.h"
#include "sample.h"
#include "sample_lanes.h"

/* Where a stage's velocity is used next: x + share dt k.  Orders 2: midpoint; 3: Ralston. */
float runge_kutta_share(int order, int stage)
{
	return stage == 0 ? 0.5f : stage == 2 ? 1.0f : order == 3 ? 0.75f : 0.5f;
}

/* Weights of the stages of orders 3 (times 9) and 4 (times 6, classical). */
float runge_kutta_weight(int order, int stage)
{
	if (order == 3)
		return (float)(2 + stage);
	return stage == 0 || stage == 3 ? 1.0f : 2.0f;
}

/* moved = x(t+dt) from dx/dt = u(x) by Runge-Kutta of order 1 to 4; `sample` gives u at points
 * whose coordinates have the type `floats`. */
#define RUNGE_KUTTA(name, floats, sample)                                                       \
	FUNCTION_BY_MACRO void name(const struct grid g, global const float *u_face, int order, \
				    float dt, const floats x[3], floats moved[3])               \
	{                                                                                       \
		floats at[3] = {x[0], x[1], (floats)(0.0f)}, k[3], sum[3];                      \
		const float whole = order == 3 ? dt / 9.0f : dt / 6.0f;                         \
		if (DIM == 3)                                                                   \
			at[2] = x[2];                                                           \
		for (int stage = 0; stage < order; stage++) {                                   \
			const float share = runge_kutta_share(order, stage);                    \
			const float weight = runge_kutta_weight(order, stage);                  \
			sample(g, u_face, at, k);                                               \
			_Pragma("unroll") for (int c = 0; c < DIM; c++)                         \
			{                                                                       \
				at[c] = x[c] + share * dt * k[c];                               \
				sum[c] = stage ? sum[c] + weight * k[c] : weight * k[c];        \
			}                                                                       \
		}                                                                               \
		_Pragma("unroll") for (int c = 0; c < DIM; c++)                                 \
		{                                                                               \
			moved[c] = order < 3 ? x[c] + dt * k[c] : x[c] + whole * sum[c];        \
		}                                                                               \
	}

RUNGE_KUTTA(runge_kutta, float, sample_velocity)
#ifndef FRESHET_NATIVE
RUNGE_KUTTA(runge_kutta_lanes, lane_floats, lanes_velocity)
#endif /* FRESHET_NATIVE */

#endif
