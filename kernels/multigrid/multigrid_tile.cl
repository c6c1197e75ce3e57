/*
 * A level's part of a cycle in two launches, on the way down and on the way up: the same bits as
 * the half-sweeps, residual and transfers of multigrid.cl and multigrid_transfer.cl one by one.
 * For levels without parts of cells.  And the small levels in one launch, as mg_small_levels().
 *
 * All work stands in one loop that ends in the only barrier (docs/portability.md).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_relax.h"
#include "mg_state.h"
#include "mg_tile.h"
#include "mg_transfer.h"

/*
 * From x = 0: `sweeps` sweeps, red and black in turn, the residual of red cells, and b of the
 * coarser level.  The red half of x goes to `red`; the black one is not needed again, as the next
 * half-sweep is black.  x: local, of a tile with 2 sweeps + 1 rings.  One work-group per listed
 * brick.
 */
kernel void mg_go_down(global const int *restrict bricks, const struct brick_run run,
		       const struct mg_level l, const struct mg_level coarse, int sweeps, int total,
		       global const ushort *restrict open, global const float *restrict link,
		       global const float *restrict excess, global const uint *restrict stencil,
		       global float *b, global float *restrict red, local float *x,
		       global const uint *restrict state)
{
	const struct mg_graph g = mg_graph_of(total, open, link, 0, 0);
	const struct mg_tile t =
		mg_tile_of(bricks_row(bricks, run, (int)get_group_id(0), 0, 0), 2 * sweeps + 1);
	const int active = !state[MG_DONE], size = (int)get_local_size(0);
	for (int step = -1; step < 2 * sweeps + 2; step++) {
		const int relax = step >= 0 && step < 2 * sweeps;
		/* Of the residual one ring: children of the coarse cells around lean this way. */
		const int rings = relax ? 2 * sweeps + 1 - step : 1;
		const int colour = relax ? step & 1 : 0;
		const int coarse_edge = MG_TILE_Y(DIM) / 2;
		const int count =
			active * (step < 0	       ? mg_tile_elements(t)
				  : step <= 2 * sweeps ? mg_tile_count(rings)
						       : MG_TILE_X / 2 * coarse_edge *
								 (DIM == 3 ? coarse_edge : 1));
		for (int n = (int)get_local_id(0); n < count; n += size) {
			if (step < 0) {
				x[n] = 0.0f;
				continue;
			}
			if (step > 2 * sweeps) {
				const int i = t.i / 2 + modulo(n, MG_TILE_X / 2);
				const int j = t.j / 2 + modulo(n / (MG_TILE_X / 2), coarse_edge);
				const int k = t.k / 2 + n / (MG_TILE_X / 2) / coarse_edge;
				if (i < coarse.nx && j < coarse.ny && k < coarse.nz)
					b[mg_at_cell(coarse, i, j, k)] = mg_tile_restrict(
						t, coarse, total, stencil, x, 0, i, j, k);
				continue;
			}
			const struct mg_cell c = mg_tile_cell(l, t, colour, rings, n);
			if (!c.exists)
				continue;
			const int at = mg_tile_at(t, c.i, c.j, c.k);
			const struct mg_links w = mg_links_of(g, l, c);
			const struct mg_row r = step == 0
							? mg_diagonal_row(w, excess[c.at])
							: mg_tile_apply(t, w, excess[c.at], x, at);
			if (relax) {
				x[at] = mg_solve_row(r, b[c.at]);
				continue;
			}
			if (mg_tile_has(t, c))
				red[c.at - (l.offset >> 1)] = x[at];
			/* Nobody else asks for x of this cell. */
			x[at] = mg_row_residual(r, b[c.at], x[at]);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/*
 * x = red + P x_coarse at red cells, then `sweeps` sweeps, black and red in turn.  local_x: of a
 * tile with 2 sweeps rings.
 */
kernel void mg_go_up(global const int *restrict bricks, const struct brick_run run,
		     const struct mg_level l, const struct mg_level coarse, int sweeps, int total,
		     global const ushort *restrict open, global const float *restrict link,
		     global const float *restrict excess, global const uint *restrict stencil,
		     global const float *restrict b, global const float *restrict red,
		     global float *x, local float *local_x, global const uint *restrict state)
{
	const struct mg_graph g = mg_graph_of(total, open, link, 0, 0);
	const struct mg_tile t =
		mg_tile_of(bricks_row(bricks, run, (int)get_group_id(0), 0, 0), 2 * sweeps);
	const int active = !state[MG_DONE], size = (int)get_local_size(0);
	for (int step = -1; step <= 2 * sweeps; step++) {
		const int rings = 2 * sweeps - step, colour = step & 1;
		const int count = active * (step < 0 ? mg_tile_elements(t) : mg_tile_count(rings));
		for (int n = (int)get_local_id(0); n < count; n += size) {
			if (step < 0) {
				local_x[n] = 0.0f;
				continue;
			}
			const struct mg_cell c = mg_tile_cell(l, t, colour, rings, n);
			if (!c.exists)
				continue;
			const int at = mg_tile_at(t, c.i, c.j, c.k);
			if (step == 0) {
				const struct mg_cell own = mg_parent(coarse, c);
				const long word = mg_stencil_of(coarse, own);
				local_x[at] =
					red[c.at - (l.offset >> 1)] +
					mg_prolong_plain(
						coarse, mg_stencil_open(stencil, coarse, word),
						mg_stencil_rest(stencil, coarse, total, word), x,
						own, mg_child_of(c));
				continue;
			}
			const float value = mg_solve_row(
				mg_tile_apply(t, mg_links_of(g, l, c), excess[c.at], local_x, at),
				b[c.at]);
			local_x[at] = value;
			if (step >= 2 * sweeps - 1 && mg_tile_has(t, c))
				x[c.at] = value;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* The nth cell of one colour of a level, row by row; beyond it where there is none. */
ALWAYS_INLINE struct mg_cell mg_whole_cell(const struct mg_level l, int colour, int n)
{
	return mg_cell_at(l, colour, modulo(n, l.row), modulo(n / l.row, l.ny), n / l.row / l.ny);
}

/*
 * mg_small_levels() without parts of cells, in local memory.  space: x of the levels, each with a
 * ring of zeros, then b of all but the first, then the red residuals of all.  One work-group.
 */
kernel void mg_small_tiles(global const struct mg_level *levels, int first, int last, int visits,
			   int sweeps, int coarsest_sweeps, int total, global const uint *stencil,
			   global const ushort *open, global const float *link,
			   global const float *excess, global const float *b, global float *x,
			   local float *space, global const uint *state)
{
	const struct mg_graph g = mg_graph_of(total, open, link, 0, 0);
	const int active = !state[MG_DONE], depth = last - first, size = (int)get_local_size(0);
	const int whole = mg_tile_whole(levels[first]);
	int all = 0, begin = 0;
	for (int n = first; n <= last; n++)
		all += mg_tile_whole(levels[n]);
	local float *const own_b = space + all - whole;
	local float *const residual = space + 2 * all - whole;
	/* Zeros; down, the coarsest level, up, as often as told; the result. */
	const int legs = 2 * depth + 1;
	for (int leg = -1; leg <= visits * legs; leg++) {
		const int of_visit = modulo(leg < 0 ? 0 : leg, legs), up = of_visit > depth;
		const int is_last = of_visit == depth, is_cycle = leg >= 0 && leg < visits * legs;
		const int n = is_cycle ? first + (up ? 2 * depth - of_visit : of_visit) : first;
		const int half_sweeps = is_last ? 4 * coarsest_sweeps : 2 * sweeps;
		const int steps = !is_cycle ? 1 : half_sweeps + (up ? 1 : is_last ? 0 : 2);
		const struct mg_level l = levels[n], next = levels[n < last ? n + 1 : n];
		const struct mg_tile t = mg_tile_of_level(l), coarse = mg_tile_of_level(next);
		/* Where arrays of the level begin. */
		begin = 0;
		for (int m = first; m < n; m++)
			begin += mg_tile_whole(levels[m]);
		local float *const at_level = space + begin;
		local float *const below = at_level + mg_tile_whole(l);
		for (int step = 0; step < steps; step++) {
			const int sweep = step - up;
			const int back = up | (is_last & (sweep >= 2 * coarsest_sweeps));
			const int relax = is_cycle && sweep >= 0 && sweep < half_sweeps;
			const int restricts = is_cycle && sweep > half_sweeps;
			const int colour = relax ? (sweep & 1) ^ back : 0;
			const int cells = active * l.row * l.ny * l.nz;
			const int count = leg < 0     ? active * (2 * all - whole + all / 2)
					  : !is_cycle ? 2 * cells
					  : restricts ? active * next.nx * next.ny * next.nz
						      : cells;
			for (int m = (int)get_local_id(0); m < count; m += size) {
				if (leg < 0) {
					space[m] = 0.0f;
					continue;
				}
				if (restricts) {
					const int i = modulo(m, next.nx);
					const int j = modulo(m / next.nx, next.ny);
					const int k = m / next.nx / next.ny;
					own_b[begin + mg_tile_whole(l) +
					      mg_tile_at(coarse, i, j, k)] =
						mg_tile_restrict(t, next, total, stencil,
								 residual + begin / 2, 1, i, j, k);
					continue;
				}
				const struct mg_cell c =
					is_cycle ? mg_whole_cell(l, colour, m)
						 : mg_whole_cell(l, m >= cells, modulo(m, cells));
				if (!c.exists)
					continue;
				const int at = mg_tile_at(t, c.i, c.j, c.k);
				if (!is_cycle) {
					x[c.at] = at_level[at];
					continue;
				}
				if (sweep < 0) {
					const struct mg_cell own = mg_parent(next, c);
					const long word = mg_stencil_of(next, own);
					at_level[at] += mg_tile_prolong(
						coarse, mg_stencil_open(stencil, next, word),
						mg_stencil_rest(stencil, next, total, word), below,
						own, mg_child_of(c));
					continue;
				}
				const int from_zero =
					sweep == 0 && !up && (of_visit > 0 || leg == 0);
				const struct mg_links w = mg_links_of(g, l, c);
				const float value = n == first ? b[c.at] : own_b[begin + at];
				const struct mg_row r =
					from_zero ? mg_diagonal_row(w, excess[c.at])
						  : mg_tile_apply(t, w, excess[c.at], at_level, at);
				if (relax)
					at_level[at] = mg_solve_row(r, value);
				else
					residual[begin / 2 + (at >> 1)] =
						mg_row_residual(r, value, at_level[at]);
			}
			barrier(CLK_LOCAL_MEM_FENCE);
		}
	}
}
