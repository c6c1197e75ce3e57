/*
 * Particles to grid and back by blocks, for CPUs: one work-item owns the particles of a block.
 *
 * All particles between the same corners meet in one place of a private tile, so that what they
 * give to the corners is added there as whole vectors; the grid is touched once per place.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "blocks.h"
#include "common.h"
#include "g2p_reference.h"
#include "lanes.h"
#include "p2g_reference.h"
#include "sample_lanes.h"
#include "transfer_block.h"

#ifndef FRESHET_NATIVE

/* Sums at the corners of each place, corner q at + (q & 1, q >> 1 & 1, q >> 2). */
struct block_tile {
	lane_ints w[BLOCK_PLACES];
	lane_longs wv[BLOCK_PLACES];
};

/* weight[q]: of corner q, in integers that add up to `whole`, as in p2g_share().  Masks
 * only select (docs/portability.md). */
void block_weights(const struct block_stencil *s, int whole, lane_ints weight[LANES])
{
	lane_ints given = (lane_ints)(0);
#pragma unroll
	for (int q = 0; q < LANES; q++) {
		lane_floats w = q & 1 ? s->upper[0] : 1.0f - s->upper[0];
#pragma unroll
		for (int a = 1; a < DIM; a++)
			w *= q >> a & 1 ? s->upper[a] : 1.0f - s->upper[a];
		lane_floats scaled = w * (float)whole;
		/* A face that a particle reaches holds a value: at least 1. */
		scaled = ((w > 0.0f) & (scaled < 1.0f)) ? (lane_floats)(1.0f) : scaled;
		weight[q] = lanes_round_small(scaled);
		given += weight[q];
	}
#pragma unroll
	for (int q = 0; q < LANES; q++) {
		lane_ints greatest = (lane_ints)(-1);
#pragma unroll
		for (int a = 0; a < DIM; a++)
			greatest &= q >> a & 1 ? s->upper[a] > 0.5f : s->upper[a] <= 0.5f;
		weight[q] += greatest & (whole - given);
	}
}

/* velocity[q]: at corner q, v + C (x_corner - x_p), in integers. */
void block_velocities(const struct grid g, const struct splat_scale scale, int c,
		      const struct block_stencil *s, lane_floats v, global const float *affine,
		      int stride, int p, lane_ints velocity[LANES])
{
	lane_floats step[DIM], corner = v;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		lane_floats slope = lanes_load(affine + (c * DIM + a) * stride + p);
		corner += slope * (-s->upper[a] * g.h);
		step[a] = slope * g.h;
	}
#pragma unroll
	for (int q = 0; q < LANES; q++) {
		lane_floats u = q & 1 ? step[0] : (lane_floats)(0.0f);
#pragma unroll
		for (int a = 1; a < DIM; a++)
			u += q >> a & 1 ? step[a] : (lane_floats)(0.0f);
		velocity[q] = lanes_round((u + corner) * scale.to_integer);
	}
}

/* Component c of the particles from .. to-1 into an empty tile; at least LANES of them. */
void block_fill(const struct grid g, const struct splat_scale scale, int c, const int first[3],
		global const float *position, global const float *velocity,
		global const float *affine, int has_affine, int stride, int from, int to,
		struct block_tile *tile)
{
	for (int next = from; next < to; next += LANES) {
		/* The last vector overlaps the one before; what that had done weighs nothing. */
		int p = next < to - LANES ? next : to - LANES, place[LANES], v[LANES];
		struct block_stencil s;
		block_stencil(g, c, first, position, stride, p, &s);
		lane_floats u = lanes_load(velocity + c * stride + p);
		lane_ints weight[LANES], corner_v[LANES];
		block_weights(&s, 1 << scale.weight_bits, weight);
#pragma unroll
		for (int q = 0; q < LANES; q++)
			weight[q] &= LANE_NUMBERS >= next - p;
		lanes_transpose_ints(weight);
		lanes_store(s.place, place);
		if (has_affine) {
			block_velocities(g, scale, c, &s, u, affine, stride, p, corner_v);
			lanes_transpose_ints(corner_v);
		} else {
			lanes_store(lanes_round(u * scale.to_integer), v);
		}
#pragma unroll
		for (int l = 0; l < LANES; l++) {
			lane_longs product = lanes_to_longs(weight[l]);
			product *= has_affine ? lanes_to_longs(corner_v[l])
					      : lanes_to_longs((lane_ints)(v[l]));
			tile->w[place[l]] += weight[l];
			tile->wv[place[l]] += product;
		}
	}
}

