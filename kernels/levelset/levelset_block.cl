/*
 * Density by blocks, for CPUs: one work-item owns the particles of a block and adds in a private
 * tile, a layer of 4 x 4 cells at a time as one vector; the grid is touched once per place.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "blocks.h"
#include "common.h"
#include "density_reference.h"

#ifndef FRESHET_NATIVE

/* Cells along an axis that a block's particles reach. */
#define DENSITY_EDGE (BLOCK_EDGE(DIM) + 4)
/* Places, per axis of a layer, where a block's particles can have the first of their cells, and
 * layers of cells that they reach. */
#define DENSITY_PLACES (BLOCK_EDGE(DIM) + 1)
#define DENSITY_LAYERS (DIM == 3 ? DENSITY_EDGE : 1)
#define DENSITY_TILE (DENSITY_LAYERS * DENSITY_PLACES * DENSITY_PLACES)
/* Fewer particles go to the grid one by one: the tile has to be cleared and emptied. */
#define DENSITY_TILE_LEAST 16

/* density_kernel() for 4 x 4 cells.  The sum's last bit is a unit, which rounds (2^bits < 2^22)
 * in few instructions (docs/portability.md). */
uint16 density_kernel_lanes(float16 square, float scale)
{
	float16 t = 1.0f - square * (1.0f / (DENSITY_RADIUS * DENSITY_RADIUS));
	t = t > 0.0f ? t : (float16)(0.0f);
	return as_uint16(t * t * t * scale + 0x1p23f) - as_uint16((float16)(0x1p23f));
}

/* Place in the tile of the block whose first cell is first[] of a particle whose first cell is
 * cell[]; -1 if it is not in the block. */
int density_tile_place(const int first[3], const int cell[3])
{
	const int i = cell[0] - (first[0] - 2), j = cell[1] - (first[1] - 2);
	const int layer = DIM == 3 ? cell[2] - (first[2] - 2) : 0;
	const int inside = (i >= 0) & (i < DENSITY_PLACES) & (j >= 0) & (j < DENSITY_PLACES) &
			   (layer >= 0) & (layer <= DENSITY_LAYERS - DENSITY_REACH_Z);
	return inside ? (layer * DENSITY_PLACES + j) * DENSITY_PLACES + i : -1;
}

/* Adds the particles from .. to-1 to the tile of a block.  1 if some are not in the block, which
 * are left out. */
int density_fill(const struct grid g, int bits, const int first[3], global const float *position,
		 int stride, int from, int to, uint16 tile[DENSITY_TILE])
{
	const float scale = (float)(1 << bits);
	int beyond = 0;
	for (int p = from; p < to; p++) {
		float x[3];
		int cell[3];
		density_place(g, position, stride, p, x, cell);
		const int place = density_tile_place(first, cell);
		if (place < 0) {
			beyond = 1;
			continue;
		}
		const float4 dx = convert_float4(cell[0] + (int4)(0, 1, 2, 3)) - x[0];
		const float4 dy = convert_float4(cell[1] + (int4)(0, 1, 2, 3)) - x[1];
		const float4 dx2 = dx * dx, dy2 = dy * dy;
		const float16 in_x = (float16)(dx2, dx2, dx2, dx2);
		const float16 in_y = (float16)(dy2.xxxx, dy2.yyyy, dy2.zzzz, dy2.wwww);
#pragma unroll
		for (int n = 0; n < DENSITY_REACH_Z; n++) {
			const float dz = DIM == 3 ? (float)(cell[2] + n) - x[2] : 0.0f;
			tile[place + n * DENSITY_PLACES * DENSITY_PLACES] +=
				density_kernel_lanes(in_x + (in_y + dz * dz), scale);
		}
	}
	return beyond;
}

/* Adds those that it leaves out to the grid. */
void density_add_beyond(const struct grid g, int bits, const int first[3],
			global const float *position, int stride, int from, int to,
			global uint *sum)
{
	for (int p = from; p < to; p++) {
		float x[3];
		int cell[3];
		density_place(g, position, stride, p, x, cell);
		if (density_tile_place(first, cell) < 0)
			density_reference(g, bits, position, stride, p, sum);
	}
}

