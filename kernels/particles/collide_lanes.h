/* Collision for vectors of particles: most meet nothing, which is seen for all lanes at once. */
#ifndef FRESHET_COLLIDE_LANES_H
#define FRESHET_COLLIDE_LANES_H

#include "collide_count.h"
#include "sample_lanes.h"

#ifndef FRESHET_NATIVE

/* As collide_solid_phi(). */
lane_floats collide_solid_phi_lanes(const struct grid g, global const float *solid_phi,
				    const lane_floats x[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	lane_floats value[LANES], sum = (lane_floats)(0.0f);
	struct lanes_stencil s;
	s.base = (lane_ints)(0);
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		struct lane_axis axis;
		lanes_axis(x[a] * g.inv_h, cells[a], &axis);
		s.upper[a] = axis.upper;
		s.step[a] = lattice_stride(g, a);
		s.base += axis.low * s.step[a];
	}
	lanes_corners(solid_phi, &s, value);
#pragma unroll
	for (int q = 0; q < LANES; q++) {
		lane_floats weight = q & 1 ? s.upper[0] : 1.0f - s.upper[0];
#pragma unroll
		for (int a = 1; a < DIM; a++)
			weight *= q >> a & 1 ? s.upper[a] : 1.0f - s.upper[a];
		sum += weight * value[q];
	}
	return sum;
}

/* collide_is_free() of every lane, with nodal distances that are off by `slack`, m. */
int collide_free_lanes(const struct grid g, const struct collide_solids *solids,
		       const lane_floats x[3], const lane_floats moved[3], float slack)
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const int cells[3] = {g.nx, g.ny, g.nz};
	const float margin = COLLIDE_MARGIN * g.h;
	lane_ints beyond = (lane_ints)(0);
#pragma unroll
	for (int a = 0; a < DIM; a++)
		beyond |= (moved[a] < margin) | (moved[a] > size[a] - margin) |
			  (lanes_to_ints(moved[a] * g.inv_h) >= cells[a]);
	if (any(beyond))
		return 0;
	if (solids->op_count == 0)
		return 1;
	/* No path is longer than the sum of its parts; the factor is for rounding. */
	lane_floats length = (lane_floats)(0.0f);
#pragma unroll
	for (int a = 0; a < DIM; a++)
		length += fabs(moved[a] - x[a]);
	return all(collide_solid_phi_lanes(g, solids->solid_phi, x) >
		   length * (1.0f + 0x1p-20f) + slack);
}

/* Moves the particles p .. end-1, up to LANES, from x[] to moved[], as collide_move() does each;
 * removed ones stay. */
void collide_move_lanes(const struct grid g, const struct collide_solids *solids, uint salt,
			const lane_floats x[3], const lane_floats moved[3], global float *position,
			global float *velocity, int correction, global uint *id, int stride, int p,
			int end, global uint *scalars)
{
	float from[3][LANES], to[3][LANES];
	if (p <= end - LANES && !any(lanes_load(id + p) == ID_REMOVED) &&
	    collide_free_lanes(g, solids, x, moved, g.h)) {
		for (int a = 0; a < DIM; a++)
			lanes_store(moved[a], position + a * stride + p);
		return;
	}
	for (int a = 0; a < DIM; a++) {
		lanes_store(x[a], from[a]);
		lanes_store(moved[a], to[a]);
	}
	for (int l = 0; l < LANES && p + l < end; l++) {
		float start[3] = {0.0f, 0.0f, 0.0f}, end[3] = {0.0f, 0.0f, 0.0f};
		if (id[p + l] == ID_REMOVED)
			continue;
		for (int a = 0; a < DIM; a++) {
			start[a] = from[a][l];
			end[a] = to[a][l];
		}
		collide_move(g, solids, salt, start, end, position, velocity, correction, id,
			     stride, p + l, scalars);
	}
}
#endif /* FRESHET_NATIVE */

#endif
