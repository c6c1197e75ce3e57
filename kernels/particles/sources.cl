/* Inflows: the flux through faces of walls, and the particles that it brings. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide.h"
#include "common.h"
#include "inflow_params.h"

/* flow[face] = its part that is open to the inflow times the inflow's speed into +axis, m/s.  One
 * work-item per listed face; no face is listed twice. */
kernel void sources_flow(global const int *face, global const float *share,
			 global const int *inflow, global const float *speed, int n,
			 global float *flow)
{
	const int i = (int)get_global_id(0);
	if (i < n)
		flow[face[i]] = share[i] * speed[inflow[i]];
}

/* Where along an axis: `middle`, and off it by up to half of `spacing`, by chance. */
float sources_place(const struct inflow_params p, uint id, int axis, float middle, float spacing)
{
	const uint bits = hash_4(p.seed, p.stream, id, (uint)axis);
	return middle + p.jitter * spacing * (unit_float(bits) - 0.5f);
}

/*
 * Layers of particles behind a wall, the first the deepest: particle `first + m` is that of site m
 * modulo sites, of layer m / sites, and gets the id first_id + m.  Whatever it is moved by chance,
 * it stays in the box.  site: f32 [D][sites], m.  One work-item per particle.
 */
kernel void sources_emit(const struct grid g, const struct inflow_params p,
			 global const float *site, int n, uint first, uint first_id, int has_affine,
			 uint stride, global float *position, global float *velocity,
			 global float *affine, global uint *id)
{
	const int m = (int)get_global_id(0);
	if (m >= n)
		return;
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const int across = p.wall / 2, layer = m / p.sites, s = m - layer * p.sites;
	const uint own = first_id + (uint)m;
	const size_t at = first + (size_t)m;
	for (int a = 0; a < DIM; a++) {
		float x = site[a * p.sites + s];
		if (a == across) {
			const float deep = p.depth - (float)layer * p.layer;
			x = sources_place(p, own, a, deep, p.layer);
			x = p.wall & 1 ? size[a] - x : x;
		} else {
			x = sources_place(p, own, a, x, p.spacing[a]);
		}
		const float margin = 2.0f * COLLIDE_MARGIN * g.h;
		position[a * (size_t)stride + at] = clamp_float(x, margin, size[a] - margin);
		velocity[a * (size_t)stride + at] = p.velocity[a];
	}
	for (int e = 0; has_affine && e < DIM * DIM; e++)
		affine[e * (size_t)stride + at] = 0.0f;
	id[at] = own;
}
