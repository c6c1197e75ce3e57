/* Open parts of small cubes among solids. */
#ifndef FRESHET_SOLIDS_SAMPLE_H
#define FRESHET_SOLIDS_SAMPLE_H

#include "solids_shape.h"

/* Open part of a small cube of edge s about a point at a distance from a plane that faces an
 * axis. */
float solids_part(float distance, float s)
{
	return clamp_float(0.5f + distance / s, 0.0f, 1.0f);
}

/* The same for solids, evaluated at x.  Just outside one, half an edge deeper tells how much of it
 * is there. */
float solids_sample(const struct solids_shape *shape, const float x[3],
		    const struct shape_sample near, float s)
{
	if (near.distance < 0.0f || near.distance >= 0.5f * s)
		return solids_part(near.distance, s);
	float deeper[3];
	for (int axis = 0; axis < 3; ++axis)
		deeper[axis] = x[axis] - 0.5f * s * near.gradient[axis];
	return clamp_float(1.0f + solids_evaluate(shape, deeper).distance / s, 0.5f, 1.0f);
}

#endif
