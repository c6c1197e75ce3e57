/*
 * Restriction and prolongation; formulas in mg_transfer.h.
 *
 * After a black half-sweep the residual of black cells is zero: only red ones are restricted, and
 * only red ones need the prolonged correction, since the next black half-sweep overwrites the
 * others.  Cells near coarse cells of several parts come after the rest, by kernels of their own,
 * so that compilers can make vectors of what is done nearly everywhere.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_state.h"
#include "mg_transfer.h"

/* b_coarse = P^T r from red residuals.  Work-item = coarse cell, both colours in turn, in whose
 * order words and residuals lie side by side. */
kernel void mg_restrict(global const int *restrict bricks, const struct brick_run run,
			const struct mg_level fine, const struct mg_level coarse, int total,
			global const uint *restrict stencil, global const float *restrict residual,
			global float *restrict b, global const uint *restrict state)
{
	if (state[MG_DONE])
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
	if (state[MG_DONE])
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
				   global const uchar *route, global const float *residual,
				   global const float *residual_extra, int red_only,
				   global float *b, global const uint *state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_listed_both(coarse, bricks, run);
	if (!c.exists || !(parts[c.at + coarse.coarse_shift] & MG_PARTS_NEAR))
		return;
	mg_restrict_parts(mg_transfer_of(mg_graph_of(total, 0, link, parts, row), fine, coarse,
					 stencil, route),
			  residual, residual_extra, red_only, c, b);
}

/* x += P x_coarse at cells of one colour.  Work-item = such a cell. */
kernel void mg_prolong(global const int *restrict bricks, const struct brick_run run,
		       const struct mg_level fine, const struct mg_level coarse, int colour,
		       int total, global const uint *restrict stencil, global float *restrict x,
		       global const uint *restrict state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_listed(fine, colour, bricks, run);
	if (!c.stored)
		return;
	struct mg_cell own = mg_parent(coarse, c);
	const long word = mg_stencil_at(coarse, c.m, own.j, own.k);
	uint open = mg_stencil_open(stencil, coarse, word);
	uint rest = mg_stencil_rest(stencil, coarse, total, word);
	float before = x[c.at];
	float after = before + mg_prolong_plain(coarse, open, rest, x, own, mg_child_of(c));
	x[c.at] = rest & MG_SPLIT ? before : after;
}

/* The same where the coarse cell has parts around. */
kernel void mg_prolong_near_parts(global const int *restrict bricks, const struct brick_run run,
				  const struct mg_level fine, const struct mg_level coarse,
				  int colour, int total, global const uint *stencil,
				  global const float *link, global const uint *parts,
				  global const float *row, global const uchar *route,
				  global float *x, global const uint *state)
{
	if (state[MG_DONE])
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
