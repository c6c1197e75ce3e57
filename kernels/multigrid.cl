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
 * 0, and compilers make vectors of them.  Cells with parts around get their values from kernels of
 * their own, which overwrite what these left there.
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

/* ---- smoothing ----------------------------------------------------------------------------- */

/* A half-sweep on a coarse level.  Work-item = cell of the colour. */
kernel void mg_smooth(global const int *restrict bricks, const struct brick_run run,
		      const struct mg_level l, int colour, int total,
		      global const float *restrict link, global const float *restrict excess,
		      global const float *restrict b, global float *restrict x,
		      global const uint *restrict state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_coarse_links(l, c, total, link);
	x[c.at] = mg_solve_row(mg_apply(l, c, w, excess, x), b[c.at]);
}

/* The same on level 0. */
kernel void mg_smooth_finest(global const int *restrict bricks, const struct brick_run run,
			     const struct mg_level l, int colour,
			     global const ushort *restrict open,
			     global const float *restrict excess, global const float *restrict b,
			     global float *restrict x, global const uint *restrict state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_finest_links(l, c, open);
	x[c.at] = mg_solve_row(mg_apply(l, c, w, excess, x), b[c.at]);
}

/* The first half-sweep on x = 0, whatever x holds, on a coarse level. */
kernel void mg_smooth_from_zero(global const int *restrict bricks, const struct brick_run run,
				const struct mg_level l, int colour, int total,
				global const float *restrict link,
				global const float *restrict excess, global const float *restrict b,
				global float *restrict x, global const uint *restrict state)
{
	if (state[MG_DONE])
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
	if (state[MG_DONE])
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
			   global float *restrict x, float omega, global const uint *restrict state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_listed(l, colour, bricks, run);
	if (!c.stored)
		return;
	const struct mg_links w = mg_finest_links(l, c, open);
	float before = x[c.at];
	float value = mg_solve_row(mg_apply(l, c, w, excess, x), b[c.at]);
	x[c.at] = before + omega * (value - before);
}

/* r = b - A x at red cells of a coarse level. */
kernel void mg_residual_red(global const int *restrict bricks, const struct brick_run run,
			    const struct mg_level l, int total, global const float *restrict link,
			    global const float *restrict excess, global const float *restrict b,
			    global const float *restrict x, global float *restrict residual,
			    global const uint *restrict state)
{
	if (state[MG_DONE])
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
	if (state[MG_DONE])
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
	if (state[MG_DONE])
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
	if (state[MG_DONE])
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

struct mg_links mg_links_of(const struct mg_graph g, const struct mg_level l,
			    const struct mg_cell c)
{
	return l.offset == 0 ? mg_finest_links(l, c, g.open)
			     : mg_coarse_links(l, c, g.total, g.link);
}

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
		b[c.at] = mg_restrict_plain(t.fine, t.coarse, t.g.total, t.stencil, residual, 1, c);
}

void mg_prolong_cell(const struct mg_transfer t, const struct mg_cell c, global float *x)
{
	struct mg_cell own = mg_parent(t.coarse, c);
	uint open = mg_stencil_open(t.stencil, t.coarse, own.at);
	uint rest = mg_stencil_rest(t.stencil, t.coarse, t.g.total, own.at);
	if (rest & MG_SPLIT)
		mg_prolong_parts(t, x, c, own);
	else
		x[c.at] += mg_prolong_plain(t.coarse, open, rest, x, own, mg_child_of(c));
}

/* Where V-cycles over levels first..last are: the same in all work-items. */
struct mg_walk {
	int visit, level, up; /* up: on the way from the coarsest level back to `first` */
	int step;	      /* on this level, this way */
};

/* Half-sweeps on a level, one way. */
ALWAYS_INLINE int mg_walk_sweeps(const struct mg_walk w, int last, int sweeps, int coarsest_sweeps)
{
	return 2 * (w.level == last ? coarsest_sweeps : sweeps);
}

/* The step after this one.  Down: sweeps, residual, restriction; up: prolongation, sweeps. */
ALWAYS_INLINE struct mg_walk mg_walk_on(struct mg_walk w, int first, int last, int half_sweeps)
{
	const int others = w.level == last ? 0 : w.up ? 1 : 2;
	w.step++;
	if (w.step < half_sweeps + others)
		return w;
	w.step = 0;
	if (!w.up) {
		w.up = w.level == last;
		w.level += w.up ? 0 : 1;
	} else if (w.level > first) {
		w.level--;
	} else {
		w.up = 0;
		w.visit++;
	}
	return w;
}

/*
 * `visits` V-cycles over levels first..last with b of `first` given and x of it computed; the
 * coarsest is smoothed `coarsest_sweeps` times.  One work-group.
 *
 * One loop with one barrier, and what the cells do once in it: compilers copy the code between
 * barriers for every way that leads there, and inline it at every place that names it.
 */
kernel void mg_small_levels(global const struct mg_level *levels, int first, int last, int visits,
			    int sweeps, int coarsest_sweeps, int total, global const uint *stencil,
			    global const ushort *open, global const float *link,
			    global const uint *parts, global const float *row,
			    global const uchar *route, global const float *excess, global float *b,
			    global float *x, global float *residual, global float *residual_extra,
			    global const uint *state)
{
	const struct mg_graph g = mg_graph_of(total, open, link, parts, row);
	/* Barriers must be met by all in any case, so an idle group runs over no cells. */
	int active = !state[MG_DONE];
	struct mg_walk w = {0, first, 0, 0};
	while (w.visit < visits) {
		const struct mg_level l = levels[w.level];
		const struct mg_level coarse = levels[w.level < last ? w.level + 1 : last];
		const int half_sweeps = mg_walk_sweeps(w, last, sweeps, coarsest_sweeps);
		const int prolongs = w.up && w.level < last;
		const int sweep = w.step - prolongs; /* from 0 to half_sweeps - 1 it is one */
		if (sweep < 0) {
			MG_FOR_CELLS(l, 0, 1)
			mg_prolong_cell(mg_transfer_of(g, l, coarse, stencil, route), c, x);
		} else if (sweep < half_sweeps) {
			const int colour = (sweep & 1) ^ w.up;
			MG_FOR_CELLS(l, colour, 1)
			mg_smooth_cell(g, l, stencil, c, excess, b, x,
				       sweep == 0 && !w.up && (w.level > first || w.visit == 0));
		} else if (sweep == half_sweeps) {
			MG_FOR_CELLS(l, 0, 1)
			mg_residual_cell(g, l, stencil, c, excess, b, x, residual, residual_extra);
		} else {
			MG_FOR_CELLS(coarse, 0, 2)
			mg_restrict_cell(mg_transfer_of(g, l, coarse, stencil, route), residual,
					 residual_extra, c, b);
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
		w = mg_walk_on(w, first, last, half_sweeps);
	}
}
