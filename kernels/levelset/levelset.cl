/*
 * The liquid's level set at cell centres from the particles' density, and the cell types.
 *
 * phi = (1/2 - rho/rho0) R / slope, with which phi is a distance near a flat surface; rho/rho0 and
 * R in density_reference.h.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "blocks.h"
#include "brick_access.h"
#include "common.h"
#include "density_reference.h"
#include "solids_reached.h"

#define LEVELSET_ROWS (DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS)
#define LEVELSET_LAYERS (DIM == 3 ? BRICK_EDGE_3D : 1)
/* Particles reach two cells. */
#define LEVELSET_REACH 2
#define LEVELSET_REACH_Z (DIM == 3 ? LEVELSET_REACH : 0)
/* Cells whose particles reach a brick: in rows as long as it is, and at their ends. */
#define LEVELSET_AROUND_Y (LEVELSET_ROWS + 2 * LEVELSET_REACH)
#define LEVELSET_AROUND_Z (LEVELSET_LAYERS + 2 * LEVELSET_REACH_Z)
#define LEVELSET_INNER (BRICK_X * LEVELSET_AROUND_Y * LEVELSET_AROUND_Z)
#define LEVELSET_AROUND \
	(LEVELSET_INNER + 2 * LEVELSET_REACH * LEVELSET_AROUND_Y * LEVELSET_AROUND_Z)
/* Particles of a cell that are gone through at a time. */
#define LEVELSET_BATCH 4
/* In cells: beyond the reach of every cell. */
#define LEVELSET_NOWHERE 1e6f

/* The nth cell whose particles reach a brick, from its first cell on: those of rows first, so that
 * neighbours in a row are neighbours in a group. */
void levelset_around(int n, int cell[3])
{
	const int ends = 2 * LEVELSET_REACH, at = n < LEVELSET_INNER ? n : n - LEVELSET_INNER;
	const int along = n < LEVELSET_INNER ? BRICK_X : ends, row = at / along;
	const int x = at - row * along;
	cell[0] = n < LEVELSET_INNER   ? x
		  : x < LEVELSET_REACH ? x - LEVELSET_REACH
				       : x - LEVELSET_REACH + BRICK_X;
	cell[1] = modulo(row, LEVELSET_AROUND_Y) - LEVELSET_REACH;
	cell[2] = row / LEVELSET_AROUND_Y - LEVELSET_REACH_Z;
}

/* Up to LEVELSET_BATCH particles from p on as density_place() has them, those there are not
 * nowhere.
 */
void levelset_load(const struct grid g, global const float *position, int stride, int p, int end,
		   float x[LEVELSET_BATCH][3])
{
	int first[3];
#pragma unroll
	for (int n = 0; n < LEVELSET_BATCH; n++) {
		x[n][0] = LEVELSET_NOWHERE;
		x[n][1] = x[n][2] = 0.0f;
		if (p + n < end)
			density_place(g, position, stride, p + n, x[n], first);
	}
}

/* levelset_fold() of cell i, and what it does to a cell j beside it: the particles of the image in
 * i give to j what those that there are give to the cell sign j + shift. */
int levelset_mirror(const struct grid g, int axis, int i, int n, int *sign, int *shift)
{
	const int closed = ~(g.open_walls >> (2 * axis));
	int to = i, odd = 0;
	if (to < 0 && (closed & 1)) {
		to = -1 - to;
		odd = !odd;
	}
	if (to >= n && (closed & 2)) {
		to = 2 * n - 1 - to;
		odd = !odd;
	}
	if (to < 0 && (closed & 1)) {
		to = -1 - to;
		odd = !odd;
	}
	*sign = odd ? -1 : 1;
	*shift = odd ? to + i : to - i;
	return to;
}

/* What particles x[] of the cell from[] give to the one so far from it, of the brick. */
void levelset_give(const int first[3], const int from[3], const int sign[3], const int shift[3],
		   int dx, int dy, int dz, const float x[LEVELSET_BATCH][3], float scale,
		   local uint *tile)
{
	const int to[3] = {from[0] + dx, from[1] + dy, from[2] + dz};
	if (to[0] < 0 || to[0] >= BRICK_X || to[1] < 0 || to[1] >= LEVELSET_ROWS || to[2] < 0 ||
	    to[2] >= LEVELSET_LAYERS)
		return;
	int to_image[3];
#pragma unroll
	for (int a = 0; a < 3; a++)
		to_image[a] = sign[a] * (first[a] + to[a]) + shift[a];
	uint add = 0;
#pragma unroll
	for (int n = 0; n < LEVELSET_BATCH; n++)
		add += density_kernel(x[n], to_image[0], to_image[1], to_image[2], scale);
	tile[(to[2] * LEVELSET_ROWS + to[1]) * BRICK_X + to[0]] += add;
}

/*
 * Density by bricks of cells, for GPUs: one work-group per listed brick, no sums in global memory.
 * A work-item takes the particles of a cell, a few at a time, and adds what they give to the cells
 * around, one of these after the other: all work-items go the same way from their own, so that no
 * two meet.  Cells beyond closed walls hold the images of particles; what these give is what the
 * particles give to the image of a cell, as in density_reference().
 */
