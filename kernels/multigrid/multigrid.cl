/*
 * Multigrid for the pressure equation A x = b, A x = (excess + sum of links) x - sum link x_n:
 * the smoother and what works on all small levels at once.  Coarse operators: multigrid_setup.cl;
 * transfers: multigrid_transfer.cl.
 *
 * Red-black Gauss-Seidel, red then black going down, black then red coming up, so that the cycle is
 * symmetric.  After a black half-sweep the residual of black cells is zero: only that of red ones
 * is computed.
 *
 * The kernels of cells of one part have neither branches nor guards for edges: halos hold links of
 * 0 (docs/portability.md#kernels-that-become-vectors).  Cells with parts around get their values
 * from kernels of their own, which overwrite what these left there.
 *
 * Every kernel returns at once when state[MG_DONE] is set, so that iterations enqueued past
 * convergence change nothing.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_relax.h"
#include "mg_state.h"
#include "mg_transfer.h"
#include "mg_transfer_parts.h"

/* ---- smoothing ----------------------------------------------------------------------------- */

/* A half-sweep on a coarse level.  Work-item = cell of the colour. */
kernel void mg_smooth(global const int *restrict bricks, const struct brick_run run,
		      const struct mg_level l, int colour, int total,
		      global const float *restrict link, global const float *restrict excess,
		      global const float *restrict b, global const float *restrict other,
		      global float *restrict x, global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_coarse_links(l, c, total, link);
	x[c.at] = mg_solve_row(mg_apply(l, c, w, excess, other), b[c.at]);
}

/* The same on level 0. */
kernel void mg_smooth_finest(global const int *restrict bricks, const struct brick_run run,
			     const struct mg_level l, int colour,
			     global const ushort *restrict open,
			     global const float *restrict excess, global const float *restrict b,
			     global const float *restrict other, global float *restrict x,
			     global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_finest_links(l, c, open);
	x[c.at] = mg_solve_row(mg_apply(l, c, w, excess, other), b[c.at]);
}

/* The first half-sweep on x = 0, whatever x holds, on a coarse level. */
kernel void mg_smooth_from_zero(global const int *restrict bricks, const struct brick_run run,
				const struct mg_level l, int colour, int total,
				global const float *restrict link,
				global const float *restrict excess, global const float *restrict b,
				global float *restrict x, global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_coarse_links(l, c, total, link);
	x[c.at] = mg_solve_row(mg_diagonal_row(w, excess[c.at]), b[c.at]);
}

/* The same on level 0. */
kernel void mg_smooth_finest_from_zero(global const int *restrict bricks,
				       const struct brick_run run, const struct mg_level l,
				       int colour, global const ushort *restrict open,
				       global const float *restrict excess,
				       global const float *restrict b, global float *restrict x,
				       global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_finest_links(l, c, open);
	x[c.at] = mg_solve_row(mg_diagonal_row(w, excess[c.at]), b[c.at]);
}

/* A half-sweep on level 0 over-relaxed by omega. */
kernel void mg_smooth_over(global const int *restrict bricks, const struct brick_run run,
			   const struct mg_level l, int colour, global const ushort *restrict open,
			   global const float *restrict excess, global const float *restrict b,
			   global const float *restrict other, global float *restrict x,
			   float omega, global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_finest_links(l, c, open);
	float before = x[c.at];
	float value = mg_solve_row(mg_apply(l, c, w, excess, other), b[c.at]);
	x[c.at] = before + omega * (value - before);
}

