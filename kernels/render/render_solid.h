/* Solids in pictures: their exact shapes near the surface, the sampled distance elsewhere. */
#ifndef FRESHET_RENDER_SOLID_H
#define FRESHET_RENDER_SOLID_H

#include "common.h"
#include "render_common.h"
#include "solids_shape.h"

/* Samples are exact at the nodes and no distance changes faster than the way, so between nodes they
 * are off by less than half a cell's diagonal, in cells. */
#define RENDER_SAMPLE_ERROR SOLIDS_REACH

/* What is evaluated: the shapes and their distance at the nodes. */
struct render_solids {
	struct solids_shape shape;
	global const float *phi;
};

struct render_solid {
	float distance; /* m, negative inside; between nodes of coarse samples unless `exact` */
	int exact;
	float3 gradient; /* of unit length or 0; where exact */
};

/* Distance at the nodes, (bi/tri)linear between, constant beyond the box. */
float render_solid_sampled(global const float *phi, const struct grid g, float3 point)
{
	float x = clamp_float(point.x * g.inv_h, 0.0f, (float)g.nx);
	float y = clamp_float(point.y * g.inv_h, 0.0f, (float)g.ny);
	float z = clamp_float(point.z * g.inv_h, 0.0f, (float)g.nz);
	int i = clamp_int(convert_int_rte(floor(x)), 0, g.nx - 1);
	int j = clamp_int(convert_int_rte(floor(y)), 0, g.ny - 1);
	int k = DIM == 3 ? clamp_int(convert_int_rte(floor(z)), 0, g.nz - 1) : 0;
	float s = x - (float)i, t = y - (float)j, r = z - (float)k;
	float layer[2];
	for (int a = 0; a < 2; a++) {
		int n = lattice_index(g, i, j, DIM == 3 ? k + a : 0);
		float low = phi[n] + (phi[n + 1] - phi[n]) * s;
		float high = phi[n + g.px] + (phi[n + g.px + 1] - phi[n + g.px]) * s;
		layer[a] = low + (high - low) * t;
	}
	return DIM == 3 ? layer[0] + (layer[1] - layer[0]) * r : layer[0];
}

/* Exact within `near` (at least two cells' diagonals, m) of the surface. */
struct render_solid render_solid_at(const struct render_solids *solids, const struct grid g,
				    float near, float3 point)
{
	struct render_solid result = {render_solid_sampled(solids->phi, g, point), 0,
				      (float3)(0.0f)};
	if (fabs(result.distance) > near)
		return result;
	const float x[3] = {point.x, point.y, DIM == 3 ? point.z : 0.0f};
	struct shape_sample sample = solids_evaluate(&solids->shape, x);
	result.distance = sample.distance;
	result.gradient = (float3)(sample.gradient[0], sample.gradient[1], sample.gradient[2]);
	result.exact = 1;
	return result;
}

#endif
