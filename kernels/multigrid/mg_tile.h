/*
 * A brick of a level with cells around it, in local memory: a group goes through several
 * half-sweeps there, each over a ring of cells less than the one before, as far out as what follows
 * depends on. What is outside the box is 0, as in halos.
 */
#ifndef FRESHET_MG_TILE_H
#define FRESHET_MG_TILE_H

#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_relax.h"
#include "mg_transfer.h"

struct mg_tile {
	int i, j, k;	 /* first cell of the brick */
	int halo;	 /* rings of cells around it */
	int width, rows; /* of the array */
};

ALWAYS_INLINE struct mg_tile mg_tile_of(const struct brick_point first, int halo)
{
	struct mg_tile t;
	t.i = first.i;
	t.j = first.j;
	t.k = first.k;
	t.halo = halo;
	t.width = MG_TILE_X + 2 * halo;
	t.rows = MG_TILE_Y(DIM) + 2 * halo;
	return t;
}

ALWAYS_INLINE int mg_tile_elements(const struct mg_tile t)
{
	return t.width * t.rows * (DIM == 3 ? MG_TILE_Y(DIM) + 2 * t.halo : 1);
}

/* Place of a cell in the array. */
ALWAYS_INLINE int mg_tile_at(const struct mg_tile t, int i, int j, int k)
{
	return ((DIM == 3 ? k - t.k + t.halo : 0) * t.rows + j - t.j + t.halo) * t.width + i - t.i +
	       t.halo;
}

/* Cells of one colour within `rings` of the brick. */
ALWAYS_INLINE int mg_tile_count(int rings)
{
	const int edge = MG_TILE_Y(DIM) + 2 * rings;
	return (MG_TILE_X / 2 + rings) * edge * (DIM == 3 ? edge : 1);
}

/* The nth of them. */
ALWAYS_INLINE struct mg_cell mg_tile_cell(const struct mg_level l, const struct mg_tile t,
					  int colour, int rings, int n)
{
	const int along = MG_TILE_X / 2 + rings, edge = MG_TILE_Y(DIM) + 2 * rings;
	const int j = t.j - rings + modulo(n / along, edge);
	const int k = DIM == 3 ? t.k - rings + n / along / edge : 0;
	/* The brick begins at an even i. */
	const int odd = (rings + j + k + colour) & 1;
	const int i = t.i - rings + 2 * modulo(n, along) + odd;
	struct mg_cell c = mg_cell_at(l, colour, i >> 1, j, k);
	c.exists &= (i >= 0) & (j >= 0) & (k >= 0);
	return c;
}

ALWAYS_INLINE int mg_tile_has(const struct mg_tile t, const struct mg_cell c)
{
	return (c.i >= t.i) & (c.i < t.i + MG_TILE_X) & (c.j >= t.j) &
	       (c.j < t.j + MG_TILE_Y(DIM)) &
	       (DIM == 2 || ((c.k >= t.k) & (c.k < t.k + MG_TILE_Y(DIM))));
}

/* mg_apply() to x in the array. */
ALWAYS_INLINE struct mg_row mg_tile_apply(const struct mg_tile t, const struct mg_links w,
					  float excess, local const float *x, int at)
{
	struct mg_row r = mg_diagonal_row(w, excess);
	r.off = w.high_x * x[at + 1] + w.low_x * x[at - 1];
	r.off += w.high_y * x[at + t.width] + w.low_y * x[at - t.width];
#if DIM == 3
	const int plane = t.width * t.rows;
	r.off += w.high_z * x[at + plane] + w.low_z * x[at - plane];
#endif
	return r;
}

/* mg_restrict_from() of red residuals in an array like that of x, or in one of half its size, shift
 * = 1, which has a place for two neighbours along x. */
ALWAYS_INLINE float mg_tile_restrict_from(const struct mg_tile t, uint open, uint rest,
					  local const float *residual, int shift, int i, int j,
					  int k, int di, int dj, int dk)
{
	float sum = 0.0f;
	int corner = (di != 0) | (dj != 0) << 1 | (dk != 0) << 2;
#pragma unroll
	for (int child = 0; child < 1 << DIM; child++)
		if (mg_leans(child, di, dj, dk) && !mg_child_is_black(child))
			sum += mg_child_weight(open, rest, child, corner) *
			       residual[mg_tile_at(t, 2 * (i + di) + (child & 1),
						   2 * (j + dj) + (child >> 1 & 1),
						   2 * (k + dk) + (child >> 2)) >>
					shift];
	return sum;
}

/* mg_restrict_plain() of them. */
ALWAYS_INLINE float mg_tile_restrict(const struct mg_tile t, const struct mg_level coarse,
				     int total, global const uint *stencil,
				     local const float *residual, int shift, int i, int j, int k)
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
				sum += mg_tile_restrict_from(
					t, mg_stencil_open(stencil, coarse, at), rest, residual,
					shift, i, j, k, di, dj, dk);
			}
	return mg_stencil_open(stencil, coarse, mg_stencil_at(coarse, i, j, k)) & MG_KNOWN
		       ? MG_WEIGHT * sum
		       : 0.0f;
}

/* ---- a whole level ----------------------------------------------------------------------------
 */

/* With one ring of zeros; rows have an even number of places. */
ALWAYS_INLINE struct mg_tile mg_tile_of_level(const struct mg_level l)
{
	struct mg_tile t;
	t.i = t.j = t.k = 0;
	t.halo = 1;
	t.width = MG_WHOLE_WIDTH(l.nx);
	t.rows = l.ny + 2;
	return t;
}

ALWAYS_INLINE int mg_tile_whole(const struct mg_level l)
{
	return MG_WHOLE_WIDTH(l.nx) * (l.ny + 2) * (DIM == 3 ? l.nz + 2 : 1);
}

/* mg_prolong_plain() of coarse x in such an array; t: of the coarse level. */
ALWAYS_INLINE float mg_tile_prolong(const struct mg_tile t, uint open, uint rest,
				    local const float *x, const struct mg_cell own, int child)
{
	const int at = mg_tile_at(t, own.i, own.j, own.k);
	float sum = 0.0f;
#pragma unroll
	for (int q = 0; q < 1 << DIM; q++) {
		const int to = at + (q & 1 ? (child & 1 ? 1 : -1) : 0) +
			       (q & 2 ? (child & 2 ? 1 : -1) : 0) * t.width +
			       (q & 4 ? (child & 4 ? 1 : -1) : 0) * t.width * t.rows;
		sum += mg_child_weight(open, rest, child, q) * x[to];
	}
	return MG_WEIGHT * sum;
}

#endif
