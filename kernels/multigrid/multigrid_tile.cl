/*
 * A level's part of a cycle in two launches, on the way down and on the way up: the same bits as
 * the half-sweeps, residual and transfers of multigrid.cl and multigrid_transfer.cl one by one.
 * For levels without parts of cells.  One work-group per listed brick.
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
 * half-sweep is black.  x: local, of a tile with 2 sweeps + 1 rings.
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
						t, coarse, total, stencil, x, i, j, k);
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