kernel void levelset_density_brick(global const int *bricks, const struct brick_run run,
				   const struct grid g, int bits, global const uint *start,
				   global const float *position, int stride, global uint *sum,
				   local uint *tile)
{
	const int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	const struct brick_point brick = bricks_row(bricks, run, (int)get_group_id(0), 0, 0);
	const int first[3] = {brick.i, brick.j, brick.k}, cells[3] = {g.nx, g.ny, g.nz};
	const float scale = (float)(1 << bits);
	/* The most particles in one of a turn's cells. */
	local uint *most = tile + BRICK_POINTS;
	for (int n = lane; n < BRICK_POINTS; n += lanes)
		tile[n] = 0;

	for (int turn = 0; turn < LEVELSET_AROUND; turn += lanes) {
		int from[3], cell[3], sign[3] = {1, 1, 1}, shift[3] = {0, 0, 0}, p = 0, end = 0;
		levelset_around(turn + lane, from);
#pragma unroll
		for (int a = 0; a < 3; a++)
			cell[a] = a < DIM ? levelset_mirror(g, a, first[a] + from[a], cells[a],
							    &sign[a], &shift[a])
					  : 0;
		if (turn + lane < LEVELSET_AROUND && cell_exists(g, cell[0], cell[1], cell[2])) {
			const int key = block_key(g, cell[0], cell[1], cell[2]);
			p = (int)start[key];
			end = (int)start[key + 1];
		}
		if (lane == 0)
			*most = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (end > p)
			atomic_max(most, (uint)(end - p));
		barrier(CLK_LOCAL_MEM_FENCE);
		const int all = (int)*most;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int left = all; left > 0; left -= LEVELSET_BATCH) {
			float x[LEVELSET_BATCH][3];
			levelset_load(g, position, stride, p, end, x);
			p += LEVELSET_BATCH;
			for (int dz = -LEVELSET_REACH_Z; dz <= LEVELSET_REACH_Z; dz++)
				for (int dy = -LEVELSET_REACH; dy <= LEVELSET_REACH; dy++)
					for (int dx = -LEVELSET_REACH; dx <= LEVELSET_REACH; dx++) {
						/* Two cells away along two axes is too far. */
						if (dx * dx + dy * dy + dz * dz > 6)
							continue;
						levelset_give(first, from, sign, shift, dx, dy, dz,
							      x, scale, tile);
						barrier(CLK_LOCAL_MEM_FENCE);
					}
		}
	}

	for (int n = lane; n < BRICK_POINTS; n += lanes) {
		const int row = n / BRICK_X, i = first[0] + modulo(n, BRICK_X);
		const int j = first[1] + modulo(row, LEVELSET_ROWS);
		const int k = first[2] + row / LEVELSET_ROWS;
		if (i < g.px && j < g.py && k < g.pz)
			sum[lattice_index(g, i, j, k)] = cell_exists(g, i, j, k) ? tile[n] : 0;
	}
}

/* Beside liquid this dense the density alone places the surface (docs/decisions/0028). */
#define LEVELSET_BULK (DIM == 2 ? 0.85f : 0.8f)
/* Depth given to cells that are liquid by a rule rather than by density, in cells: next to nothing,
 * so that theta is small towards air, hence the pressure: drops fall freely. */
#define LEVELSET_TOKEN_DEPTH 0.01f
/* Every liquid cell has this part of it at least, which is more than FACES_MIN_DEPTH: theta is
 * always that of phi. */
#define LEVELSET_LEAST_TOKEN 0.1f

/* rho/rho0 of the cell at a lattice index. */
ALWAYS_INLINE float levelset_rho(global const uint *sum, global const ushort *kernel_open,
				 float to_rho, int at)
{
	return (float)sum[at] * to_rho * (FRACTION_ONE / (float)kernel_open[at]);
}

/* The same of cell[], as seen from beside[], a cell or two away; 0 where there is no cell, and with
 * `split` where solids cut it off. */
ALWAYS_INLINE float levelset_rho_seen(const struct grid g, global const uint *sum,
				      global const ushort *kernel_open, float to_rho, int split,
				      global const ushort *open_fraction, const int beside[3],
				      const int cell[3])
{
	if (!cell_exists(g, cell[0], cell[1], cell[2]) ||
	    (split && !solids_reached(g, open_fraction, beside, cell)))
		return 0.0f;
	return levelset_rho(sum, kernel_open, to_rho, lattice_index(g, cell[0], cell[1], cell[2]));
}

/*
 * phi from the density.  A cell that holds a particle is liquid all the same (drops, sheets) unless
 * one of its 3^DIM cells is bulk, or is liquid by its density and has bulk straight behind it: over
 * thick liquid the density alone tells the height, wherever that falls on the grid.  A cell whose
 * centre lies in a solid counts as liquid up to h/2 outside (Batty et al. 2007), so that no surface
 * forms inside walls.
 * solid_phi is read with has_solids only, open_fraction with split only: then bulk that solids cut
 * off does not count.  to_rho = 1 / (2^bits ppc integral).
 * One work-item per lattice point.
 */
