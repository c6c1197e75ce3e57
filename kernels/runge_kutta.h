/* Explicit Runge-Kutta along the grid velocity, for one particle and for vectors of them. */
#ifndef FRESHET_RUNGE_KUTTA_H
#define FRESHET_RUNGE_KUTTA_H

#include "common.h"
#include "sample.h"
#include "sample_lanes.h"

/* moved = x(t+dt) from dx/dt = u(x); order 1: Euler; 2: midpoint; 3: Ralston (2/9, 3/9, 4/9);
 * 4: classical.  `sample` gives u at points whose coordinates have the type `floats`. */
#define RUNGE_KUTTA(name, floats, sample)                                                          \
	FUNCTION_BY_MACRO void name(const struct grid g, global const float *u_face, int order,    \
				    float dt, const floats x[3], floats moved[3])                  \
	{                                                                                          \
		floats k1[3], k2[3], k3[3], k4[3], at[3];                                          \
		at[2] = (floats)(0.0f);                                                            \
		sample(g, u_face, x, k1);                                                          \
		_Pragma("unroll") for (int c = 0; c < DIM; c++) moved[c] = x[c] + dt * k1[c];      \
		if (order == 1)                                                                    \
			return;                                                                    \
		_Pragma("unroll") for (int c = 0; c < DIM; c++) at[c] = x[c] + 0.5f * dt * k1[c];  \
		sample(g, u_face, at, k2);                                                         \
		_Pragma("unroll") for (int c = 0; c < DIM; c++) moved[c] = x[c] + dt * k2[c];      \
		if (order == 2)                                                                    \
			return;                                                                    \
		const float share = order == 3 ? 0.75f : 0.5f;                                     \
		_Pragma("unroll") for (int c = 0; c < DIM; c++) at[c] = x[c] + share * dt * k2[c]; \
		sample(g, u_face, at, k3);                                                         \
		_Pragma("unroll") for (int c = 0; c < DIM; c++) moved[c] =                         \
			x[c] + dt / 9.0f * (2.0f * k1[c] + 3.0f * k2[c] + 4.0f * k3[c]);           \
		if (order == 3)                                                                    \
			return;                                                                    \
		_Pragma("unroll") for (int c = 0; c < DIM; c++) at[c] = x[c] + dt * k3[c];         \
		sample(g, u_face, at, k4);                                                         \
		_Pragma("unroll") for (int c = 0; c < DIM; c++) moved[c] =                         \
			x[c] + dt / 6.0f * (k1[c] + 2.0f * k2[c] + 2.0f * k3[c] + k4[c]);          \
	}

RUNGE_KUTTA(runge_kutta, float, sample_velocity)
#ifndef FRESHET_NATIVE
RUNGE_KUTTA(runge_kutta_lanes, lane_floats, lanes_velocity)
#endif /* FRESHET_NATIVE */

#endif
