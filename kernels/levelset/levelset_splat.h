/* What one particle gives to the density sums of the cells around it (see levelset.cl). */
#ifndef FRESHET_LEVELSET_SPLAT_H
#define FRESHET_LEVELSET_SPLAT_H

#include "common.h"
#include "levelset_fold.h"

/* Cells around a block that its particles reach: two on either side. */
#define LEVELSET_EDGE BLOCK_EDGE(DIM)
#define LEVELSET_TILE DENSITY_TILE_EDGE(DIM)
#define LEVELSET_TILE_CELLS (LEVELSET_TILE * LEVELSET_TILE * (DIM == 3 ? LEVELSET_TILE : 1))

/* Places, per axis of a layer, where a block's particles can have the first of their cells, and
 * layers of cells that they reach. */
#define DENSITY_PLACES (LEVELSET_EDGE + 1)
#define DENSITY_LAYERS (DIM == 3 ? LEVELSET_TILE : 1)
/* Layers that one particle reaches. */
#define DENSITY_REACH (DIM == 3 ? 4 : 1)
#define DENSITY_TILE (DENSITY_LAYERS * DENSITY_PLACES * DENSITY_PLACES)
/* Fewer particles go to the grid one by one: the tile has to be cleared and emptied. */
#define DENSITY_TILE_LEAST 16

/* k(distance) in units of 2^-bits for four cells in a row, from the squared distances in cells. */
uint4 levelset_kernel(float4 square, float scale)
{
	float4 t = 1.0f - square * (1.0f / (DENSITY_RADIUS * DENSITY_RADIUS));
	t = t > 0.0f ? t : (float4)(0.0f);
	return convert_uint4_rte(t * t * t * scale);
}

/* Adds the kernels of particle p and of its images beyond closed walls to the density sums of the
 * cells within R, four per axis, by plain adds or, with use_tile, by atomics into a tile of local
 * memory whose corner is cell (ox, oy, oz). */
void levelset_splat(const struct grid g, int bits, global const float *position, int stride, int p,
		    global uint *sum, local uint *tile, int use_tile, int ox, int oy, int oz)
{
	float x = position[p] * g.inv_h - 0.5f;
	float y = position[stride + p] * g.inv_h - 0.5f;
	float scale = (float)(1 << bits);
	int i0 = (int)floor(x) - 1, j0 = (int)floor(y) - 1, k0 = 0, layers = 1;
#if DIM == 3
	float z = position[2 * stride + p] * g.inv_h - 0.5f;
	k0 = (int)floor(z) - 1;
	layers = 4;
#endif
	float4 dx = (float4)((float)i0, (float)(i0 + 1), (float)(i0 + 2), (float)(i0 + 3)) - x;
	float4 dx2 = dx * dx;
	int whole = i0 >= 0 && i0 + 3 < g.nx;
	for (int k = k0; k < k0 + layers; k++) {
		float dz2 = 0.0f;
#if DIM == 3
		dz2 = ((float)k - z) * ((float)k - z);
#endif
		int kk = DIM == 3 ? levelset_fold(g, 2, k, g.nz) : 0;
		if (kk < 0 || kk >= g.nz)
			continue;
		for (int j = j0; j < j0 + 4; j++) {
			float dy = (float)j - y;
			int jj = levelset_fold(g, 1, j, g.ny);
			if (jj < 0 || jj >= g.ny)
				continue;
			uint4 add = levelset_kernel(dx2 + (dy * dy + dz2), scale);
			if (!use_tile && whole) {
				global uint *row = sum + lattice_index(g, i0, jj, kk);
				vstore4(vload4(0, row) + add, 0, row);
				continue;
			}
			uint each[4] = {add.s0, add.s1, add.s2, add.s3};
			for (int n = 0; n < 4; n++) {
				int i = levelset_fold(g, 0, i0 + n, g.nx);
				if (i < 0 || i >= g.nx || !each[n])
					continue;
				if (use_tile)
					atomic_add(tile +
							   ((kk - oz) * LEVELSET_TILE + jj - oy) *
								   LEVELSET_TILE +
							   i - ox,
						   each[n]);
				else
					sum[lattice_index(g, i, jj, kk)] += each[n];
			}
		}
	}
}

#endif
