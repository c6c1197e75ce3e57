/*
 * The hierarchy of the pressure operator and its cycles.  Formulas and layout: kernels/
 * multigrid.cl and struct mg_level in shared.h.  All arrays are views of memory owned elsewhere.
 */
#ifndef FRESHET_MULTIGRID_H
#define FRESHET_MULTIGRID_H

#include "clx.h"
#include "shared.h"

struct multigrid {
	struct clx *cl;
	struct grid grid;
	struct mg_level levels[MG_MAX_LEVELS];
	i32 type_offset[MG_MAX_LEVELS]; /* of each level in `type` */
	int count;			/* levels */
	int small_from;			/* first level that one work-group handles */
	i32 total;			/* elements of an array that holds all levels */
	i32 finest;			/* elements of level 0, both colours with halos */
	i32 type_total;
	int sweeps; /* smoothing sweeps before and after */

	struct clx_buffer link;	       /* f32 [D][total]: to the upper neighbour per axis */
	struct clx_buffer excess;      /* f32 [total]: what ties a cell to pressure 0 */
	struct clx_buffer x, b;	       /* f32 [total] */
	struct clx_buffer residual;    /* f32 [total/2], red cells */
	struct clx_buffer type;	       /* u8 [type_total], enum cell_type with halos */
	struct clx_buffer marked_type; /* the same with MG_REGULAR where transfers are constant */
	struct clx_buffer state;       /* u32 [MG_STATE_WORDS], kernels/mg_state.h */
	struct clx_buffer level_table, offset_table; /* for the small levels' kernel */
};

/* Fills the sizes (levels, total, ...) for a grid; allocates nothing. */
void multigrid_plan(struct multigrid *mg, const struct grid *grid, int dim, int sweeps);

/* After level 0's link and excess are set: types, coarse operators. */
bool multigrid_setup(struct multigrid *mg, const struct clx_buffer *cell_type);

/* x = M b on level 0: one V-cycle from x = 0 (a symmetric operator). */
bool multigrid_v_cycle(struct multigrid *mg);
/* x = one full cycle on b: solves on the coarsest level first, then interpolates up, a V-cycle on
 * every level (Brandt 1977). */
bool multigrid_full_cycle(struct multigrid *mg);
/* x = `sweeps` red-black sweeps on level 0 from x = 0, over-relaxed by omega. */
bool multigrid_relax(struct multigrid *mg, int sweeps, f32 omega);

/* Work-items of a level: (m, j, k) of one colour, or (m, j, 2k + colour). */
struct clx_range multigrid_range(const struct mg_level *level, int colours);

#endif
