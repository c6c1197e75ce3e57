/* Density and moves of the drift correction for CPUs: by blocks, and by vectors of particles. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide_lanes.h"
#include "common.h"
#include "drift_reference.h"
#include "lanes.h"
#include "loop_guard.h"
#include "sample_lanes.h"

#ifndef FRESHET_NATIVE
/* drift_reference() for the particles p .. p + LANES-1. */
void drift_splat_lanes(const struct grid g, int bits, global const float *position,
		       global const uint *id, int stride, int p, global uint *sum)
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	struct lane_axis axis[DIM];
	lane_floats x[DIM];
	lane_ints base = (lane_ints)(0);
	int at[LANES], add[LANES][LANES], to[LANES];
	lanes_load_point(position, stride, p, x);
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		lanes_axis(x[a] * g.inv_h - 0.5f, cells[a] - 1, &axis[a]);
		base += axis[a].low * lattice_stride(g, a);
	}
	lanes_store(base, at);
#pragma unroll
	for (int q = 0; q < LANES; q++) {
		lane_floats w = (lane_floats)(1.0f);
		to[q] = 0;
#pragma unroll
		for (int a = 0; a < DIM; a++) {
			to[q] += (q >> a & 1) && cells[a] > 1 ? lattice_stride(g, a) : 0;
			w *= q >> a & 1 ? axis[a].upper : 1.0f - axis[a].upper;
		}
		lanes_store(lanes_round_small(w * (float)(1 << bits)), add[q]);
	}
	for (int l = 0; l < LANES; l++) {
		if (id[p + l] == ID_REMOVED)
			continue;
#pragma unroll
		for (int q = 0; q < LANES; q++)
			sum[at[l] + to[q]] += (uint)add[q][l];
	}
}
#endif /* FRESHET_NATIVE */

/* By blocks of the last sort.  Particles have moved since, so blocks of one colour are `period`
 * blocks apart, far enough for the largest displacement; colour_x/y/z in [0, period). */
kernel void drift_density_block(const struct grid g, int bits, int period, int colour_x,
				int colour_y, int colour_z, global const uint *start,
				global const float *position, global const uint *id, int stride,
				global uint *sum)
{
	int bx = period * (int)get_global_id(0) + colour_x;
	int by = period * (int)get_global_id(1) + colour_y;
	int bz = period * (int)get_global_id(2) + colour_z;
	if (bx >= g.bx || by >= g.by || bz >= g.bz)
		return;
	int key = ((bz * g.by + by) * g.bx + bx) * BLOCK_CELLS;
	int p = (int)start[key], end = (int)start[key + BLOCK_CELLS];
#ifndef FRESHET_NATIVE
	for (; p <= end - LANES; p += LANES)
		drift_splat_lanes(g, bits, position, id, stride, p, sum);
#endif /* FRESHET_NATIVE */
	for (; p < end; p++)
		if (id[p] != ID_REMOVED)
			drift_reference(g, bits, position, stride, p, sum);
}

#ifndef FRESHET_NATIVE
/* drift_share() of every lane; roots only where one is needed, 0.99 being for rounding. */
lane_floats drift_share_lanes(lane_floats square, float limit)
{
	float each[LANES];
	if (!any(square > 0.99f * limit * limit))
		return (lane_floats)(1.0f);
	lanes_store(square, each);
	for (int l = 0; l < LANES; l++)
		each[l] = drift_share(each[l], limit);
	return lanes_load(each);
}

/* drift_move by vectors of particles; two cells or more in x.  One work-item per LANES_CHUNK of
 * them.
 */
kernel void drift_move_lanes(const struct grid g, global const float *displacement, float limit,
			     uint salt, global float *position, global float *velocity,
			     global uint *id, int stride, int n, global const struct shape_op *ops,
			     int op_count, global const float *points,
			     global const float *solid_phi, global const uint *solid_slip,
			     int solid_count, global uint *scalars)
{
	const struct collide_solids solids = {ops,	 op_count,   points,
					      solid_phi, solid_slip, solid_count};
	int p = (int)get_global_id(0) * LANES_CHUNK, end = lanes_chunk_end(p, n);
	for (; p < end; p += LANES) {
		lane_floats x[3], d[3], moved[3], square = (lane_floats)(0.0f);
		lanes_load_points(position, stride, p, end, x);
		lanes_velocity(g, displacement, x, d);
		for (int a = 0; a < DIM; a++)
			square += d[a] * d[a];
		lane_floats share = drift_share_lanes(square, limit);
		for (int a = 0; a < DIM; a++)
			moved[a] = x[a] + d[a] * share;
		collide_move_lanes(g, &solids, salt, x, moved, position, velocity, 1, id, stride, p,
				   end, scalars);
	}
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
#endif /* FRESHET_NATIVE */
