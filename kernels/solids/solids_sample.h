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

/* The same for solids; *near: what they give at x.  Just outside one, half an edge deeper tells how
 * much of it is there.  One call in a loop (docs/portability.md). */
float solids_sample(const struct solids_shape *shape, const float x[3], float s,
		    struct shape_sample *near)
{
	float at[3] = {x[0], x[1], x[2]}, part = 0.0f;
	for (int turn = 0; turn < 2; ++turn) {
		const struct shape_sample sample = solids_evaluate(shape, at);
		if (turn > 0)
			return clamp_float(1.0f + sample.distance / s, 0.5f, 1.0f);
		*near = sample;
		part = solids_part(sample.distance, s);
		if (sample.distance < 0.0f || sample.distance >= 0.5f * s)
			return part;
		for (int axis = 0; axis < 3; ++axis)
			at[axis] -= 0.5f * s * sample.gradient[axis];
	}
	return part;
}

#endif
