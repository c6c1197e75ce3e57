/* What a grid of liquid holds: where, how much, how fast. */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "grid_units.h"
#include "pairs.h"
#include "vof_cell.h"

/* starts[key] = 1 for cells that hold liquid, in the order of the sort of particles, whose lists
 * of bricks take it; zeroed before.  One work-item per lattice point. */
kernel void grid_occupied(const struct grid g, global const uint *volume, global uint *starts)
{
	const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (cell_exists(g, i, j, k) && volume[lattice_index(g, i, j, k)] != 0)
		starts[block_key(g, i, j, k)] = 1;
}

/* The greater of what flows into a cell from those with liquid and, if it has some, out of it,
 * over the area of a face, m/s.  *bad: is a face of it not finite?  Comparisons pass NaN over. */
ALWAYS_INLINE float grid_flow(const struct grid g, global const uint *volume,
			      global const float *u_face, int at, int i, int j, int k, uint *bad)
{
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	float in = 0.0f, out = 0.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		const int stride = lattice_stride(g, a);
		const float low = u_face[a * g.lattice + at];
		const float high = u_face[a * g.lattice + at + stride];
		*bad |= !(fabs(low) < HUGE_FROM) || !(fabs(high) < HUGE_FROM) ? 1u : 0u;
		if (low > 0.0f && here[a] > 0 && volume[at - stride] != 0)
			in += low;
		if (high < 0.0f && here[a] + 1 < cells[a] && volume[at + stride] != 0)
			in -= high;
		out += (low < 0.0f ? -low : 0.0f) + (high > 0.0f ? high : 0.0f);
	}
	return max_float(in, volume[at] != 0 ? out : 0.0f);
}

/*
 * The sum of C into the two words from scalars[sum] on, the greatest grid_flow(), and whether a
 * face is not finite.  Work-item = x in a brick, on CPUs one for all.
 */
kernel void grid_survey(global const int *bricks, const struct brick_run run, const struct grid g,
			global const uint *volume, global const float *u_face, int sum,
			global uint *scalars)
{
	const int place = bricks_place(run, 1);
	struct grid_units units = {0, 0};
	uint fastest = 0, bad = 0;
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if (p.j >= g.py || p.k >= g.pz)
			continue;
		const long first = lattice_index(g, p.i, p.j, p.k);
		BRICK_FOR_X(x)
		{
			const int i = p.i + (int)x;
			if (!cell_exists(g, i, p.j, p.k))
				continue;
			const uint speed = as_uint(
				grid_flow(g, volume, u_face, (int)(first + x), i, p.j, p.k, &bad));
			grid_count(&units, (int)volume[first + x]);
			fastest = speed > fastest ? speed : fastest;
		}
	}
	grid_add(scalars + sum, units);
	atomic_max(scalars + SCALAR_CELL_FLOW, fastest);
	if (bad)
		atomic_max(scalars + SCALAR_NON_FINITE, NON_FINITE_GRID);
}

/* Velocity at a cell's centre. */
ALWAYS_INLINE float grid_velocity(const struct grid g, global const float *u_face, int c, int at)
{
	global const float *u = u_face + c * g.lattice + at;
	return 0.5f * (u[0] + u[lattice_stride(g, c)]);
}

/* Of a cell, what `what` (enum particle_sum) sums up. */
ALWAYS_INLINE float grid_value(const struct grid g, global const float *u_face, int at, int i,
			       int j, int k, int what)
{
	if (what == SUM_KINETIC) {
		float square = 0.0f;
		for (int c = 0; c < DIM; c++) {
			const float u = grid_velocity(g, u_face, c, at);
			square += u * u;
		}
		return 0.5f * square;
	}
	const int c = what < SUM_VX ? what - SUM_X : what - SUM_VX;
	if (c >= DIM)
		return 0.0f;
	return what < SUM_VX ? ((float)(c == 0	 ? i
					: c == 1 ? j
						 : k) +
				0.5f) * g.h
			     : grid_velocity(g, u_face, c, at);
}

/*
 * Chunk sums of kinetic energy, place and velocity times C over the lattice, partial[sums +
 * what*chunks + chunk]; and of the cells: how many are liquid, the greatest |u|^2 of one, the least
 * and the most C, whether a value is not finite.  A group for each listed chunk.  lane: pairs of
 * PARTICLE_SUMS x PAIRS_LANES.
 */
kernel void grid_sums(global const int *bricks, const struct brick_run run, const struct grid g,
		      global const uint *volume, global const float *u_face,
		      global const uchar *cell_type, int chunks, int sums,
		      global struct pair *partial, local struct pair *lane, global uint *scalars)
{
	const int chunk = bricks_chunk(bricks, run, (int)get_group_id(0));
	uint liquid = 0, speed = 0, bad = 0;
	int lowest = 0, highest = 0;
	for (int w = (int)get_local_id(0); w < PAIRS_LANES && chunk >= 0;
	     w += (int)get_local_size(0)) {
		float high[PARTICLE_SUMS], low[PARTICLE_SUMS];
		for (int what = 0; what < PARTICLE_SUMS; what++)
			high[what] = low[what] = 0.0f;
		for (int t = w; t < PAIRS_CHUNK; t += PAIRS_LANES) {
			const int at = chunk * PAIRS_CHUNK + t;
			const int i = modulo(at, g.px), j = modulo(at / g.px, g.py);
			const int k = at / g.px / g.py;
			if (at >= g.lattice || !cell_exists(g, i, j, k))
				continue;
			const int units = (int)volume[at];
			lowest = min_int(lowest, units);
			highest = units > highest ? units : highest;
			liquid += cell_type[at] == CELL_LIQUID ? 1u : 0u;
			if (units == 0)
				continue;
			const float part = (float)units * VOLUME_TO_PART;
			for (int what = 0; what < PARTICLE_SUMS; what++) {
				const float value = grid_value(g, u_face, at, i, j, k, what);
				if (what == SUM_KINETIC && cell_type[at] == CELL_LIQUID) {
					const uint size = as_uint(2.0f * value);
					speed = size > speed ? size : speed;
				}
				bad |= !(fabs(value) < HUGE_FROM);
				pairs_accumulate(&high[what], &low[what], value, part);
			}
		}
		for (int what = 0; what < PARTICLE_SUMS; what++)
			lane[what * PAIRS_LANES + w] = pair_of(high[what], low[what]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int what = (int)get_local_id(0); what < PARTICLE_SUMS && chunk >= 0;
	     what += (int)get_local_size(0))
		partial[sums + what * chunks + chunk] = pairs_lanes(lane + what * PAIRS_LANES);
	if (bad)
		atomic_max(scalars + SCALAR_NON_FINITE, NON_FINITE_GRID);
	if (liquid)
		atomic_add(scalars + SCALAR_LIQUID_CELLS, liquid);
	atomic_max(scalars + SCALAR_SPEED_AFTER, speed);
	if (lowest < 0)
		atomic_max(scalars + SCALAR_VOLUME_LACK, (uint)-lowest);
	if (highest > VOLUME_ONE)
		atomic_max(scalars + SCALAR_VOLUME_EXCESS, (uint)(highest - VOLUME_ONE));
}
