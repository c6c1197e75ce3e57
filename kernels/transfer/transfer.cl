/*
 * Particles to grid by bricks, for GPUs; the quotient of sums that CPUs have made by blocks; grid
 * to particles.  The equations, plainly, are p2g_reference.h and g2p_reference.h.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "blocks.h"
#include "brick_access.h"
#include "common.h"
#include "g2p_reference.h"
#include "p2g_reference.h"

#define TRANSFER_ROWS (DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS)
#define TRANSFER_LAYERS (DIM == 3 ? BRICK_EDGE_3D : 1)
/* Stencils that reach the points of a brick begin one point before it, or in it. */
#define TRANSFER_PLACES \
	((BRICK_X + 1) * (TRANSFER_ROWS + 1) * (TRANSFER_LAYERS + (DIM == 3 ? 1 : 0)))

/* Where a search through the particles around a stencil has got to: cell n of 2^DIM, of whose
 * particles those from `next` to `end` are left. */
struct transfer_search {
	int n, next, end;
};

/* The next particle whose stencil of component c begins at point low[], and that stencil; -1 if
 * there is none.  It is in one of the cells from low[] on, across the faces' own axis in two. */
int transfer_next(const struct grid g, global const uint *start, global const float *position,
		  int stride, int c, const int low[3], struct transfer_search *search,
		  struct stencil *s)
{
	const int base = lattice_index(g, low[0], low[1], low[2]);
	for (;;) {
		while (search->next == search->end) {
			const int n = search->n++;
			if (n == 1 << DIM)
				return -1;
			const int i = low[0] + (n & 1), j = low[1] + (n >> 1 & 1);
			const int k = low[2] + (n >> 2);
			if ((n >> c & 1) || !cell_exists(g, i, j, k))
				continue;
			const int key = block_key(g, i, j, k);
			search->next = (int)start[key];
			search->end = (int)start[key + 1];
		}
		const int p = search->next++;
		*s = p2g_stencil(g, position, stride, p, c);
		if (s->base == base)
			return p;
	}
}

/*
 * P2G by bricks of lattice points, for GPUs: one work-group per listed brick, no atomics, no sums
 * in global memory.  All particles between the same corners are one work-item's, which adds up what
 * they give to each corner, and then to the brick's sums in local memory, corner by corner, so that
 * no two work-items meet.  Particles at its sides are those of the bricks beside it, too.
 * tile: room for the sums of WV and of W.
 */
kernel void transfer_p2g_brick(global const int *bricks, const struct brick_run run,
			       const struct grid g, const struct splat_scale scale,
			       global const uint *start, global const float *position,
			       global const float *velocity, global const float *affine,
			       int has_affine, int stride, global float *u_face,
			       global uchar *valid, local long *tile)
{
	const int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	const struct brick_point first = bricks_row(bricks, run, (int)get_group_id(0), 0, 0);
	local int *tile_w = (local int *)(tile + DIM * BRICK_POINTS);
	for (int n = lane; n < DIM * BRICK_POINTS; n += lanes) {
		tile[n] = 0;
		tile_w[n] = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int turn = 0; turn < DIM * TRANSFER_PLACES; turn += lanes) {
		const int n = turn + lane, c = n / TRANSFER_PLACES;
		const int place = modulo(n, TRANSFER_PLACES), row = place / (BRICK_X + 1);
		/* In the brick. */
		const int x = modulo(place, BRICK_X + 1) - 1;
		const int y = modulo(row, TRANSFER_ROWS + 1) - 1;
		const int z = DIM == 3 ? row / (TRANSFER_ROWS + 1) - 1 : 0;
		const int low[3] = {first.i + x, first.j + y, first.k + z};
		int w[STENCIL_CORNERS];
		long wv[STENCIL_CORNERS];
#pragma unroll
		for (int q = 0; q < STENCIL_CORNERS; q++)
			w[q] = wv[q] = 0;
		struct transfer_search search = {0, 0, 0};
		struct stencil s;
		int p = c < DIM ? transfer_next(g, start, position, stride, c, low, &search, &s)
				: -1;
		while (p >= 0) {
			const struct p2g_share share =
				p2g_share(g, scale, s, velocity, affine, has_affine, stride, p, c);
#pragma unroll
			for (int q = 0; q < STENCIL_CORNERS; q++) {
				w[q] += share.weight[q];
				wv[q] += (long)share.weight[q] * (long)share.velocity[q];
			}
			p = transfer_next(g, start, position, stride, c, low, &search, &s);
		}
#pragma unroll
		for (int q = 0; q < STENCIL_CORNERS; q++) {
			const int i = x + (q & 1), j = y + (q >> 1 & 1), k = z + (q >> 2);
			const int at = (k * TRANSFER_ROWS + j) * BRICK_X + i + c * BRICK_POINTS;
			if (w[q] > 0 && i >= 0 && j >= 0 && k >= 0 && i < BRICK_X &&
			    j < TRANSFER_ROWS && k < TRANSFER_LAYERS) {
				tile[at] += wv[q];
				tile_w[at] += w[q];
			}
			barrier(CLK_LOCAL_MEM_FENCE);
		}
	}

	for (int n = lane; n < BRICK_POINTS; n += lanes) {
		const int i = first.i + modulo(n, BRICK_X), row = n / BRICK_X;
		const int j = first.j + modulo(row, TRANSFER_ROWS),
			  k = first.k + row / TRANSFER_ROWS;
		if (i >= g.px || j >= g.py || k >= g.pz)
			continue;
		const int at = lattice_index(g, i, j, k);
		int bits = 0;
		for (int c = 0; c < DIM; c++) {
			const int weight = tile_w[c * BRICK_POINTS + n];
			const int held = weight > 0 && face_exists(g, c, i, j, k);
			bits |= held << c;
			u_face[c * g.lattice + at] =
				held ? p2g_velocity(scale, weight, tile[c * BRICK_POINTS + n])
				     : 0.0f;
		}
		valid[at] = (uchar)bits;
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
