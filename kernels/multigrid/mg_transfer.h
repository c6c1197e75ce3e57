/*
 * Transfers between the levels of multigrid.cl; what they compute, plainly, is
 * restrict_reference.h, of which interpolation is the transpose.
 *
 * No cell that is not an unknown holds anything but 0, in residuals and corrections too, so that
 * nothing asks for the type of a cell.  With the words of mg_stencil.h alone every cell takes the
 * same instructions (docs/portability.md#kernels-that-become-vectors).  Near coarse cells of
 * several parts the routes of mg_parts.h decide instead (mg_transfer_parts.h).
 */
#ifndef FRESHET_MG_TRANSFER_H
#define FRESHET_MG_TRANSFER_H

#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_stencil.h"

/* Weights along an axis are 1 - f/4 and f/4 times 64 (f in sixteenths): whole numbers.  Their sums
 * are multiplied by MG_WEIGHT = 64^-DIM in the end: exact, and one multiplication for all. */
#define MG_WEIGHT (DIM == 3 ? 0x1p-18f : 0x1p-12f)

/* Weight of corner q (bit a: the neighbour along a), given f/4 times 64 per axis. */
ALWAYS_INLINE float mg_corner_weight(const float quarter[3], int q)
{
	float w = 1.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++)
		w *= q >> a & 1 ? quarter[a] : 64.0f - quarter[a];
	return w;
}

/* Weight of the own cell for one of its children; what would come from solids returns to it. */
ALWAYS_INLINE float mg_own_weight(const float quarter[3], uint rest, int child)
{
	float weight = mg_corner_weight(quarter, 0);
#pragma unroll
	for (int q = 3; q < 1 << DIM; q++) {
		/* Single steps into solids have f = 0: only diagonals are left. */
		if (q == 4)
			continue;
		float back = mg_corner_weight(quarter, q);
		weight += (float)(int)(rest >> mg_diagonal(q, child) & 1u) * back;
	}
	return weight;
}

/* ---- cells of one part ---------------------------------------------------------------------- */

/* Does child `child` of the coarse cell (di,dj,dk) away lean towards this one? */
ALWAYS_INLINE int mg_leans(int child, int di, int dj, int dk)
{
	return !((di == -1 && !(child & 1)) || (di == 1 && child & 1) ||
		 (dj == -1 && !(child & 2)) || (dj == 1 && child & 2) ||
		 (dk == -1 && !(child & 4)) || (dk == 1 && child & 4));
}

/* Bits of all that do. */
ALWAYS_INLINE uint mg_leaning(int di, int dj, int dk)
{
	const uint x = di < 0 ? 0xaau : di > 0 ? 0x55u : 0xffu;
	const uint y = dj < 0 ? 0xccu : dj > 0 ? 0x33u : 0xffu;
	const uint z = DIM == 2 ? 0x0fu : dk < 0 ? 0xf0u : dk > 0 ? 0x0fu : 0xffu;
	return x & y & z;
}
/* Of those with i + j + k even. */
#define MG_RED_CHILDREN 0x69u

/* Cells with i + j + k odd, which after a black half-sweep have no residual. */
ALWAYS_INLINE int mg_child_is_black(int child)
{
	return (child ^ child >> 1 ^ child >> 2) & 1;
}

/* Place of cells (2m,j,k) and (2m+1,j,k), where j and k may be two beyond the last one, in one
 * colour's arrays. */
ALWAYS_INLINE long mg_place_beyond(const struct mg_level l, long m, int j, int k)
{
	return ((k < l.nz ? k : l.nz) + MG_HALO_Z) * l.plane +
	       ((j < l.ny ? j : l.ny) + 1) * l.pitch + 1 + m;
}

/* Weight at coarse cell `corner` steps away of a child, given the words of its own cell. */
ALWAYS_INLINE float mg_child_weight(uint open, uint rest, int child, int corner)
{
	float quarter[3] = {0.0f, 0.0f, 0.0f};
#pragma unroll
	for (int a = 0; a < DIM; a++)
		quarter[a] = mg_stencil_sixteenths(open, 2 * a + (child >> a & 1));
	return corner ? mg_corner_weight(quarter, corner) : mg_own_weight(quarter, rest, child);
}