/* Adds two corners that are neighbours in x, without atomics. */
void block_add_pair(global int *sum_w, global long *sum_wv, int at, int2 w, long2 wv)
{
	vstore2(vload2(0, sum_w + at) + w, 0, sum_w + at);
	vstore2(vload2(0, sum_wv + at) + wv, 0, sum_wv + at);
}

/* Adds the tile to the grid's sums of its component; every axis has two samples or more.  x is the
 * outermost loop because neighbours in x overlap by half a pair: close in time, the second would
 * wait for the first to reach the cache. */
void block_empty(const struct grid g, int c, const int first[3], const struct block_tile *tile,
		 global int *sum_w, global long *sum_wv)
{
	const int e = BLOCK_PLACES_EDGE;
	int low[3] = {0, 0, 0};
#pragma unroll
	for (int a = 0; a < DIM; a++)
		low[a] = block_tile_low(first[a], a, c);
	for (int i = 0; i < e; i++)
		for (int k = 0; k < (DIM == 3 ? e : 1); k++)
			for (int j = 0; j < e; j++) {
				int place = (k * e + j) * e + i;
				lane_ints w = tile->w[place];
				lane_longs wv = tile->wv[place];
				if (!any(w != 0))
					continue;
				int at = lattice_index(g, low[0] + i, low[1] + j, low[2] + k);
				block_add_pair(sum_w, sum_wv, at, w.s01, wv.s01);
				block_add_pair(sum_w, sum_wv, at + g.px, w.s23, wv.s23);
#if DIM == 3
				at += lattice_stride(g, 2);
				block_add_pair(sum_w, sum_wv, at, w.s45, wv.s45);
				block_add_pair(sum_w, sum_wv, at + g.px, w.s67, wv.s67);
#endif
			}
}
#endif /* FRESHET_NATIVE */

/* Clears the sums that block (bx,by,bz) is the first to touch. */
void block_clear(const struct grid g, int bx, int by, int bz, global int *sum_w,
		 global long *sum_wv)
{
	int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
	blocks_first(bx, g.bx, 1, g.px, &low[0], &high[0]);
	blocks_first(by, g.by, 1, g.py, &low[1], &high[1]);
	if (DIM == 3)
		blocks_first(bz, g.bz, 1, g.pz, &low[2], &high[2]);
	for (int c = 0; c < DIM; c++)
		for (int k = low[2]; k <= high[2]; k++)
			for (int j = low[1]; j <= high[1]; j++) {
				const int row = c * g.lattice + lattice_index(g, 0, j, k);
				for (int i = low[0]; i <= high[0]; i++) {
					sum_w[row + i] = 0;
					sum_wv[row + i] = 0;
				}
			}
}

/*
 * P2G by blocks.  Blocks of one colour (parity per axis) are a block apart, and a particle reaches
 * one cell beyond its block, so they never touch the same face.  The sums of faces that no block
 * near particles touches keep what was there.  Work-item (bx, by, bz) in half block coordinates.
 */
