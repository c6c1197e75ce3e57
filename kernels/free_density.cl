/* Density with float sums in free order: see free_order.h. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "free_order.h"
#include "levelset_phi.h"
#include "levelset_splat.h"

#ifdef FREE_ORDER
#ifndef FRESHET_NATIVE

/* As levelset_splat(), into floats. */
void free_density(const struct grid g, float scale, global const float *position, int stride, int p,
		  global float *sum, local float *tile, int use_tile, int ox, int oy, int oz)
{
	float at[3] = {0.0f, 0.0f, 0.0f};
	int low[3] = {0, 0, 0};
	for (int a = 0; a < DIM; a++) {
		at[a] = position[a * stride + p] * g.inv_h - 0.5f;
		low[a] = floor_int(at[a]) - 1;
	}
	for (int k = low[2]; k < low[2] + DENSITY_REACH; k++)
		for (int j = low[1]; j < low[1] + 4; j++) {
			float dy = (float)j - at[1], dz = DIM == 3 ? (float)k - at[2] : 0.0f;
			int jj = levelset_fold(g, 1, j, g.ny);
			int kk = DIM == 3 ? levelset_fold(g, 2, k, g.nz) : 0;
			if (jj < 0 || jj >= g.ny || kk < 0 || kk >= g.nz)
				continue;
#pragma unroll
			for (int n = 0; n < 4; n++) {
				int i = levelset_fold(g, 0, low[0] + n, g.nx);
				float dx = (float)(low[0] + n) - at[0];
				float t =
					1.0f - (dx * dx + (dy * dy + dz * dz)) *
						       (1.0f / (LEVELSET_RADIUS * LEVELSET_RADIUS));
				if (i < 0 || i >= g.nx || !(t > 0.0f))
					continue;
				t = t * t * t * scale;
				if (use_tile)
					free_add_local(tile +
							       ((kk - oz) * LEVELSET_TILE + jj -
								oy) * LEVELSET_TILE +
							       i - ox,
						       t);
				else
					sum[lattice_index(g, i, jj, kk)] += t;
			}
		}
}

/* For levelset_density_tile. */
kernel void free_density_tile(const struct grid g, int bits, global const uint *start,
			      global const float *position, int stride, global float *sum,
			      local float *tile)
{
	int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	int block = (int)get_group_id(0);
	int ox = modulo(block, g.bx) * LEVELSET_EDGE - 2,
	    oy = modulo(block / g.bx, g.by) * LEVELSET_EDGE - 2;
	int oz = DIM == 3 ? block / g.bx / g.by * LEVELSET_EDGE - 2 : 0;
	for (int n = lane; n < LEVELSET_TILE_CELLS; n += lanes)
		tile[n] = 0.0f;
	barrier(CLK_LOCAL_MEM_FENCE);
	int from = (int)start[block * BLOCK_CELLS], to = (int)start[(block + 1) * BLOCK_CELLS];
	int run = (to - from + lanes - 1) / lanes;
	int end = from + (lane + 1) * run < to ? from + (lane + 1) * run : to;
	for (int p = from + lane * run; p < end; p++)
		free_density(g, (float)(1 << bits), position, stride, p, sum, tile, 1, ox, oy, oz);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int n = lane; n < LEVELSET_TILE_CELLS; n += lanes) {
		int i = ox + modulo(n, LEVELSET_TILE),
		    j = oy + modulo(n / LEVELSET_TILE, LEVELSET_TILE);
		int k = oz + n / (LEVELSET_TILE * LEVELSET_TILE);
		if (tile[n] != 0.0f)
			free_add_global(sum + lattice_index(g, i, j, k), tile[n]);
	}
}

/* Adds four cells in x, those in the box or beyond a closed wall, to the grid. */
void free_add_row(const struct grid g, int i, int j, int k, float4 add, global float *sum)
{
	if (j < 0 || j >= g.ny || k < 0 || k >= g.nz) {
		j = levelset_fold(g, 1, j, g.ny);
		k = DIM == 3 ? levelset_fold(g, 2, k, g.nz) : k;
		if (j < 0 || j >= g.ny || k < 0 || k >= g.nz)
			return;
	}
	global float *row = sum + lattice_index(g, 0, j, k);
	if (i >= 0 && i + 3 < g.nx) {
		vstore4(vload4(0, row + i) + add, 0, row + i);
		return;
	}
	const float each[4] = {add.x, add.y, add.z, add.w};
	for (int n = 0; n < 4; n++) {
		int to = levelset_fold(g, 0, i + n, g.nx);
		if (to >= 0 && to < g.nx)
			row[to] += each[n];
	}
}