/* Weighted residual of child `child` of coarse cell (i,j,k), for the cell at its `corner`.
 * red_only: residual is the compact array of red ones; else an array of all levels. */
ALWAYS_INLINE float mg_restrict_child(const struct mg_level fine, uint open, uint rest,
				      global const float *residual, int red_only, long i, int j,
				      int k, int child, int corner)
{
	const long at = mg_place_beyond(fine, i, 2 * j + (child >> 1 & 1), 2 * k + (child >> 2)) +
			(red_only ? fine.offset >> 1
				  : fine.offset + mg_child_is_black(child) * fine.colour_stride);
	return mg_child_weight(open, rest, child, corner) * residual[at];
}

/* Of all children of the coarse cell (di,dj,dk) away from (i,j,k) that lean towards it. */
ALWAYS_INLINE float mg_restrict_from(const struct mg_level fine, uint open, uint rest,
				     global const float *residual, int red_only, long i, int j,
				     int k, int di, int dj, int dk)
{
	float sum = 0.0f;
	int corner = (di != 0) | (dj != 0) << 1 | (dk != 0) << 2;
#pragma unroll
	for (int child = 0; child < 1 << DIM; child++)
		if (mg_leans(child, di, dj, dk) && !(red_only && mg_child_is_black(child)))
			sum += mg_restrict_child(fine, open, rest, residual, red_only, i + di,
						 j + dj, k + dk, child, corner);
	return sum;
}

/* Place of the cell (di,dj,dk) away from c. */
ALWAYS_INLINE long mg_near(const struct mg_level l, const struct mg_cell c, int di, int dj, int dk)
{
	return ((di + dj + dk) & 1 ? c.other : c.at) +
	       (di == 0	 ? 0
		: di > 0 ? c.shift
			 : c.shift - 1) +
	       dj * l.pitch + dk * l.plane;
}

/* P^T r at coarse cell (i,j,k), with no parts around. */
ALWAYS_INLINE float mg_restrict_plain(const struct mg_level fine, const struct mg_level coarse,
				      int total, global const uint *stencil,
				      global const float *residual, int red_only, long i, int j,
				      int k)
{
	float sum = 0.0f;
#pragma unroll
	for (int dk = DIM == 3 ? -1 : 0; dk <= (DIM == 3 ? 1 : 0); dk++)
#pragma unroll
		for (int dj = -1; dj <= 1; dj++)
#pragma unroll
			for (int di = -1; di <= 1; di++) {
				long at = mg_stencil_at(coarse, i + di, j + dj, k + dk);
				uint rest = di == 0 && dj == 0 && dk == 0
						    ? mg_stencil_rest(stencil, coarse, total, at)
						    : 0u;
				sum += mg_restrict_from(fine, mg_stencil_open(stencil, coarse, at),
							rest, residual, red_only, i, j, k, di, dj,
							dk);
			}
	return mg_stencil_open(stencil, coarse, mg_stencil_at(coarse, i, j, k)) & MG_KNOWN
		       ? MG_WEIGHT * sum
		       : 0.0f;
}

/* P x_coarse at a fine cell whose coarse cell has no parts around. */
ALWAYS_INLINE float mg_prolong_plain(const struct mg_level coarse, uint open, uint rest,
				     global const float *x, const struct mg_cell own, int child)
{
	float sum = 0.0f;
#pragma unroll
	for (int q = 0; q < 1 << DIM; q++) {
		long at =
			mg_near(coarse, own, q & 1 ? (child & 1 ? 1 : -1) : 0,
				q & 2 ? (child & 2 ? 1 : -1) : 0, q & 4 ? (child & 4 ? 1 : -1) : 0);
		sum += mg_child_weight(open, rest, child, q) * x[at];
	}
	return MG_WEIGHT * sum;
}

/* The coarse cell that a fine cell belongs to. */
ALWAYS_INLINE struct mg_cell mg_parent(const struct mg_level coarse, const struct mg_cell c)
{
	return mg_cell_ijk(coarse, c.i >> 1, c.j >> 1, DIM == 3 ? c.k >> 1 : 0);
}

/* Which child of it. */
ALWAYS_INLINE int mg_child_of(const struct mg_cell c)
{
	return (c.i & 1) | (c.j & 1) << 1 | (DIM == 3 ? (c.k & 1) << 2 : 0);
}

#endif
