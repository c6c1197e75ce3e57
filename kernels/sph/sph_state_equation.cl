/*
 * Weakly compressible: pressure by an equation of state (Becker & Teschner 2007), artificial
 * viscosity (Monaghan 1992).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "sph_pairs.h"

/* k = p/(rho0 s^2), m^2/s^2; pressure: p.  rest: rho0.  stiffness: c0^2/gamma; tait: gamma = 7,
 * else 1.  One work-item per particle. */
kernel void sph_pressure(const struct sph_params p, int tait, int tension, float stiffness,
			 float rest, global const float *density, global float *k,
			 global float *pressure)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n)
		return;
	const float s = density[i], cube = s * s * s;
	const float value = stiffness * (tait ? cube * cube * s - 1.0f : s - 1.0f);
	const float counts = tension || value > 0.0f ? value : 0.0f;
	k[i] = counts / (s * s);
	pressure[i] = rest * counts;
}

/*
 * a = dt times the acceleration by pressure and artificial viscosity, m/s:
 *   -sum V (k_i + k_j + Pi_ij) grad W_ij,  Pi = -alpha c0 mu / mean(s) where particles meet,
 *   mu = (R/2) v_ij . x_ij / (r^2 + 0.0025 R^2)
 * viscosity: alpha c0 R/2, m^2/s.  One work-item per particle.
 */
kernel void sph_push(const struct grid g, const struct sph_params p, float dt, float viscosity,
		     global const float *position, global const float *velocity,
		     global const uint *start, global const uint *count, global const uint *list,
		     global const float *gradient, global const float *density,
		     global const float *k, global float *a)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n)
		return;
	const struct sph_view v = {position, start, count, list, gradient};
	struct sph_cursor c = sph_begin(g, p, v, i, (int)count[i]);
	struct sph_pair pair = sph_no_pair();
	const float own = k[i], s = density[i], least = 0.0025f * p.square;
	float sum[3] = {0.0f, 0.0f, 0.0f}, u[3];
	for (int axis = 0; axis < DIM; axis++)
		u[axis] = velocity[axis * p.stride + i];
	while (sph_next(g, p, v, &c, &pair)) {
		float along = 0.0f;
		for (int axis = 0; axis < DIM; axis++) {
			const float there = velocity[axis * p.stride + pair.other];
			const int mirrored = pair.code != 0 && sph_side(pair.code, axis);
			along += (u[axis] - (mirrored ? -there : there)) * pair.apart[axis];
		}
		float push = own + k[pair.other];
		if (along < 0.0f)
			push -= viscosity * along /
				((pair.square + least) * 0.5f * (s + density[pair.other]));
		push *= sph_pair_gradient(p, v, &c, &pair);
		for (int axis = 0; axis < DIM; axis++)
			sum[axis] -= push * pair.apart[axis];
	}
	for (int axis = 0; axis < DIM; axis++)
		a[axis * p.stride + i] = sph_flush(dt * sph_flush(sum[axis]));
}
