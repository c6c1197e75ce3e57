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

/* Cells around a block that its particles reach: two on either side. */
#define LEVELSET_TILE DENSITY_TILE_EDGE(DIM)
#define LEVELSET_TILE_CELLS (LEVELSET_TILE * LEVELSET_TILE * (DIM == 3 ? LEVELSET_TILE : 1))

/* density_reference() into a tile of local memory whose corner is cell low[], by atomics. */
void levelset_add_to_tile(const struct grid g, int bits, global const float *position, int stride,
			  int p, const int low[3], local uint *tile)
{
	float x[3];
	int first[3];
	density_place(g, position, stride, p, x, first);
	for (int k = first[2]; k < first[2] + DENSITY_REACH_Z; k++) {
		const int to_k = DIM == 3 ? levelset_fold(g, 2, k, g.nz) : 0;
		for (int j = first[1]; j < first[1] + DENSITY_REACH; j++) {
			const int to_j = levelset_fold(g, 1, j, g.ny);
			const int row =
				((to_k - low[2]) * LEVELSET_TILE + to_j - low[1]) * LEVELSET_TILE -
				low[0];
#pragma unroll
			for (int n = 0; n < DENSITY_REACH; n++) {
				const int to_i = levelset_fold(g, 0, first[0] + n, g.nx);
				const uint add =
					density_kernel(x, first[0] + n, j, k, (float)(1 << bits));
				if (add && cell_exists(g, to_i, to_j, to_k))
					atomic_add(tile + row + to_i, add);
			}
		}
	}
}

/* Density by atomics, in a tile of local memory first: one work-group per block, see
 * transfer_p2g_tile. */
kernel void levelset_density_tile(const struct grid g, int bits, global const uint *start,
				  global const float *position, int stride, global uint *sum,
				  local uint *tile)
{
	int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	int block = (int)get_group_id(0);
	const int low[3] = {modulo(block, g.bx) * BLOCK_EDGE(DIM) - 2,
			    modulo(block / g.bx, g.by) * BLOCK_EDGE(DIM) - 2,
			    DIM == 3 ? block / g.bx / g.by * BLOCK_EDGE(DIM) - 2 : 0};
	for (int n = lane; n < LEVELSET_TILE_CELLS; n += lanes)
		tile[n] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	int from = (int)start[block * BLOCK_CELLS], to = (int)start[(block + 1) * BLOCK_CELLS];
	int run = (to - from + lanes - 1) / lanes;
	int first = from + lane * run, end = first + run < to ? first + run : to;
	for (int p = first; p < end; p++)
		levelset_add_to_tile(g, bits, position, stride, p, low, tile);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int n = lane; n < LEVELSET_TILE_CELLS; n += lanes) {
		if (!tile[n])
			continue;
		int i = low[0] + modulo(n, LEVELSET_TILE);
		int j = low[1] + modulo(n / LEVELSET_TILE, LEVELSET_TILE);
		int k = low[2] + n / (LEVELSET_TILE * LEVELSET_TILE);
		atomic_add(sum + lattice_index(g, i, j, k), tile[n]);
	}
}

/* Clears the sums, as far as others read them.  One work-item per lattice point. */
kernel void levelset_clear(global const int *bricks, const struct brick_run run,
			   const struct grid g, global const uchar *near, global uint *sum)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i < g.px && p.j < g.py && p.k < g.pz && blocks_hold_sums(g, near, p.i, p.j, p.k))
		sum[lattice_index(g, p.i, p.j, p.k)] = 0;
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
kernel void levelset_cells(global const int *bricks, const struct brick_run run,
			   const struct brick_layout layout, global const uint *state,
			   const struct grid g, global const float *phi,
			   global const ushort *open_fraction, global float *phi_out,
			   global uchar *cell_type)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	const int first_x = bricks_first_x(bricks, run, BRICK_ROWS);
	int at = lattice_index(g, i, j, k);
	float value = phi[at];
	uchar type = CELL_SOLID;
	if (cell_exists(g, i, j, k)) {
		int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
		int open = 0, liquid = 0, closed_in = 1;
		for (int a = 0; a < DIM; a++)
			for (int side = 0; side < 2; side++) {
				int stride = lattice_stride(g, a);
				int fraction = open_fraction[a * g.lattice + at + side * stride];
				int to = here[a] + 2 * side - 1;
				int outside = to < 0 || to >= cells[a];
				open |= fraction > 0;
				if (fraction == 0)
					continue;
				int wet =
					!outside &&
					bricks_listed_beside(state, layout, first_x, p, a, side) &&
					phi[at + (2 * side - 1) * stride] < 0.0f;
				liquid |= wet;
				closed_in &= wet;
			}
		if (open) {
			type = value < 0.0f || (closed_in && liquid) ? CELL_LIQUID : CELL_AIR;
			if (type == CELL_LIQUID)
				value = min_float(value, -LEVELSET_TOKEN_DEPTH * g.h *
								 LEVELSET_LEAST_TOKEN);
		}
	}
	phi_out[at] = value;
	cell_type[at] = type;
}