/* Adds four cells in x, those in the box or beyond a closed wall, to the grid. */
void density_add_row(const struct grid g, int i, int j, int k, uint4 add, global uint *sum)
{
	if (j < 0 || j >= g.ny || k < 0 || k >= g.nz) {
		j = levelset_fold(g, 1, j, g.ny);
		k = DIM == 3 ? levelset_fold(g, 2, k, g.nz) : k;
		if (j < 0 || j >= g.ny || k < 0 || k >= g.nz)
			return;
	}
	global uint *row = sum + lattice_index(g, 0, j, k);
	if (i >= 0 && i + 3 < g.nx) {
		vstore4(vload4(0, row + i) + add, 0, row + i);
		return;
	}
	const uint each[4] = {add.x, add.y, add.z, add.w};
	for (int n = 0; n < 4; n++) {
		int to = levelset_fold(g, 0, i + n, g.nx);
		if (to >= 0 && to < g.nx)
			row[to] += each[n];
	}
}

/* Adds the tile to the grid.  x is the outermost loop because rows of neighbours in x overlap:
 * close in time, the second would wait for the first to reach the cache. */
void density_empty(const struct grid g, const int first[3], const uint16 tile[DENSITY_TILE],
		   global uint *sum)
{
	for (int i = 0; i < DENSITY_PLACES; i++)
		for (int k = 0; k < DENSITY_LAYERS; k++) {
			uint4 rows[DENSITY_EDGE];
#pragma unroll
			for (int j = 0; j < DENSITY_EDGE; j++)
				rows[j] = (uint4)(0u);
#pragma unroll
			for (int j = 0; j < DENSITY_PLACES; j++) {
				uint16 add = tile[(k * DENSITY_PLACES + j) * DENSITY_PLACES + i];
				rows[j] += add.s0123;
				rows[j + 1] += add.s4567;
				rows[j + 2] += add.s89ab;
				rows[j + 3] += add.scdef;
			}
			for (int j = 0; j < DENSITY_EDGE; j++)
				density_add_row(g, first[0] - 2 + i, first[1] - 2 + j,
						DIM == 3 ? first[2] - 2 + k : 0, rows[j], sum);
		}
}
#endif /* FRESHET_NATIVE */

/* Clears the sums that block (bx,by,bz) is the first to touch. */
void density_clear(const struct grid g, int bx, int by, int bz, global uint *sum)
{
	int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
	blocks_first(bx, g.bx, 2, g.px, &low[0], &high[0]);
	blocks_first(by, g.by, 2, g.py, &low[1], &high[1]);
	if (DIM == 3)
		blocks_first(bz, g.bz, 2, g.pz, &low[2], &high[2]);
	for (int k = low[2]; k <= high[2]; k++)
		for (int j = low[1]; j <= high[1]; j++)
			for (int i = low[0]; i <= high[0]; i++)
				sum[lattice_index(g, i, j, k)] = 0;
}

/* Density by blocks of one colour (see transfer_p2g_block): a particle reaches two cells beyond
 * its block, and blocks of one colour are at least four cells apart. */
kernel void levelset_density_block(const struct grid g, int bits, int colour,
				   global const uint *start, global const uchar *near,
				   global const float *position, int stride, global uint *sum)
{
	int bx = 2 * (int)get_global_id(0) + (colour & 1);
	int by = 2 * (int)get_global_id(1) + ((colour >> 1) & 1);
	int bz = 2 * (int)get_global_id(2) + (colour >> 2);
	if (bx >= g.bx || by >= g.by || bz >= g.bz)
		return;
	int key = ((bz * g.by + by) * g.bx + bx) * BLOCK_CELLS;
	int from = (int)start[key], to = (int)start[key + BLOCK_CELLS];
	if (near[key / BLOCK_CELLS] & BLOCK_CLEARS)
		density_clear(g, bx, by, bz, sum);
#ifndef FRESHET_NATIVE
	if (to - from >= DENSITY_TILE_LEAST) {
		const int first[3] = {bx * BLOCK_EDGE(DIM), by * BLOCK_EDGE(DIM),
				      bz * BLOCK_EDGE(DIM)};
		uint16 tile[DENSITY_TILE];
		for (int place = 0; place < DENSITY_TILE; place++)
			tile[place] = (uint16)(0u);
		if (density_fill(g, bits, first, position, stride, from, to, tile))
			density_add_beyond(g, bits, first, position, stride, from, to, sum);
		density_empty(g, first, tile, sum);
		return;
	}
#endif /* FRESHET_NATIVE */
	for (int p = from; p < to; p++)
		density_reference(g, bits, position, stride, p, sum);
}