kernel void transfer_p2g_block(const struct grid g, const struct splat_scale scale, int colour,
			       global const uint *start, global const uchar *near,
			       global const float *position, global const float *velocity,
			       global const float *affine, int has_affine, int stride,
			       global int *sum_w, global long *sum_wv)
{
	int bx = 2 * (int)get_global_id(0) + (colour & 1);
	int by = 2 * (int)get_global_id(1) + ((colour >> 1) & 1);
	int bz = 2 * (int)get_global_id(2) + (colour >> 2);
	if (bx >= g.bx || by >= g.by || bz >= g.bz)
		return;
	int key = ((bz * g.by + by) * g.bx + bx) * BLOCK_CELLS;
	int from = (int)start[key], to = (int)start[key + BLOCK_CELLS];
	if (near[key / BLOCK_CELLS] & BLOCK_CLEARS)
		block_clear(g, bx, by, bz, sum_w, sum_wv);
#ifndef FRESHET_NATIVE
	/* Along an axis of one cell the upper corner is the lower one. */
	int thin = g.nx == 1 || g.ny == 1;
#if DIM == 3
	thin |= g.nz == 1;
#endif
	if (!thin && to - from >= BLOCK_TILE_LEAST) {
		const int first[3] = {bx * BLOCK_EDGE(DIM), by * BLOCK_EDGE(DIM),
				      bz * BLOCK_EDGE(DIM)};
		struct block_tile tile;
		for (int c = 0; c < DIM; c++) {
			for (int place = 0; place < BLOCK_PLACES; place++) {
				tile.w[place] = (lane_ints)(0);
				tile.wv[place] = (lane_longs)(0);
			}
			block_fill(g, scale, c, first, position, velocity, affine, has_affine,
				   stride, from, to, &tile);
			block_empty(g, c, first, &tile, sum_w + c * g.lattice,
				    sum_wv + c * g.lattice);
		}
		return;
	}
#endif /* FRESHET_NATIVE */
	for (int p = from; p < to; p++)
		p2g_reference(g, scale, position, velocity, affine, has_affine, stride, p, sum_w,
			      sum_wv);
}

#ifndef FRESHET_NATIVE
/* C_ca of component c at the lanes' particles p .. p + LANES-1, from the corners' values. */
void g2p_affine_lanes(const struct lanes_stencil *s, const lane_floats value[LANES], float inv_h,
		      global float *affine, int stride, int p)
{
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		lane_floats slope = (lane_floats)(0.0f);
#pragma unroll
		for (int q = 0; q < LANES; q++) {
			if (q >> a & 1)
				continue;
			lane_floats w = (lane_floats)(1.0f);
#pragma unroll
			for (int b = 0; b < DIM; b++)
				if (b != a)
					w *= q >> b & 1 ? s->upper[b] : 1.0f - s->upper[b];
			slope += w * (value[q | 1 << a] - value[q]);
		}
		lanes_store(slope * inv_h, affine + a * stride + p);
	}
}

/* g2p_reference() for the particles p .. p + LANES-1; two cells or more in x. */
void g2p_lanes(const struct grid g, global const float *u_face, global const float *delta_face,
	       float flip, int apic, global const float *position, global float *velocity,
	       global float *affine, int stride, int p)
{
	lane_floats x[DIM], value[LANES];
	struct lane_axis at[2][DIM];
	lanes_load_point(position, stride, p, x);
	lanes_find(g, x, at);
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		struct lanes_stencil s;
		lanes_stencil(g, c, at, &s);
		lanes_corners(u_face + c * g.lattice, &s, value);
		lane_floats u = lanes_mix(value, &s);
		if (apic) {
			g2p_affine_lanes(&s, value, g.inv_h, affine + c * DIM * stride, stride, p);
			lanes_store(u, velocity + c * stride + p);
			continue;
		}
		lane_floats v = u;
		if (flip > 0.0f) {
			lane_floats old = lanes_load(velocity + c * stride + p);
			lanes_corners(delta_face + c * g.lattice, &s, value);
			v = flip * (old + lanes_mix(value, &s)) + (1.0f - flip) * u;
		}
		v = fabs(v) < G2P_SLOWEST ? (lane_floats)(0.0f) : v;
		lanes_store(v, velocity + c * stride + p);
	}
}

/* G2P by vectors of particles; two cells or more in x.  One work-item per LANES_CHUNK of them. */
kernel void transfer_g2p_lanes(const struct grid g, global const float *u_face,
			       global const float *delta_face, float flip, int apic,
			       global const float *position, global float *velocity,
			       global float *affine, int stride, int n)
{
	int p = (int)get_global_id(0) * LANES_CHUNK, end = lanes_chunk_end(p, n);
	for (; p <= end - LANES; p += LANES)
		g2p_lanes(g, u_face, delta_face, flip, apic, position, velocity, affine, stride, p);
	for (; p < end; p++)
		g2p_reference(g, u_face, delta_face, flip, apic, position, velocity, affine, stride,
			      p);
}
#endif /* FRESHET_NATIVE */
