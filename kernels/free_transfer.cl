/* P2G with float sums in free order: see free_order.h. */
#pragma OPENCL FP_CONTRACT OFF

#include "bricks.h"
#include "common.h"
#include "free_order.h"
#include "lanes.h"
#include "sample.h"
#include "transfer_block.h"
#include "transfer_splat.h"

#ifdef FREE_ORDER
#ifndef FRESHET_NATIVE

/* Weights of particle p at the corners of component c, and with its velocity there. */
void free_part(const struct grid g, int c, global const float *position,
	       global const float *velocity, global const float *affine, int has_affine, int stride,
	       int p, struct stencil *s, float w[TRANSFER_CORNERS], float wv[TRANSFER_CORNERS])
{
	float x[3], row[3], corner = velocity[c * stride + p];
	transfer_load(position, affine, has_affine, stride, p, c, x, row);
	*s = sample_stencil(g, c, x);
#pragma unroll
	for (int a = 0; a < DIM; a++)
		corner += row[a] * (-s->upper[a] * g.h);
#pragma unroll
	for (int q = 0; q < TRANSFER_CORNERS; q++) {
		float weight = 1.0f, u = corner;
#pragma unroll
		for (int a = 0; a < DIM; a++) {
			weight *= q >> a & 1 ? s->upper[a] : 1.0f - s->upper[a];
			u += q >> a & 1 ? row[a] * g.h : 0.0f;
		}
		w[q] = weight;
		wv[q] = weight * u;
	}
}

