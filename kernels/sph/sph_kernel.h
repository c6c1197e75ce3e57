/*
 * Kernels of smoothing, as functions of q = r/R in [0, 1); sph_params has their factors.
 *
 *   wendland  C2 of Wendland 1995, (1 - q)^4 (1 + 4q)
 *   cubic     the spline of Monaghan & Lattanzio 1985
 *   gaussian  exp(-4 q^2), cut off at R
 *
 * Gradients are given over r, so that nothing is divided by it.
 */
#ifndef FRESHET_SPH_KERNEL_H
#define FRESHET_SPH_KERNEL_H

#include "common.h"

/* What is stored keeps clear of denormals (docs/portability.md). */
ALWAYS_INLINE float sph_flush(float x)
{
	return fabs(x) < 0x1p-100f ? 0.0f : x;
}

/* exp(-4 q^2), q in [0, 1], to about 1e-6: a polynomial of a sixteenth of the exponent. */
ALWAYS_INLINE float sph_gaussian(float q)
{
	const float z = -0.25f * q * q;
	float e = 1.0f + z * (1.0f / 6.0f);
	e = 1.0f + z * 0.2f * e;
	e = 1.0f + z * 0.25f * e;
	e = 1.0f + z * (1.0f / 3.0f) * e;
	e = 1.0f + z * 0.5f * e;
	e = 1.0f + z * e;
	e *= e;
	e *= e;
	e *= e;
	return e * e;
}

ALWAYS_INLINE float sph_weight(int shape, float q)
{
	const float t = 1.0f - q, square = t * t;
	if (shape == SPH_WENDLAND)
		return square * square * (1.0f + 4.0f * q);
	if (shape == SPH_CUBIC)
		return q < 0.5f ? 1.0f - 6.0f * q * q * t : 2.0f * square * t;
	return sph_gaussian(q);
}

/* -(dW/dr)/r, but for the factor. */
ALWAYS_INLINE float sph_slope(int shape, float q)
{
	const float t = 1.0f - q;
	if (shape == SPH_WENDLAND)
		return t * t * t;
	if (shape == SPH_CUBIC)
		return q < 0.5f ? 2.0f - 3.0f * q : t * t / q;
	return sph_gaussian(q);
}

#endif
