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
 * modulo sites, of layer m / sites, and gets the id first_id + m.  It goes there from its site,
 * which is open, and stops at solids (collide.h); whatever it is moved by chance, it stays in the
 * box. site: f32 [D][sites], m.  One work-item per particle.
 */
kernel void sources_emit(const struct grid g, const struct inflow_params p,
			 global const float *site, int n, uint first, uint first_id, int has_affine,
			 uint salt, global const struct shape_op *ops, int op_count,
			 global const float *points, global const float *solid_phi,
			 global const uint *solid_slip, int solid_count, uint stride,
			 global float *position, global float *velocity, global float *affine,
			 global uint *id)
{
	const int m = (int)get_global_id(0);
	if (m >= n)
		return;
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const float margin = 2.0f * COLLIDE_MARGIN * g.h;
	const int across = p.wall / 2, layer = m / p.sites, s = m - layer * p.sites;
	const float deep = p.depth - (float)layer * p.layer;
	const uint own = first_id + (uint)m;
	const size_t at = first + (size_t)m;
	float from[3] = {0.0f, 0.0f, 0.0f}, to[3] = {0.0f, 0.0f, 0.0f}, v[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++) {
		from[a] = site[a * p.sites + s];
		if (a == across) {
			const float x = sources_place(p, own, a, deep, p.layer);
			to[a] = p.wall & 1 ? size[a] - x : x;
		} else {
			to[a] = sources_place(p, own, a, from[a] + p.slope[a] * deep, p.spacing[a]);
		}
		to[a] = clamp_float(to[a], margin, size[a] - margin);
		v[a] = p.velocity[a];
	}
	if (op_count > 0)
		collide(g, ops, op_count, points, solid_phi, solid_slip, solid_count, own, salt,
			from, to, v);
	for (int a = 0; a < DIM; a++) {
		position[a * (size_t)stride + at] = to[a];
		velocity[a * (size_t)stride + at] = v[a];
	}
	for (int e = 0; has_affine && e < DIM * DIM; e++)
		affine[e * (size_t)stride + at] = 0.0f;
	id[at] = own;
}
