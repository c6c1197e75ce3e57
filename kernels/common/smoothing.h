/*
 * Weights of particles by their distance, without a factor that would make their integral 1, and
 * the radius that goes with them.  Of Ando's FLIP code (Ando & Tsuruno 2011), in units of the
 * caller's: cells for faces, spacings of particles for their neighbours.
 */
#ifndef FRESHET_SMOOTHING_H
#define FRESHET_SMOOTHING_H

#include "common.h"

#define SMOOTHING_RADIUS 1.4f
/* Least squared distance of smoothing_stiff(), which has a pole. */
#define SMOOTHING_NEAREST 1e-5f

/* 1 - r^2/R^2 for r < R, r^2 = square. */
float smoothing_loose(float square, float radius)
{
	return max_float(1.0f - square / (radius * radius), 0.0f);
}

/* R^2/r^2 - 1 for r < R. */
float smoothing_stiff(float square, float radius)
{
	const float reach = radius * radius;
	return square < reach ? reach / max_float(square, SMOOTHING_NEAREST) - 1.0f : 0.0f;
}

/* (1 - r^2/R^2)^3 for r < R. */
float smoothing_cubic(float r, float radius)
{
	const float rest = 1.0f - r * r / (radius * radius);
	return r < radius ? rest * rest * rest : 0.0f;
}

#endif
