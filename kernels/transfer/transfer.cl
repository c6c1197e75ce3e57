/*
 * Particles to grid by atomics, for GPUs, and its quotient; grid to particles.  The equations,
 * plainly, are p2g_reference.h and g2p_reference.h.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "blocks.h"
#include "brick_access.h"
#include "common.h"
#include "g2p_reference.h"
#include "p2g_reference.h"

#ifdef HAS_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

/* Adds to the sums of a face.  A pair of 32-bit words carries when the low one wraps, which exactly
 * one of the adders sees. */
void transfer_add(global int *sum_w, global long *sum_wv, int face, int w, long wv, int path)
{
	atomic_add(sum_w + face, w);
#ifdef HAS_INT64_ATOMICS
	if (path == SPLAT_ATOMIC64) {
		atom_add(sum_wv + face, wv);
		return;
	}
#else
	(void)path;
#endif
	volatile global uint *words = (volatile global uint *)(sum_wv + face);
	uint low = (uint)(ulong)wv, high = (uint)((ulong)wv >> 32);
	uint old = atomic_add(words, low);
	uint carry = old + low < low ? 1u : 0u;
	if (high + carry != 0u)
		atomic_add(words + 1, high + carry);
}

/* Lattice points around a block that its particles reach: one below, one above. */
#define TRANSFER_TILE SPLAT_TILE_EDGE(DIM)
#if DIM == 2
#define TRANSFER_TILE_POINTS (TRANSFER_TILE * TRANSFER_TILE)
#else
#define TRANSFER_TILE_POINTS (TRANSFER_TILE * TRANSFER_TILE * TRANSFER_TILE)
#endif

/* Place in the tile of lattice index `at`; (ox,oy,oz): lattice point of the tile's corner. */
int transfer_tile_at(const struct grid g, int at, int ox, int oy, int oz)
{
	int i = modulo(at, g.px) - ox, j = modulo(at / g.px, g.py) - oy, k = at / g.px / g.py - oz;
	return (k * TRANSFER_TILE + j) * TRANSFER_TILE + i;
}

/*
 * P2G by atomics, in a tile of local memory first: one work-group per block.  The tile holds, per
 * component, weight sums and the low and high words of the momentum sums; what is not zero goes to
 * the grid with global atomics at the end.  A work-item takes a run of particles, so that
 * neighbouring items work on different cells.
 */
kernel void transfer_p2g_tile(const struct grid g, const struct splat_scale scale,
			      global const uint *start, global const float *position,
			      global const float *velocity, global const float *affine,
			      int has_affine, int stride, global int *sum_w, global long *sum_wv,
			      int path, local uint *tile)
{
	int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	int block = (int)get_group_id(0);
	local int *tile_w = (local int *)tile;
	local uint *low = tile + DIM * TRANSFER_TILE_POINTS;
	local uint *high = low + DIM * TRANSFER_TILE_POINTS;
	int bx = modulo(block, g.bx), by = modulo(block / g.bx, g.by), bz = block / g.bx / g.by;
	int ox = bx * BLOCK_EDGE(DIM) - 1, oy = by * BLOCK_EDGE(DIM) - 1;
	int oz = DIM == 3 ? bz * BLOCK_EDGE(DIM) - 1 : 0;
	for (int n = lane; n < 3 * DIM * TRANSFER_TILE_POINTS; n += lanes)
		tile[n] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	int from = (int)start[block * BLOCK_CELLS], to = (int)start[(block + 1) * BLOCK_CELLS];
	int run = (to - from + lanes - 1) / lanes;
	int first = from + lane * run, end = first + run < to ? first + run : to;
	for (int p = first; p < end; p++) {
		for (int c = 0; c < DIM; c++) {
			const struct p2g_share share = p2g_share(g, scale, position, velocity,
								 affine, has_affine, stride, p, c);
			const int base = c * TRANSFER_TILE_POINTS +
					 transfer_tile_at(g, share.s.base, ox, oy, oz);
#pragma unroll
			for (int q = 0; q < STENCIL_CORNERS; q++) {
				int at = base + ((q & 1) && share.s.step[0] ? 1 : 0) +
					 ((q & 2) && share.s.step[1] ? TRANSFER_TILE : 0);
#if DIM == 3
				at += (q & 4) && share.s.step[2] ? TRANSFER_TILE * TRANSFER_TILE
								 : 0;
#endif
				ulong wv = (ulong)((long)share.weight[q] * (long)share.velocity[q]);
				atomic_add(tile_w + at, share.weight[q]);
				uint add = (uint)wv;
				uint old = atomic_add(low + at, add);
				uint carry = (uint)(wv >> 32) + (old + add < add ? 1u : 0u);
				if (carry)
					atomic_add(high + at, carry);
			}
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int n = lane; n < DIM * TRANSFER_TILE_POINTS; n += lanes) {
		int c = n / TRANSFER_TILE_POINTS, place = modulo(n, TRANSFER_TILE_POINTS);
		ulong wv = (ulong)low[n] | (ulong)high[n] << 32;
		if (tile_w[n] == 0 && wv == 0)
			continue;
		int i = ox + modulo(place, TRANSFER_TILE),
		    j = oy + modulo(place / TRANSFER_TILE, TRANSFER_TILE);
		int k = oz + place / (TRANSFER_TILE * TRANSFER_TILE);
		transfer_add(sum_w, sum_wv, c * g.lattice + lattice_index(g, i, j, k), tile_w[n],
			     (long)wv, path);
	}
}

/* Clears the sums, as far as others read them.  One work-item per lattice point. */
kernel void transfer_clear(global const int *bricks, const struct brick_run run,
			   const struct grid g, global const uchar *near, global int *sum_w,
			   global long *sum_wv)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz || !blocks_hold_sums(g, near, p.i, p.j, p.k))
		return;
	int at = lattice_index(g, p.i, p.j, p.k);
	for (int c = 0; c < DIM; c++) {
		sum_w[c * g.lattice + at] = 0;
		sum_wv[c * g.lattice + at] = 0;
	}
}

/* u* on the faces that hold a value; valid bit c says which.  One unit of weight is enough: weights
 * are not negative and V is exact, so that the mean is one of the particles' velocities however
 * little they weigh.  One work-item per lattice point. */
kernel void transfer_normalise(global const int *bricks, const struct brick_run run,
			       const struct grid g, const struct splat_scale scale,
			       global const uchar *near, global const int *sum_w,
			       global const long *sum_wv, global float *u_face, global uchar *valid)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	const int held = blocks_hold_sums(g, near, i, j, k);
	uchar bits = 0;
	for (int c = 0; c < DIM; c++) {
		int slot = c * g.lattice + at;
		const int there = sum_w[slot], weight = held ? there : 0;
		float u = 0.0f;
		if (weight > 0 && face_exists(g, c, i, j, k)) {
			u = p2g_velocity(scale, weight, sum_wv[slot]);
			bits |= (uchar)(1 << c);
		}
		u_face[slot] = u;
	}
	valid[at] = bits;
}

/* One work-item per particle. */
kernel void transfer_g2p(const struct grid g, global const float *u_face,
			 global const float *delta_face, float flip, int apic,
			 global const float *position, global float *velocity, global float *affine,
			 int stride, int n)
{
	int p = (int)get_global_id(0);
	if (p < n)
		g2p_reference(g, u_face, delta_face, flip, apic, position, velocity, affine, stride,
			      p);
}
