/* Open parts of small cubes among solids. */
#ifndef FRESHET_SOLIDS_SAMPLE_H
#define FRESHET_SOLIDS_SAMPLE_H

#include "solid_samples.h"
#include "solids_shape.h"

/* In cells, by the distances at a cell's corners: where all are greater no sample of the cell is
 * open in part.  Two halves of a diagonal, of which the samples' middles leave half a sample's, and
 * half a sample. */
#define SAMPLES_NEAR (DIM == 2 ? 1.4f : 1.65f)

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

/* x[] as seen in closed walls of the box, which mirror what is before them. */
void solids_fold(const struct grid g, float x[3])
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	for (int axis = 0; axis < DIM; ++axis) {
		const int closed = ~(g.open_walls >> (2 * axis));
		float at = x[axis];
		at = at < 0.0f && (closed & 1) ? -at : at;
		at = at > size[axis] && (closed & 2) ? 2.0f * size[axis] - at : at;
		x[axis] = at < 0.0f && (closed & 1) ? -at : at;
	}
}

/* Distances at the corners of a cell: the least, and the greatest. */
void solids_corners(const struct grid g, global const float *solid_phi, int i, int j, int k,
		    float *least, float *most)
{
	*most = -SHAPE_FAR;
	*least = SHAPE_FAR;
	for (int q = 0; q < 1 << DIM; ++q) {
		const float phi =
			solid_phi[lattice_index(g, i + (q & 1), j + (q >> 1 & 1), k + (q >> 2))];
		*most = max_float(phi, *most);
		*least = min_float(phi, *least);
	}
}

/* kernel_open of the part of a density kernel that is open. */
ushort solids_kernel_part(float part)
{
	const float open = rint(clamp_float(part, 0.0f, 1.0f) * SOLIDS_UNIT);
	return (ushort)max_float(open, (float)SOLIDS_KERNEL_LEAST);
}

#endif