/* For transfer_p2g_tile. */
kernel void free_p2g_tile(const struct grid g, const struct splat_scale scale,
			  global const uint *start, global const float *position,
			  global const float *velocity, global const float *affine, int has_affine,
			  int stride, global float *sum_w, global float *sum_wv, int path,
			  local float *tile)
{
	(void)scale, (void)path;
	const int edge = TRANSFER_EDGE + 2, points = DIM == 3 ? edge * edge * edge : edge * edge;
	int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	int block = (int)get_group_id(0);
	local float *tile_wv = tile + DIM * points;
	int ox = modulo(block, g.bx) * TRANSFER_EDGE - 1,
	    oy = modulo(block / g.bx, g.by) * TRANSFER_EDGE - 1;
	int oz = DIM == 3 ? block / g.bx / g.by * TRANSFER_EDGE - 1 : 0;
	for (int n = lane; n < 2 * DIM * points; n += lanes)
		tile[n] = 0.0f;
	barrier(CLK_LOCAL_MEM_FENCE);

	int from = (int)start[block * BLOCK_CELLS], to = (int)start[(block + 1) * BLOCK_CELLS];
	int run = (to - from + lanes - 1) / lanes;
	int end = from + (lane + 1) * run < to ? from + (lane + 1) * run : to;
	for (int p = from + lane * run; p < end; p++)
		for (int c = 0; c < DIM; c++) {
			struct stencil s;
			float w[TRANSFER_CORNERS], wv[TRANSFER_CORNERS];
			free_part(g, c, position, velocity, affine, has_affine, stride, p, &s, w,
				  wv);
			int i = modulo(s.base, g.px) - ox, j = modulo(s.base / g.px, g.py) - oy;
			int k = s.base / g.px / g.py - oz;
			int base = c * points + (k * edge + j) * edge + i;
			for (int q = 0; q < TRANSFER_CORNERS; q++) {
				int at = base + ((q & 1) && s.step[0] ? 1 : 0) +
					 ((q & 2) && s.step[1] ? edge : 0);
#if DIM == 3
				at += (q & 4) && s.step[2] ? edge * edge : 0;
#endif
				free_add_local(tile + at, w[q]);
				free_add_local(tile_wv + at, wv[q]);
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int n = lane; n < DIM * points; n += lanes) {
		int c = n / points, place = modulo(n, points);
		if (tile[n] == 0.0f)
			continue;
		int i = ox + modulo(place, edge), j = oy + modulo(place / edge, edge);
		int at = c * g.lattice + lattice_index(g, i, j, oz + place / (edge * edge));
		free_add_global(sum_w + at, tile[n]);
		free_add_global(sum_wv + at, tile_wv[n]);
	}
}

struct free_tile {
	lane_floats w[BLOCK_PLACES], wv[BLOCK_PLACES];
};

/* As block_fill() in transfer_block.cl. */
void free_fill(const struct grid g, int c, const int first[3], global const float *position,
	       global const float *velocity, global const float *affine, int has_affine, int stride,
	       int from, int to, struct free_tile *tile)
{
	for (int next = from; next < to; next += LANES) {
		int p = next < to - LANES ? next : to - LANES, place[LANES];
		struct block_stencil s;
		block_stencil(g, c, first, position, stride, p, &s);
		lane_floats v = lanes_load(velocity + c * stride + p), step[DIM];
		lane_floats weight[LANES], corner_v[LANES];
		float each[LANES];
#pragma unroll
		for (int q = 0; q < LANES; q++) {
			lane_floats w = q & 1 ? s.upper[0] : 1.0f - s.upper[0];
#pragma unroll
			for (int a = 1; a < DIM; a++)
				w *= q >> a & 1 ? s.upper[a] : 1.0f - s.upper[a];
			weight[q] = LANE_NUMBERS >= next - p ? w : (lane_floats)(0.0f);
		}
		lanes_transpose_floats(weight);
		lanes_store(s.place, place);
		lanes_store(v, each);
		if (has_affine) {
#pragma unroll
			for (int a = 0; a < DIM; a++) {
				step[a] = lanes_load(affine + (c * DIM + a) * stride + p) * g.h;
				v -= step[a] * s.upper[a];
			}
#pragma unroll
			for (int q = 0; q < LANES; q++) {
				corner_v[q] = v;
#pragma unroll
				for (int a = 0; a < DIM; a++)
					corner_v[q] += q >> a & 1 ? step[a] : (lane_floats)(0.0f);
			}
			lanes_transpose_floats(corner_v);
		}
#pragma unroll
		for (int l = 0; l < LANES; l++) {
			tile->w[place[l]] += weight[l];
			tile->wv[place[l]] +=
				weight[l] * (has_affine ? corner_v[l] : (lane_floats)(each[l]));
		}
	}
}

void free_add_pair(global float *sum, int at, float2 add)
{
	vstore2(vload2(0, sum + at) + add, 0, sum + at);
}

/* One half of the tile to the grid. */
void free_empty(const struct grid g, int c, const int first[3], const lane_floats *tile,
		global float *sum)
{
	const int e = BLOCK_PLACES_EDGE;
	int low[3] = {0, 0, 0};
#pragma unroll
	for (int a = 0; a < DIM; a++)
		low[a] = block_tile_low(first[a], a, c);
	for (int i = 0; i < e; i++)
		for (int k = 0; k < (DIM == 3 ? e : 1); k++)
			for (int j = 0; j < e; j++) {
				lane_floats add = tile[(k * e + j) * e + i];
				if (!any(add != 0.0f))
					continue;
				int at = lattice_index(g, low[0] + i, low[1] + j, low[2] + k);
				free_add_pair(sum, at, add.s01);
				free_add_pair(sum, at + g.px, add.s23);
#if DIM == 3
				at += lattice_stride(g, 2);
				free_add_pair(sum, at, add.s45);
				free_add_pair(sum, at + g.px, add.s67);
#endif
			}
}

/* For transfer_p2g_block. */
kernel void free_p2g_block(const struct grid g, const struct splat_scale scale, int colour,
			   global const uint *start, global const float *position,
			   global const float *velocity, global const float *affine, int has_affine,
			   int stride, global float *sum_w, global float *sum_wv)
{
	(void)scale;
	int first[3], from, to;
	struct free_tile tile;
	if (!free_block(g, colour, TRANSFER_EDGE, start, first, &from, &to))
		return;
	for (int p = from; p < to && to - from < BLOCK_TILE_LEAST; p++)
		for (int c = 0; c < DIM; c++) {
			struct stencil s;
			float w[TRANSFER_CORNERS], wv[TRANSFER_CORNERS];
			free_part(g, c, position, velocity, affine, has_affine, stride, p, &s, w,
				  wv);
			for (int q = 0; q < TRANSFER_CORNERS; q++) {
				int at = c * g.lattice + s.base;
				for (int a = 0; a < DIM; a++)
					at += (q >> a & 1) * s.step[a];
				sum_w[at] += w[q];
				sum_wv[at] += wv[q];
			}
		}
	for (int c = 0; c < DIM && to - from >= BLOCK_TILE_LEAST; c++) {
		for (int place = 0; place < BLOCK_PLACES; place++)
			tile.w[place] = tile.wv[place] = (lane_floats)(0.0f);
		free_fill(g, c, first, position, velocity, affine, has_affine, stride, from, to,
			  &tile);
		free_empty(g, c, first, tile.w, sum_w + c * g.lattice);
		free_empty(g, c, first, tile.wv, sum_wv + c * g.lattice);
	}
}

/* For transfer_normalise. */
kernel void free_normalise(global const int *bricks, const struct brick_run run,
			   const struct grid g, const struct splat_scale scale,
			   global const float *sum_w, global const float *sum_wv,
			   global float *u_face, global uchar *valid)
{
	(void)scale;
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	uchar bits = 0;
	for (int c = 0; c < DIM; c++) {
		int slot = c * g.lattice + at;
		int holds = sum_w[slot] > 0.0f && face_exists(g, c, i, j, k);
		u_face[slot] = holds ? sum_wv[slot] / sum_w[slot] : 0.0f;
		bits |= (uchar)(holds << c);
	}
	valid[at] = bits;
}
#endif /* FRESHET_NATIVE */
#endif
