/* Velocities that damp each other, forces, and motion. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide_count.h"
#include "common.h"
#include "kick.h"
#include "sph_pairs.h"

/* Of R: how near a closed wall a particle may come; how far a shift may lead. */
#define SPH_WALL 0.02f
#define SPH_MOST_SHIFT 0.04f

/* a = share sum V W (v_j - v_i), m/s: what particles take over of their neighbours' velocity
 * (Monaghan 1989; no images: walls do not drag).  One work-item per particle. */
kernel void sph_damp(const struct grid g, const struct sph_params p, float share,
		     global const float *position, global const float *velocity,
		     global const uint *start, global const uint *count, global const uint *list,
		     global const float *gradient, global float *a)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n)
		return;
	const struct sph_view v = {position, start, count, list, gradient};
	struct sph_cursor c = sph_begin(g, p, v, i, (int)count[i]);
	struct sph_pair pair = sph_no_pair();
	float u[3], sum[3] = {0.0f, 0.0f, 0.0f};
	for (int axis = 0; axis < DIM; axis++)
		u[axis] = velocity[axis * p.stride + i];
	while (sph_next(g, p, v, &c, &pair)) {
		const float q = sqrt(pair.square) * p.inv_radius;
		const float w = pair.code ? 0.0f : p.weight * sph_weight(p.shape, q);
		for (int axis = 0; axis < DIM; axis++)
			sum[axis] -= w * (u[axis] - velocity[axis * p.stride + pair.other]);
	}
	for (int axis = 0; axis < DIM; axis++)
		a[axis * p.stride + i] = sph_flush(share * sph_flush(sum[axis]));
}

/* v += a, if `damped`, and the kick where particles are, whose slopes are for a cell.  One
 * work-item per particle. */
kernel void sph_kick(const struct grid g, const struct sph_params p, const struct kick kick,
		     int damped, global const float *position, global const float *a,
		     global float *velocity)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n)
		return;
	for (int c = 0; c < DIM; c++) {
		float dv = FORCES_OF(kick.first, 0, 1, 2);
		for (int axis = 0; axis < DIM && kick.varies; axis++) {
			const float at = position[axis * p.stride + i] * g.inv_h;
			dv += (axis == c ? at : at - 0.5f) * kick.slope[3 * c + axis];
		}
		velocity[c * p.stride + i] += (damped ? a[c * p.stride + i] : 0.0f) + dv;
	}
}

/* x += dt v and, if `shifted`, a, cut off; closed walls stop particles, those beyond open ones are
 * removed.  Work-items stride through the particles. */
kernel void sph_move(const struct grid g, const struct sph_params p, float dt, int shifted,
		     global const float *a, global float *position, global float *velocity,
		     global uint *id, global uint *scalars)
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const float radius = sqrt(p.square), most = SPH_MOST_SHIFT * radius;
	const float margin = SPH_WALL * radius;
	uint greatest = 0;
	for (int i = (int)get_global_id(0); i < p.n; i += (int)get_global_size(0)) {
		float square = 0.0f, x[3] = {0.0f, 0.0f, 0.0f};
		int pushed = 0;
		for (int c = 0; c < DIM && shifted; c++)
			square += a[c * p.stride + i] * a[c * p.stride + i];
		const float length = sqrt(square);
		const float share = length > most ? most / length : 1.0f;
		const uint bits = as_uint(min_float(square, most * most));
		greatest = bits > greatest ? bits : greatest;
		for (int c = 0; c < DIM; c++) {
			const float u = velocity[c * p.stride + i];
			x[c] = position[c * p.stride + i] + dt * u;
			if (shifted)
				x[c] += share * a[c * p.stride + i];
			const int side = x[c] < margin ? 0 : x[c] > size[c] - margin ? 1 : -1;
			if (side < 0 || (g.open_walls >> (2 * c + side) & 1))
				continue;
			x[c] = side ? size[c] - margin : margin;
			if (side ? u > 0.0f : u < 0.0f)
				velocity[c * p.stride + i] = 0.0f;
			pushed = 1;
		}
		for (int c = 0; c < DIM; c++)
			position[c * p.stride + i] = x[c];
		if (pushed || collide_left(g, x))
			collide_count((pushed ? COLLIDE_PUSHED : 0) |
					      (collide_left(g, x) ? COLLIDE_LEFT : 0),
				      scalars, id, i);
	}
	atomic_max(scalars + SCALAR_SPH_SHIFT, greatest);
}