/* r = b - A x at red cells of a coarse level. */
kernel void mg_residual_red(global const int *restrict bricks, const struct brick_run run,
			    const struct mg_level l, int total, global const float *restrict link,
			    global const float *restrict excess, global const float *restrict b,
			    global const float *restrict x, global float *restrict residual,
			    global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	struct mg_cell c = mg_listed(l, 0, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_coarse_links(l, c, total, link);
	residual[c.at - (l.offset >> 1)] =
		mg_row_residual(mg_apply(l, c, w, excess, x), b[c.at], x[c.at]);
}

/* The same on level 0. */
kernel void mg_residual_finest_red(global const int *restrict bricks, const struct brick_run run,
				   const struct mg_level l, global const ushort *restrict open,
				   global const float *restrict excess,
				   global const float *restrict b, global const float *restrict x,
				   global float *restrict residual,
				   global const uint *restrict state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	struct mg_cell c = mg_listed(l, 0, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_finest_links(l, c, open);
	residual[c.at] = mg_row_residual(mg_apply(l, c, w, excess, x), b[c.at], x[c.at]);
}

/* A half-sweep over cells with parts around. */
kernel void mg_smooth_near_parts(global const int *restrict bricks, const struct brick_run run,
				 const struct mg_level l, int colour, int total,
				 global const uint *stencil, global const float *link,
				 global const uint *parts, global const float *row,
				 global const float *excess, global const float *b, global float *x,
				 int from_zero, global const uint *state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	const struct mg_graph g = mg_graph_of(total, 0, link, parts, row);
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (c.exists && mg_is_split(g, l, stencil, c))
		mg_smooth_parts(g, l, c, excess, b, x, from_zero);
}

/* The residual of red ones. */
kernel void mg_residual_near_parts(global const int *restrict bricks, const struct brick_run run,
				   const struct mg_level l, int total, global const uint *stencil,
				   global const float *link, global const uint *parts,
				   global const float *row, global const float *excess,
				   global const float *b, global const float *x,
				   global float *residual, global float *residual_extra,
				   global const uint *state)
{
	if (mg_row_is_idle(bricks, run, 1, state))
		return;
	const struct mg_graph g = mg_graph_of(total, 0, link, parts, row);
	struct mg_cell c = mg_listed(l, 0, bricks, run);
	if (c.exists && mg_is_split(g, l, stencil, c))
		mg_residual_parts(g, l, c, excess, b, x, residual, residual_extra);
}

/* ---- small levels in one work-group -------------------------------------------------------- */

/* Runs over the cells of one colour (or both) of a level, shared out among the group; over none
 * unless `active`. */
#define MG_FOR_CELLS(level, first, colours)                                                 \
	for (int mg_n = (int)get_local_id(0),                                               \
		 mg_count = active * (level).row * (level).ny * (level).nz * (colours);     \
	     mg_n < mg_count; mg_n += (int)get_local_size(0))                               \
		for (struct mg_cell c =                                                     \
			     mg_cell_at(level, (colours) == 2 ? mg_n & 1 : (first),         \
					modulo(mg_n / (colours), (level).row),              \
					modulo(mg_n / (colours) / (level).row, (level).ny), \
					mg_n / (colours) / (level).row / (level).ny);       \
		     c.exists; c.exists = 0)

/* One cell of a level: as the kernels above and those of multigrid_transfer.cl. */
void mg_smooth_cell(const struct mg_graph g, const struct mg_level l, global const uint *stencil,
		    const struct mg_cell c, global const float *excess, global const float *b,
		    global float *x, int from_zero)
{
	if (mg_is_split(g, l, stencil, c)) {
		mg_smooth_parts(g, l, c, excess, b, x, from_zero);
		return;
	}
	const struct mg_links w = mg_links_of(g, l, c);
	struct mg_row r =
		from_zero ? mg_diagonal_row(w, excess[c.at]) : mg_apply(l, c, w, excess, x);
	x[c.at] = mg_solve_row(r, b[c.at]);
}

void mg_residual_cell(const struct mg_graph g, const struct mg_level l, global const uint *stencil,
		      const struct mg_cell c, global const float *excess, global const float *b,
		      global const float *x, global float *residual, global float *residual_extra)
{
	if (mg_is_split(g, l, stencil, c))
		mg_residual_parts(g, l, c, excess, b, x, residual, residual_extra);
	else
		residual[c.at - (l.offset >> 1)] = mg_row_residual(
			mg_apply(l, c, mg_links_of(g, l, c), excess, x), b[c.at], x[c.at]);
}

void mg_restrict_cell(const struct mg_transfer t, global const float *residual,
		      global const float *residual_extra, const struct mg_cell c, global float *b)
{
	if (mg_parts_of(t.g, t.coarse, c.at) & MG_PARTS_NEAR)
		mg_restrict_parts(t, residual, residual_extra, 1, c, b);
	else
		b[c.at] = mg_restrict_plain(t.fine, t.coarse, t.g.total, t.stencil, residual, 1,
					    c.i, c.j, c.k);
}

void mg_prolong_cell(const struct mg_transfer t, const struct mg_cell c, global float *x)
{
	struct mg_cell own = mg_parent(t.coarse, c);
	long at = mg_stencil_of(t.coarse, own);
	uint open = mg_stencil_open(t.stencil, t.coarse, at);
	uint rest = mg_stencil_rest(t.stencil, t.coarse, t.g.total, at);
	if (rest & MG_SPLIT)
		mg_prolong_parts(t, x, c, own);
	else
		x[c.at] += mg_prolong_plain(t.coarse, open, rest, x, own, mg_child_of(c));
}

/*
 * `visits` V-cycles over levels first..last with b of `first` given and x of it computed; the
 * coarsest is smoothed `coarsest_sweeps` times each way.  One work-group.
 *
 * All work of cells stands in one loop that ends in the only barrier (docs/portability.md).
 */
kernel void mg_small_levels(global const struct mg_level *levels, int first, int last, int visits,
			    int sweeps, int coarsest_sweeps, int total, global const uint *stencil,
			    global const ushort *open, global const float *link,
			    global const uint *parts, global const float *row,
			    global const mg_route *route, global const float *excess,
			    global float *b, global float *x, global float *residual,
			    global float *residual_extra, global const uint *state)
{
	const struct mg_graph g = mg_graph_of(total, open, link, parts, row);
	/* Barriers must be met by all in any case, so an idle group runs over no cells. */
	const int active = !state[MG_DONE], depth = last - first;
	for (int visit = 0; visit < visits; visit++)
		/* Down, the coarsest level, up. */
		for (int leg = 0; leg <= 2 * depth; leg++) {
			const int up = leg > depth, is_last = leg == depth;
			const int n = first + (up ? 2 * depth - leg : leg);
			const int half_sweeps = is_last ? 4 * coarsest_sweeps : 2 * sweeps;
			const int steps = half_sweeps + (up ? 1 : is_last ? 0 : 2);
			const struct mg_level l = levels[n];
			for (int step = 0; step < steps; step++) {
				const int sweep = step - up;
				if (sweep < 0) {
					MG_FOR_CELLS(l, 0, 1)
					mg_prolong_cell(
						mg_transfer_of(g, l, levels[n + 1], stencil, route),
						c, x);
				} else if (sweep < half_sweeps) {
					const int back =
						up | (is_last & (sweep >= 2 * coarsest_sweeps));
					MG_FOR_CELLS(l, (sweep & 1) ^ back, 1)
					mg_smooth_cell(g, l, stencil, c, excess, b, x,
						       sweep == 0 && !up &&
							       (leg > 0 || visit == 0));
				} else if (sweep == half_sweeps) {
					MG_FOR_CELLS(l, 0, 1)
					mg_residual_cell(g, l, stencil, c, excess, b, x, residual,
							 residual_extra);
				} else {
					const struct mg_level coarse = levels[n + 1];
					MG_FOR_CELLS(coarse, 0, 2)
					mg_restrict_cell(
						mg_transfer_of(g, l, coarse, stencil, route),
						residual, residual_extra, c, b);
				}
				barrier(CLK_GLOBAL_MEM_FENCE);
			}
		}
}
