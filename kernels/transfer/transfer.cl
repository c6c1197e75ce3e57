/*
 * Particles to grid and back.
 *
 * P2G accumulates in integers, so that no order of summation can change a bit: a particle's weight
 * at a face is W = rint(w 2^a) (the greatest gets the remainder, so they add up to 2^a),
 * its velocity component an integer V; the sums are sum W (i32) and sum W V (i64).  The velocity of
 * a face is sum WV / sum W.  PIC, FLIP: Zhu & Bridson 2005; APIC: V holds v + C (x_face - x_p),
 * Jiang et al. 2015.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "sample.h"
#include "transfer_gather.h"
#include "transfer_splat.h"

/* Faces with a lower weight sum hold no value.  One unit is enough: weights are not negative and V
 * is exact, so that the mean is one of the particles' velocities however small the weight. */
#define TRANSFER_MIN_WEIGHT 1

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
	int ox = bx * TRANSFER_EDGE - 1, oy = by * TRANSFER_EDGE - 1;
	int oz = DIM == 3 ? bz * TRANSFER_EDGE - 1 : 0;
	for (int n = lane; n < 3 * DIM * TRANSFER_TILE_POINTS; n += lanes)
		tile[n] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	int from = (int)start[block * BLOCK_CELLS], to = (int)start[(block + 1) * BLOCK_CELLS];
	int run = (to - from + lanes - 1) / lanes;
	int first = from + lane * run, end = first + run < to ? first + run : to;
	for (int p = first; p < end; p++) {
		float x[3], row[3];
		for (int c = 0; c < DIM; c++) {
			transfer_load(position, affine, has_affine, stride, p, c, x, row);
			struct transfer_part part =
				transfer_split(g, scale, c, x, velocity[c * stride + p], row);
			int weight[TRANSFER_CORNERS], v[TRANSFER_CORNERS];
			transfer_unpack(part, weight, v);
			int base = c * TRANSFER_TILE_POINTS +
				   transfer_tile_at(g, part.s.base, ox, oy, oz);
			for (int q = 0; q < TRANSFER_CORNERS; q++) {
				int at = base + ((q & 1) && part.s.step[0] ? 1 : 0) +
					 ((q & 2) && part.s.step[1] ? TRANSFER_TILE : 0);
#if DIM == 3
				at += (q & 4) && part.s.step[2] ? TRANSFER_TILE * TRANSFER_TILE : 0;
#endif
				ulong wv = (ulong)((long)weight[q] * (long)v[q]);
				atomic_add(tile_w + at, weight[q]);
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

/* num/den rounded to the nearest integer, den > 0. */
long transfer_divide(long num, long den)
{
	long half_den = den / 2;
	return num >= 0 ? (num + half_den) / den : -((-num + half_den) / den);
}

/* u = sum WV / sum W on faces with enough weight; valid bit c says which.  One work-item per
 * lattice point. */
kernel void transfer_normalise(global const int *bricks, const struct brick_run run,
			       const struct grid g, const struct splat_scale scale,
			       global const int *sum_w, global const long *sum_wv,
			       global float *u_face, global uchar *valid)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	uchar bits = 0;
	for (int c = 0; c < DIM; c++) {
		int slot = c * g.lattice + at;
		int weight = sum_w[slot];
		float u = 0.0f;
		if (weight >= TRANSFER_MIN_WEIGHT && face_exists(g, c, i, j, k)) {
			u = convert_float_rte(transfer_divide(sum_wv[slot], (long)weight)) *
			    scale.to_velocity;
			bits |= (uchar)(1 << c);
		}
		u_face[slot] = u;
	}
	valid[at] = bits;
}

/* G2P, see transfer_gather.h.  One work-item per particle. */
kernel void transfer_g2p(const struct grid g, global const float *u_face,
			 global const float *delta_face, float flip, int apic,
			 global const float *position, global float *velocity, global float *affine,
			 int stride, int n)
{
	int p = (int)get_global_id(0);
	if (p < n)
		transfer_gather(g, u_face, delta_face, flip, apic, position, velocity, affine,
				stride, p);
}
