/*
 * Drift correction: particles packed too densely or too loosely are moved apart by a second solve
 * on the pressure operator (implicit density projection, Kugelstadt et al. 2019).  Only positions
 * move; the displacement is -grad q with div(displacement) = kappa (rho/rho0 - 1), rho the
 * (bi/tri)linear density at the new positions, rho0 that of liquid which fills the open room.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "collide_count.h"
#include "collide_lanes.h"
#include "common.h"
#include "faces.h"
#include "loop_guard.h"
#include "sample.h"
#include "solids_reached.h"

/* Adds particle p's linear weights to the cells around it, in units of 2^-bits. */
void drift_splat(const struct grid g, int bits, global const float *position, int stride, int p,
		 global uint *sum, int use_atomics)
{
	float x[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	struct stencil s = sample_stencil(g, DIM, x);
	for (int q = 0; q < 1 << DIM; q++) {
		int at = s.base;
		float w = 1.0f;
		for (int a = 0; a < DIM; a++) {
			at += (q >> a & 1) * s.step[a];
			w *= q >> a & 1 ? s.upper[a] : 1.0f - s.upper[a];
		}
		uint add = convert_uint_rte(w * (float)(1 << bits));
		if (!add)
			continue;
		if (use_atomics)
			atomic_add(sum + at, add);
		else
			sum[at] += add;
	}
}

#ifndef FRESHET_NATIVE
/* The same for the particles p .. p + LANES-1, by plain adds. */
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

kernel void drift_density_atomic(const struct grid g, int bits, global const float *position,
				 global const uint *id, int stride, int n, global uint *sum)
{
	int p = (int)get_global_id(0);
	if (p < n && id[p] != ID_REMOVED)
		drift_splat(g, bits, position, stride, p, sum, 1);
}

/* Largest distance, in whole cells along an axis, of a particle from the block in which it was
 * sorted, into scalars.  One work-item per block. */
kernel void drift_reach(const struct grid g, global const uint *start, global const float *position,
			global const uint *id, int stride, global uint *scalars)
{
	int bx = (int)get_global_id(0), by = (int)get_global_id(1), bz = (int)get_global_id(2);
	if (bx >= g.bx || by >= g.by || bz >= g.bz)
		return;
	const int edge = BLOCK_EDGE(DIM);
	const int low[3] = {bx * edge, by * edge, bz * edge};
	int key = ((bz * g.by + by) * g.bx + bx) * BLOCK_CELLS, most = 0;
	for (uint p = start[key]; p < start[key + BLOCK_CELLS]; p++) {
		if (id[p] == ID_REMOVED)
			continue;
		for (int a = 0; a < DIM; a++) {
			int cell = floor_int(position[a * stride + p] * g.inv_h);
			int below = low[a] - cell, above = cell - (low[a] + edge - 1);
			most = below > most ? below : most;
			most = above > most ? above : most;
		}
	}
	if (most > 0)
		atomic_max(scalars + SCALAR_DRIFT_REACH, (uint)most);
}

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
			drift_splat(g, bits, position, stride, p, sum, 0);
}

/* Whether a wall beside the cell has let go. */
int drift_let_go(const struct grid g, global const uchar *opened, int at)
{
	int any = 0;
	for (int a = 0; a < DIM; a++) {
		int bits = opened[at] | opened[at + lattice_stride(g, a)];
		any |= (bits >> a | bits >> (a + 4)) & 1;
	}
	return any;
}

/* Can air have come near a cell without the cell's own deficit telling: beside it, or behind a wall
 * that has let go of a cut cell beside it, which stays liquid until its little room is empty? */
int drift_near_air(const struct grid g, global const ushort *volume_open,
		   global const uchar *cell_type, global const uchar *opened, int at)
{
	return cell_type[at] == CELL_AIR ||
	       (volume_open[at] < FRACTION_ONE && drift_let_go(g, opened, at));
}

/* Liquid in a cell beyond what it has room for, in cells, at most half of that.  Deficits count as
 * 0 beside air and where a wall of the cell itself has let go: a gap opens there, which the weights
 * of whole cells below do not reach before its cell is air.  split: air that solids cut off does
 * not count. */
float drift_excess(const struct grid g, float to_rho, global const uint *sum,
		   global const ushort *volume_open, global const uchar *cell_type,
		   global const uchar *opened, int split, global const ushort *open_fraction, int i,
		   int j, int k)
{
	int at = lattice_index(g, i, j, k);
	const float open = (float)room_units(volume_open[at]) * (1.0f / FRACTION_ONE);
	float excess = (float)sum[at] * to_rho - open;
	if (excess < 0.0f && drift_let_go(g, opened, at))
		return 0.0f;
	if (excess < 0.0f)
		for (int c = DIM == 3 ? -1 : 0; c <= (DIM == 3 ? 1 : 0); c++)
			for (int b = -1; b <= 1; b++)
				for (int a = -1; a <= 1; a++) {
					if (!cell_exists(g, i + a, j + b, k + c))
						continue;
					const int here[3] = {i, j, k},
						  to[3] = {i + a, j + b, k + c};
					if (split && !solids_reached(g, open_fraction, here, to))
						continue;
					if (drift_near_air(g, volume_open, cell_type, opened,
							   lattice_index(g, to[0], to[1], to[2])))
						return 0.0f;
				}
	return clamp_float(excess, -0.5f * open, 0.5f * open);
}