/* For levelset_density_block. */
kernel void free_density_block(const struct grid g, int bits, int colour, global const uint *start,
			       global const float *position, int stride, global float *sum)
{
	const float scale = (float)(1 << bits);
	float16 tile[DENSITY_TILE];
	int first[3], from, to;
	if (!free_block(g, colour, LEVELSET_EDGE, start, first, &from, &to))
		return;
	if (to - from < DENSITY_TILE_LEAST) {
		for (int p = from; p < to; p++)
			free_density(g, scale, position, stride, p, sum, 0, 0, 0, 0, 0);
		return;
	}
	for (int place = 0; place < DENSITY_TILE; place++)
		tile[place] = (float16)(0.0f);
	for (int p = from; p < to; p++) {
		float x = position[p] * g.inv_h - 0.5f;
		float y = position[stride + p] * g.inv_h - 0.5f;
		float z = DIM == 3 ? position[(DIM - 1) * stride + p] * g.inv_h - 0.5f : 0.0f;
		int i = floor_int(x) - 1, j = floor_int(y) - 1;
		int k = DIM == 3 ? floor_int(z) - 1 : 0;
		float4 dx = convert_float4(i + (int4)(0, 1, 2, 3)) - x;
		float4 dy = convert_float4(j + (int4)(0, 1, 2, 3)) - y;
		float4 dx2 = dx * dx, dy2 = dy * dy;
		float16 in_x = (float16)(dx2, dx2, dx2, dx2);
		float16 in_y = (float16)(dy2.xxxx, dy2.yyyy, dy2.zzzz, dy2.wwww);
		int layer = DIM == 3 ? k - (first[2] - 2) : 0;
		int place = (layer * DENSITY_PLACES + j - (first[1] - 2)) * DENSITY_PLACES + i -
			    (first[0] - 2);
		place = clamp_int(place, 0,
				  DENSITY_TILE - 1 -
					  (DENSITY_REACH - 1) * DENSITY_PLACES * DENSITY_PLACES);
#pragma unroll
		for (int n = 0; n < DENSITY_REACH; n++) {
			float dz = DIM == 3 ? (float)(k + n) - z : 0.0f;
			float16 t = 1.0f - (in_x + (in_y + dz * dz)) *
						   (1.0f / (LEVELSET_RADIUS * LEVELSET_RADIUS));
			t = t > 0.0f ? t : (float16)(0.0f);
			tile[place + n * DENSITY_PLACES * DENSITY_PLACES] += t * t * t * scale;
		}
	}
	for (int i = 0; i < DENSITY_PLACES; i++)
		for (int k = 0; k < DENSITY_LAYERS; k++) {
			float4 rows[LEVELSET_TILE];
#pragma unroll
			for (int j = 0; j < LEVELSET_TILE; j++)
				rows[j] = (float4)(0.0f);
#pragma unroll
			for (int j = 0; j < DENSITY_PLACES; j++) {
				float16 add = tile[(k * DENSITY_PLACES + j) * DENSITY_PLACES + i];
				rows[j] += add.s0123;
				rows[j + 1] += add.s4567;
				rows[j + 2] += add.s89ab;
				rows[j + 3] += add.scdef;
			}
			for (int j = 0; j < LEVELSET_TILE; j++)
				free_add_row(g, first[0] - 2 + i, first[1] - 2 + j,
					     DIM == 3 ? first[2] - 2 + k : 0, rows[j], sum);
		}
}

/* For levelset_phi. */
kernel void free_phi(global const int *bricks, const struct brick_run run, const struct grid g,
		     float to_rho, global const uint *sum, global const ushort *kernel_open,
		     global const uint *start, int has_solids, global const float *solid_phi,
		     int split, global const ushort *open_fraction, global float *phi)
{
	levelset_phi_at(g, bricks_point(bricks, run), to_rho, sum, 1, kernel_open, start,
			has_solids, solid_phi, split, open_fraction, phi);
}
#endif /* FRESHET_NATIVE */
#endif