kernel void levelset_phi(global const int *bricks, const struct brick_run run, const struct grid g,
			 float to_rho, global const uint *sum, global const ushort *kernel_open,
			 global const uint *start, global const uchar *near, int has_solids,
			 global const float *solid_phi, int split,
			 global const ushort *open_fraction, global float *phi)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	float scale = DENSITY_RADIUS * g.h / DENSITY_SLOPE(DIM);
	if (!cell_exists(g, i, j, k)) {
		phi[at] = 0.5f * scale;
		return;
	}
	/* Whatever lies there is read. */
	const float there = levelset_rho(sum, kernel_open, to_rho, at);
	const float rho = blocks_hold_sums(g, near, i, j, k) ? there : 0.0f;
	float value = (0.5f - rho) * scale;
	float token = -LEVELSET_TOKEN_DEPTH * g.h;
	int key = block_key(g, i, j, k);
	if (value > token && start[key + 1] > start[key]) {
		int bulk = 0;
		for (int c = DIM == 3 ? -1 : 0; c <= (DIM == 3 ? 1 : 0); c++)
			for (int b = -1; b <= 1; b++)
				for (int a = -1; a <= 1; a++) {
					const int here[3] = {i, j, k};
					const int to[3] = {i + a, j + b, k + c};
					const int behind[3] = {to[0] + a, to[1] + b, to[2] + c};
					float rho =
						levelset_rho_seen(g, sum, kernel_open, to_rho,
								  split, open_fraction, here, to);
					if (rho > 0.5f && rho <= LEVELSET_BULK)
						rho = levelset_rho_seen(g, sum, kernel_open, to_rho,
									split, open_fraction, to,
									behind);
					bulk |= rho > LEVELSET_BULK;
				}
		if (!bulk)
			value = token;
	}
	float solid = 0.0f;
	for (int q = 0; q < 1 << DIM && has_solids; q++)
		solid += solid_phi[lattice_index(g, i + (q & 1), j + (q >> 1 & 1), k + (q >> 2))];
	if (solid < 0.0f && value < 0.5f * g.h)
		value = min_float(value, -0.5f * g.h);
	phi[at] = value;
}

/*
 * Types.  Solid: every face closed.  Liquid: phi < 0, or no particle inside and every face
 * neighbour liquid or solid, at least one liquid (no vacuum holes).  phi_out keeps phi, made
 * negative in such cells.  Outside the list phi is not there: cells are dry.  One work-item per
 * lattice point.
 */
kernel void levelset_cells(global const int *restrict bricks, const struct brick_run run,
			   const struct brick_layout layout, global const uint *restrict state,
			   const struct grid g, global const float *restrict phi,
			   global const ushort *restrict open_fraction,
			   global float *restrict phi_out, global uchar *restrict cell_type)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if ((i >= g.px) | (j >= g.py) | (k >= g.pz))
		return;
	const int first_x = bricks_first_x(bricks, run, BRICK_ROWS);
	const int at = lattice_index(g, i, j, k);
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	const int exists = (i < g.nx) & (j < g.ny) & (k < g.nz);
	int open = 0, liquid = 0, closed_in = 1;
#pragma unroll
	for (int a = 0; a < DIM; a++)
#pragma unroll
		for (int side = 0; side < 2; side++) {
			const int stride = lattice_stride(g, a), to = here[a] + 2 * side - 1;
			const int there = exists & (side ? to < cells[a] : to >= 0);
			const int through =
				exists ? open_fraction[a * g.lattice + at + side * stride] > 0 : 0;
			const int listed = bricks_listed_beside(state, layout, first_x, p, a, side);
			const int wet =
				there & listed ? phi[at + (2 * side - 1) * stride] < 0.0f : 0;
			open |= through;
			liquid |= through & wet;
			closed_in &= !through | wet;
		}
	float value = phi[at];
	const int is_liquid = open & ((value < 0.0f) | (closed_in & liquid));
	const float token = -LEVELSET_TOKEN_DEPTH * g.h * LEVELSET_LEAST_TOKEN;
	phi_out[at] = is_liquid ? min_float(value, token) : value;
	cell_type[at] = (uchar)(is_liquid ? CELL_LIQUID : open ? CELL_AIR : CELL_SOLID);
}

/* Types of the cells once solids have moved: what phi says where a face is open.  One work-item per
 * lattice point. */
kernel void levelset_types(global const int *bricks, const struct brick_run run,
			   const struct grid g, global const float *phi,
			   global const ushort *open_fraction, global uchar *cell_type)
{
	const struct brick_point p = bricks_point(bricks, run);
	int open = 0;
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	for (int a = 0; a < DIM && cell_exists(g, p.i, p.j, p.k); a++)
		open |= open_fraction[a * g.lattice + at] > 0 ||
			open_fraction[a * g.lattice + at + lattice_stride(g, a)] > 0;
	cell_type[at] = !open ? CELL_SOLID : phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
}