/* Walls that have let go are closed to displacements, and remembered four bits higher. */
kernel void drift_close_walls(const struct grid g, global uchar *opened)
{
	int at = (int)get_global_id(0);
	if (at < g.lattice)
		opened[at] = (uchar)(opened[at] << 4);
}

/* b = scale * drift_excess() in liquid cells, 0 elsewhere.  Work-item per cell, both colours. */
kernel void drift_rhs(global const int *restrict bricks, const struct brick_run run,
		      const struct grid g, const struct mg_level level, float to_rho, float scale,
		      global const uint *sum, global const ushort *volume_open,
		      global const uchar *cell_type, global const uchar *opened, int split,
		      global const ushort *open_fraction, global float *b)
{
	struct mg_cell c = mg_listed_both(level, bricks, run);
	if (!c.exists)
		return;
	float value = 0.0f;
	if (cell_type[lattice_index(g, c.i, c.j, c.k)] == CELL_LIQUID)
		value = scale * drift_excess(g, to_rho, sum, volume_open, cell_type, opened, split,
					     open_fraction, c.i, c.j, c.k);
	b[c.at] = value;
}

/* For drift `density`: adds scale * drift_excess(), zero within the dead band, to the pressure
 * solve's right-hand side. */
kernel void drift_add_divergence(global const int *restrict bricks, const struct brick_run run,
				 const struct grid g, const struct mg_level level, float to_rho,
				 float scale, float dead_band, global const uint *sum,
				 global const ushort *volume_open, global const uchar *cell_type,
				 global const uchar *opened, int split,
				 global const ushort *open_fraction, global float *b)
{
	struct mg_cell c = mg_listed_both(level, bricks, run);
	if (!c.exists || cell_type[lattice_index(g, c.i, c.j, c.k)] != CELL_LIQUID)
		return;
	const float open = (float)room_units(volume_open[lattice_index(g, c.i, c.j, c.k)]) *
			   (1.0f / FRACTION_ONE);
	float e = drift_excess(g, to_rho, sum, volume_open, cell_type, opened, split, open_fraction,
			       c.i, c.j, c.k);
	if (fabs(e) > dead_band * open)
		b[c.at] += scale * e;
}

/* displacement = -grad q on the faces that take part; valid bits say which. */
kernel void drift_displacement(global const int *bricks, const struct brick_run run,
			       const struct grid g, const struct mg_level level,
			       global const float *q, global const uchar *cell_type,
			       global const float *phi, global const ushort *open_fraction,
			       global const uchar *opened, global float *displacement,
			       global uchar *valid)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	uchar bits = 0;
	for (int a = 0; a < DIM; a++) {
		float d = 0.0f;
		if (face_exists(g, a, i, j, k)) {
			int kind;
			d = -faces_gradient(g, level, q, cell_type, phi, open_fraction, opened, i,
					    j, k, a, &kind);
			int here = a == 0 ? i : a == 1 ? j : k;
			int last = a == 0 ? g.nx : a == 1 ? g.ny : g.nz;
			if (kind != FACE_CLOSED)
				bits |= (uchar)(1 << a);
			else if ((here == 0 || here == last) &&
				 open_fraction[a * g.lattice + at] == 0)
				bits |= (uchar)(8 << a);
		}
		displacement[a * g.lattice + at] = d;
	}
	valid[at] = bits;
}

/* Share of a displacement of that squared length which is within the limit. */
float drift_share(float square, float limit)
{
	float length = sqrt(square);
	return length > limit ? limit / length : 1.0f;
}

/* x += displacement(x), at most `limit` metres, then collision.  One work-item per particle. */
kernel void drift_move(const struct grid g, global const float *displacement, float limit,
		       uint salt, global float *position, global float *velocity, global uint *id,
		       int stride, int n, global const struct shape_op *ops, int op_count,
		       global const float *points, global const float *solid_phi,
		       global const uint *solid_slip, int solid_count, global uint *scalars)
{
	const struct collide_solids solids = {ops,	 op_count,   points,
					      solid_phi, solid_slip, solid_count};
	int p = (int)get_global_id(0);
	if (p >= n || id[p] == ID_REMOVED)
		return;
	float x[3] = {0.0f, 0.0f, 0.0f}, d[3] = {0.0f, 0.0f, 0.0f};
	float moved[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f;
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	sample_velocity(g, displacement, x, d);
	for (int a = 0; a < DIM; a++)
		square += d[a] * d[a];
	float share = drift_share(square, limit);
	for (int a = 0; a < DIM; a++)
		moved[a] = x[a] + d[a] * share;
	collide_move(g, &solids, salt, x, moved, position, velocity, 1, id, stride, p, scalars);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

#ifndef FRESHET_NATIVE
/* drift_share() of every lane; roots only where one is needed. */
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

/* The same by vectors of particles; two cells or more in x.  One work-item per LANES_CHUNK of them.
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
