/*
 * Restriction and prolongation; what they compute, plainly, is restrict_reference.h.
 *
 * After a black half-sweep the residual of black cells is zero: only red ones are restricted, and
 * only red ones need the prolonged correction, since the next black half-sweep overwrites the
 * others.  Cells near coarse cells of several parts come after the rest, by kernels of their own
 * (docs/portability.md#kernels-that-become-vectors).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_state.h"
#include "mg_transfer.h"
#include "mg_transfer_parts.h"

/* b_coarse = P^T r from red residuals.  Work-item = coarse cell, both colours in turn, in whose
 * order words and residuals lie side by side. */
kernel void mg_restrict(global const int *restrict bricks, const struct brick_run run,
			const struct mg_level fine, const struct mg_level coarse, int total,
			global const uint *restrict stencil, global const float *restrict residual,
			global float *restrict b, global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	const struct brick_point p = mg_listed_row(bricks, run);
	const long i = p.i + (long)get_global_id(0);
	if (((int)i < coarse.nx) & (p.j < coarse.ny) & (p.k < coarse.nz))
		b[mg_at_cell(coarse, (int)i, p.j, p.k)] =
			mg_restrict_plain(fine, coarse, total, stencil, residual, 1, i, p.j, p.k);
}

/* The same from b of the finer level. */
kernel void mg_restrict_all(global const int *restrict bricks, const struct brick_run run,
			    const struct mg_level fine, const struct mg_level coarse, int total,
			    global const uint *stencil, global float *b, global const uint *state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	const struct brick_point p = mg_listed_row(bricks, run);
	const long i = p.i + (long)get_global_id(0);
	if (((int)i < coarse.nx) & (p.j < coarse.ny) & (p.k < coarse.nz))
		b[mg_at_cell(coarse, (int)i, p.j, p.k)] =
			mg_restrict_plain(fine, coarse, total, stencil, b, 0, i, p.j, p.k);
}

/* Either, for cells with parts around. */
kernel void mg_restrict_near_parts(global const int *restrict bricks, const struct brick_run run,
				   const struct mg_level fine, const struct mg_level coarse,
				   int total, global const uint *stencil, global const float *link,
				   global const uint *parts, global const float *row,
				   global const mg_route *route, global const float *residual,
				   global const float *residual_extra, int red_only,
				   global float *b, global const uint *state)
{
	if (mg_row_is_idle(bricks, run, 2, state))
		return;
	struct mg_cell c = mg_listed_both(coarse, bricks, run);
	if (!c.exists || !(parts[c.at + coarse.coarse_shift] & MG_PARTS_NEAR))
		return;
	mg_restrict_parts(mg_transfer_of(mg_graph_of(total, 0, link, parts, row), fine, coarse,
					 stencil, route),
			  residual, residual_extra, red_only, c, b);
}

/* Coarse rows of a fine brick. */
#define MG_BLOCK_ROWS (BRICK_ROWS >> (DIM - 1))

/*
 * x += P x_coarse at the children of one colour of a coarse cell.  Which of them lie where, and
 * which way they lean, is the same for all coarse cells: so a work-item reads the cell's words, and
 * takes weights out of them, once.
 */
ALWAYS_INLINE void mg_prolong_block(global const int *restrict bricks, const struct brick_run run,
				    const struct mg_level fine, const struct mg_level coarse,
				    int colour, int total, global const uint *restrict stencil,
				    global float *restrict x, global const uint *restrict state)
{
	const int block = modulo((int)get_global_id(1), MG_BLOCK_ROWS);
	const int place = bricks_place(run, MG_BLOCK_ROWS);
	const int first = DIM == 2 ? 2 * block : 2 * (block & 1) + 2 * BRICK_EDGE_3D * (block >> 1);
	const uint rows = bricks_rows(bricks, run, place) >> first;
	if ((state[MG_DONE] != 0) | !(rows & (DIM == 2 ? 0x3u : 0x33u)))
		return;
	const struct brick_point p = bricks_row_of(bricks, run, place, 0, first);
	const long m = p.i / 2 + (long)get_global_id(0);
	const int j = p.j / 2, k = p.k / 2;
	if (((int)m >= coarse.nx) | (j >= coarse.ny) | (k >= coarse.nz))
		return;
	const struct mg_cell own = mg_cell_ijk(coarse, (int)m, j, k);
	const long word = mg_stencil_at(coarse, m, j, k);
	const uint open = mg_stencil_open(stencil, coarse, word);
	const uint rest = mg_stencil_rest(stencil, coarse, total, word);
	float correction[1 << (DIM - 1)];
	/* All of them before x changes. */
#pragma unroll
	for (int row = 0; row < 1 << (DIM - 1); row++) {
		const int side = (row ^ row >> 1 ^ colour) & 1;
		correction[row] = mg_prolong_plain(coarse, open, rest, x, own, side | row << 1);
	}
#pragma unroll
	for (int row = 0; row < 1 << (DIM - 1); row++) {
		/* It may lie in the halo, where 0 stays 0. */
		const int fine_j = 2 * j + (row & 1), fine_k = 2 * k + (row >> 1);
		const long at = fine.offset + colour * fine.colour_stride +
				(fine_k + MG_HALO_Z) * fine.plane + (fine_j + 1) * fine.pitch + 1 +
				m;
		const int kept = (rest & MG_SPLIT) != 0;
		/* Nor does what holds no unknown and is not swept get a value. */
		const int bit = (row & 1) + BRICK_EDGE_3D * (row >> 1);
		const int idle = !(rows >> bit & 1u);
		const int beyond = (fine_j >= fine.ny) | (fine_k >= fine.nz);
		const float before = x[at], after = before + correction[row];
		x[at] = (kept | beyond | idle) ? before : after;
	}
}

/* At red cells.  Work-item = coarse cell. */
kernel void mg_prolong(global const int *restrict bricks, const struct brick_run run,
		       const struct mg_level fine, const struct mg_level coarse, int total,
		       global const uint *restrict stencil, global float *restrict x,
		       global const uint *restrict state)
{
	mg_prolong_block(bricks, run, fine, coarse, 0, total, stencil, x, state);
}

/* At black ones. */
kernel void mg_prolong_black(global const int *restrict bricks, const struct brick_run run,
			     const struct mg_level fine, const struct mg_level coarse, int total,
			     global const uint *restrict stencil, global float *restrict x,
			     global const uint *restrict state)
{
	mg_prolong_block(bricks, run, fine, coarse, 1, total, stencil, x, state);
}

/* The same where the coarse cell has parts around. */
kernel void mg_prolong_near_parts(global const int *restrict bricks, const struct brick_run run,
				  const struct mg_level fine, const struct mg_level coarse,
				  int colour, int total, global const uint *stencil,
				  global const float *link, global const uint *parts,
				  global const float *row, global const mg_route *route,
				  global float *x, global const uint *state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	struct mg_cell c = mg_listed(fine, colour, bricks, run);
	if (!c.exists)
		return;
	struct mg_cell own = mg_parent(coarse, c);
	if (mg_stencil_rest(stencil, coarse, total, mg_stencil_of(coarse, own)) & MG_SPLIT)
		mg_prolong_parts(mg_transfer_of(mg_graph_of(total, 0, link, parts, row), fine,
						coarse, stencil, route),
				 x, c, own);
}
