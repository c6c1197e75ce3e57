/*
 * Drift correction: particles packed too densely or too loosely are moved apart by a second solve
 * on the pressure operator (implicit density projection, Kugelstadt et al. 2019).  Only positions
 * move; the displacement is -grad q with div(displacement) = kappa (rho/rho0 - 1).  rho and the
 * moves of particles, plainly, are drift_reference.h; CPUs do them by drift_block.cl.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "collide_count.h"
#include "common.h"
#include "drift_reference.h"
#include "faces.h"
#include "loop_guard.h"
#include "solids_reached.h"

/*
 * drift_reference() by atomics, in a tile of local memory first, which goes to the grid at the end:
 * one work-group per block of the last sort; the tile has `margin` cells more on either side.
 * Particles that have left it go to the grid themselves.  A work-item takes a run of particles, so
 * that neighbours work on different cells.
 */
kernel void drift_density_tile(const struct grid g, int bits, global const uint *start,
			       global const float *position, global const uint *id, int stride,
			       global uint *sum, int margin, local uint *tile)
{
	const int edge = BLOCK_EDGE(DIM) + 2 * margin;
	const int tile_cells = edge * edge * (DIM == 3 ? edge : 1);
	const int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	const int block = (int)get_group_id(0);
	const int x = modulo(block, g.bx) * BLOCK_EDGE(DIM) - margin;
	const int y = modulo(block / g.bx, g.by) * BLOCK_EDGE(DIM) - margin;
	const int z = DIM == 3 ? block / g.bx / g.by * BLOCK_EDGE(DIM) - margin : 0;
	for (int n = lane; n < tile_cells; n += lanes)
		tile[n] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	const int from = (int)start[block * BLOCK_CELLS],
		  to = (int)start[(block + 1) * BLOCK_CELLS];
	const int run = (to - from + lanes - 1) / lanes, first = from + lane * run;
	for (int p = first; p < first + run && p < to; p++) {
		if (id[p] == ID_REMOVED)
			continue;
		const struct stencil s = drift_stencil(g, position, stride, p);
		const int i = modulo(s.base, g.px) - x, j = modulo(s.base / g.px, g.py) - y;
		const int k = s.base / g.px / g.py - z;
		int inside = i >= 0 && j >= 0 && k >= 0 && i < edge - 1 && j < edge - 1;
		if (DIM == 3)
			inside = inside && k < edge - 1;
		const int at = (k * edge + j) * edge + i;
		for (int q = 0; q < STENCIL_CORNERS; q++) {
			const uint add = drift_weight(s, bits, q);
			if (!add)
				continue;
			if (inside)
				atomic_add(tile + at + (q & 1) + (q >> 1 & 1) * edge +
						   (q >> 2) * edge * edge,
					   add);
			else
				atomic_add(sum + stencil_at(s, q), add);
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int n = lane; n < tile_cells; n += lanes) {
		const int row = n / edge;
		if (tile[n])
			atomic_add(sum + lattice_index(g, x + modulo(n, edge),
						       y + modulo(row, edge), z + row / edge),
				   tile[n]);
	}
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

/* The same without solids around, into *excess; gives whether there are some: 0 < open < 1 of a
 * cell that matters.  What is asked becomes factors, so that rows become vectors
 * (docs/portability.md#kernels-that-become-vectors). */
ALWAYS_INLINE int drift_plain_excess(const struct grid g, float to_rho,
				     global const uint *restrict sum,
				     global const ushort *restrict volume_open,
				     global const uchar *restrict cell_type,
				     global const uchar *restrict opened, long at, int i, int j,
				     int k, float *excess)
{
	const float open = (float)(int)room_units(volume_open[at]) * (1.0f / FRACTION_ONE);
	const float beyond = (float)sum[at] * to_rho - open;
	/* 0: a wall of the cell has let go, there is air, there is a cut cell. */
	float held = 1.0f, wet = 1.0f, whole = 1.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		const int bits = opened[at] | opened[at + lattice_stride(g, a)];
		held *= (bits >> a | bits >> (a + 4)) & 1 ? 0.0f : 1.0f;
	}
#pragma unroll
	for (int c = DIM == 3 ? -1 : 0; c <= (DIM == 3 ? 1 : 0); c++)
#pragma unroll
		for (int b = -1; b <= 1; b++)
#pragma unroll
			for (int a = -1; a <= 1; a++) {
				const long to = at + (c * g.py + b) * g.px + a;
				const int exists = (i + a >= 0) & (i + a < g.nx) & (j + b >= 0) &
						   (j + b < g.ny) & (k + c >= 0) & (k + c < g.nz);
				const int type = exists ? cell_type[to] : CELL_SOLID;
				const int room = exists ? volume_open[to] : FRACTION_ONE;
				wet *= type == CELL_AIR ? 0.0f : 1.0f;
				whole *= room < FRACTION_ONE ? 0.0f : 1.0f;
			}
	const float clamped = clamp_float(beyond, -0.5f * open, 0.5f * open);
	*excess = beyond < 0.0f && held * wet == 0.0f ? 0.0f : clamped;
	return (beyond < 0.0f) & (whole == 0.0f);
}

/* b = scale * drift_excess() in liquid cells, 0 elsewhere.  work-item of bricks_in_rows(). */
kernel void drift_rhs(global const int *restrict bricks, const struct brick_run run,
		      const struct grid g, const struct mg_level level, float to_rho, float scale,
		      global const uint *restrict sum, global const ushort *restrict volume_open,
		      global const uchar *restrict cell_type, global const uchar *restrict opened,
		      int split, global const ushort *restrict open_fraction,
		      global float *restrict b)
{
	const struct brick_point p = mg_listed_row(bricks, run);
	const long first = lattice_index(g, p.i, p.j, p.k);
	int cut = split;
	if (!mg_row_counts(bricks, run) | (p.j >= g.ny) | (p.k >= g.nz))
		return;
	BRICK_FOR_X(x)
	{
		const int i = p.i + (int)x;
		int near = 0;
		if (i < g.nx) {
			float value = 0.0f;
			if (cell_type[first + x] == CELL_LIQUID) {
				float excess;
				near = drift_plain_excess(g, to_rho, sum, volume_open, cell_type,
							  opened, first + x, i, p.j, p.k, &excess);
				value = scale * excess;
			}
			b[mg_at_cell_behind(level, p.i, x, p.j, p.k)] = value;
		}
		cut |= near;
	}
	if (!cut)
		return;
	BRICK_FOR_X(x)
	{
		const int i = p.i + (int)x;
		if (i < g.nx && cell_type[first + x] == CELL_LIQUID)
			b[mg_at_cell_behind(level, p.i, x, p.j, p.k)] =
				scale * drift_excess(g, to_rho, sum, volume_open, cell_type, opened,
						     split, open_fraction, i, p.j, p.k);
	}
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
kernel void
drift_displacement(global const int *restrict bricks, const struct brick_run run,
		   const struct grid g, const struct mg_level level, global const float *restrict q,
		   global const uchar *restrict cell_type, global const float *restrict phi,
		   global const ushort *restrict open_fraction, global const uchar *restrict opened,
		   global float *restrict displacement, global uchar *restrict valid)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if ((i >= g.px) | (j >= g.py) | (k >= g.pz))
		return;
	const long at = bricks_index(g, bricks, run);
	int bits = 0;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		const long slot = a * g.lattice + at;
		float d = 0.0f;
		if (face_exists(g, a, i, j, k)) {
			int kind;
			d = -faces_gradient(g, level, q, cell_type, phi, open_fraction, opened, at,
					    i, j, k, a, &kind);
			const int here = a == 0 ? i : a == 1 ? j : k;
			const int last = a == 0 ? g.nx : a == 1 ? g.ny : g.nz;
			const int fixed =
				((here == 0) | (here == last)) & (open_fraction[slot] == 0);
			bits |= kind != FACE_CLOSED ? 1 << a : fixed ? 8 << a : 0;
		}
		displacement[slot] = d;
	}
	valid[at] = (uchar)bits;
}

/* drift_shift(), then collision.  One work-item per particle. */
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
	float x[3] = {0.0f, 0.0f, 0.0f}, moved[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	drift_shift(g, displacement, limit, x, moved);
	collide_move(g, &solids, salt, x, moved, position, velocity, 1, id, stride, p, scalars);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
