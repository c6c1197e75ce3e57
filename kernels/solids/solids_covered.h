/* What solids cover of a face, and which of them. */
#ifndef FRESHET_SOLIDS_COVERED_H
#define FRESHET_SOLIDS_COVERED_H

#include "common.h"
#include "solids_shape.h"

/* The solid nearest to x, a place in the program; the first of equally near ones. */
int solids_nearest(const struct solids_shape *shape, global const uint *solid_slip, int solid_count,
		   const float x[3])
{
	float nearest = SHAPE_FAR;
	int start = 0, found = 0;
	for (int solid = 0; solid < solid_count; ++solid) {
		const int end = (int)(solid_slip[solid] >> 1);
		const float distance = shape_distance(DIM, shape->ops + start, end - start,
						      shape->points, x[0], x[1], x[2]);
		if (distance < nearest) {
			nearest = distance;
			found = solid;
		}
		start = end + (solid > 0); /* a union follows every solid but the first */
	}
	return found;
}

/* Covered part of an edge with distances a, b at its ends, and its middle from the first. */
float solids_covered(float a, float b, float *middle)
{
	float part = 0.0f;
	*middle = 0.5f;
	if (a <= 0.0f && b <= 0.0f)
		return 1.0f;
	if (a <= 0.0f) {
		part = a / (a - b);
		*middle = 0.5f * part;
	} else if (b <= 0.0f) {
		part = b / (b - a);
		*middle = 1.0f - 0.5f * part;
	}
	return part;
}

/* The middle of what solids cover of face c at lattice point (i,j,k): by halves (2D) or quarters,
 * of which that of the covered edges counts.  Where no point of it is in a solid, all of it. */
void solids_covered_middle(const struct grid g, const struct solids_shape *shape, int c, int i,
			   int j, int k, float middle[3])
{
	const int u = c == 0 ? 1 : 0, v = c == 2 ? 1 : 2;
	float p[9], sum = 0.0f, along[2] = {0.0f, 0.0f};
	middle[0] = (float)i * g.h;
	middle[1] = (float)j * g.h;
	middle[2] = (float)k * g.h;
	for (int n = 0; n < (DIM == 2 ? 3 : 9); ++n) {
		float x[3] = {middle[0], middle[1], middle[2]};
		x[u] += 0.5f * (float)modulo(n, 3) * g.h;
		if (DIM == 3)
			x[v] += 0.5f * (float)(n / 3) * g.h;
		p[n] = solids_evaluate(shape, x).distance;
	}
	/* Edges along u, then along v, of a half's length; rows of three points. */
	for (int n = 0; n < (DIM == 2 ? 2 : 12); ++n) {
		const int across = n >= 6, m = across ? n - 6 : n;
		const int from = across ? m : 3 * (m >> 1) + (m & 1);
		float at;
		const float part = solids_covered(p[from], p[from + (across ? 3 : 1)], &at);
		const float place[2] = {0.5f * ((float)modulo(from, 3) + (across ? 0.0f : at)),
					0.5f * ((float)(from / 3) + (across ? at : 0.0f))};
		/* Those on the rim have one quarter beside them, the others two. */
		const int line = across ? modulo(from, 3) : from / 3;
		const float weight = DIM == 2 || line != 1 ? part : 2.0f * part;
		sum += weight;
		along[0] += weight * place[0];
		along[1] += weight * place[1];
	}
	middle[u] += (sum > 0.0f ? along[0] / sum : 0.5f) * g.h;
	if (DIM == 3)
		middle[v] += (sum > 0.0f ? along[1] / sum : 0.5f) * g.h;
}

#endif
