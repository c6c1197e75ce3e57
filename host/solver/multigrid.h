/*
 * The hierarchy of the pressure operator and its cycles.  Formulas and layout: kernels/
 * multigrid.cl and struct mg_level in shared.h.  All arrays are views of memory owned elsewhere.
 */
#ifndef FRESHET_MULTIGRID_H
#define FRESHET_MULTIGRID_H

#include "bricks.h"
#include "clx.h"
#include "shared.h"

/* What cycles are for; with the walls it decides which levels a cycle visits, how often, and how
 * much it smooths there (multigrid_schedule.c). */
enum multigrid_use {
	MULTIGRID_ALONE,	  /* a cycle is the whole iteration */
	MULTIGRID_PRECONDITIONER, /* of conjugate gradients */
};

struct multigrid {
	struct clx *cl;
	const struct bricks *bricks; /* near liquid; elsewhere every array holds 0 */
	struct grid grid;
	struct mg_level levels[MG_MAX_LEVELS];
	i32 type_offset[MG_MAX_LEVELS]; /* of each level in `type` */
	int dim;
	int count;	/* levels */
	int group_from; /* first level that one work-group handles */
	int revisited;	/* first level of few cells; `count` if that is the finest one */
	i32 total;	/* elements of an array that holds all levels' cells */
	i32 finest;	/* elements of level 0, both colours with halos */
	i32 type_total;
	int sweeps; /* smoothing sweeps before and after */
	bool tiles; /* levels in two launches where that can be: multigrid_by_tiles() */
	bool split; /* coarse cells may have several parts (kernels/multigrid/mg_parts.h) */
	enum multigrid_use use;
	bool plain; /* no level is visited twice: cycles that did have lost their sign */
	/* Of the walls, found by multigrid_setup(). */
	bool many_walls;  /* of further parts: more levels are visited twice */
	bool parted_last; /* the last level has further parts, and that before it is small */
	bool parted[MG_MAX_LEVELS]; /* cells of that level, or their children, have several parts */
	u32 further;		    /* further parts of coarse cells, all levels */
	u32 merged;		    /* of these: found no room, so cells stayed whole */
	i32 extra_total; /* room for further parts, all levels; behind the cells where they are held
			  */
	i32 nodes;	 /* total + extra_total */

	/* To the upper neighbour per axis. */
	union u16_buffer open;	   /* u16 [D][finest]: of level 0, in 1/FRACTION_ONE */
	union f32_buffer link;	   /* f32 [D][total - finest]: of the coarse levels */
	union f32_buffer excess;   /* f32 [nodes]: what ties a cell to pressure 0 */
	union f32_buffer x, b;	   /* f32 [nodes] */
	union f32_buffer residual; /* f32 [total/2], red cells */
	union u8_buffer type;	   /* u8 [type_total], enum cell_type with halos; set-up only */
	union u32_buffer stencil;  /* u32, kernels/multigrid/mg_transfer.h */
	union u32_buffer state;	   /* u32 [MG_STATE_WORDS], include/mg_state.h */
	union u32_buffer next;	   /* the same: what becomes of it, until the two are swapped */
	union u32_buffer meeting;  /* u32 [CG_MEETING_WORDS] */

	/* Of a word each unless `split`; layouts in kernels/multigrid/mg_parts.h. */
	union u8_buffer part; /* u8 [nodes]: of its coarse cell, per fine node; set-up only */
	union mg_route_buffer route; /* u16 or, 3D, u32 [nodes]: how it interpolates */
	union u32_buffer parts;	     /* u32 [total - levels[1].offset], per coarse cell */
	union f32_buffer row;	     /* f32 [extra_total][5D or, 3D, 9D]: links of further parts */
	union f32_buffer residual_extra; /* f32 [extra_total] */
	union u32_buffer scan,
		scan_scratch;	/* counts of a level; for scan_exclusive(); set-up only */
	union u32_buffer tally; /* u32 [MG_MAX_LEVELS][2]: parts, those without room */
	union mg_level_buffer level_table; /* for the small levels' kernel */
};

/* Fills the sizes (levels, total, ...) for a grid; allocates nothing.  split: room for coarse cells
 * of several parts, as walls inside the liquid need. */
void multigrid_plan(struct multigrid *mg, const struct grid *grid, int dim, int sweeps, bool split);
/* Gives small levels of more than 512 cells launches of their own, with the same bits: one
 * work-group goes through cells one by one on CPUs, where a launch costs little and uses all cores
 * and vectors. */
void multigrid_spread(struct multigrid *mg);

/* Elements of the buffers of parts, each at least 1: part, bytes of route, parts, row,
 * residual_extra, scan; bytes of scan_scratch. */
struct multigrid_part_sizes {
	size_t nodes, route, cells, row, extras, scan, scan_scratch;
};
struct multigrid_part_sizes multigrid_part_sizes(const struct multigrid *mg, int dim);

/* Elements of an array of the coarse levels, at least 1; words of their stencils. */
size_t multigrid_coarse_total(const struct multigrid *mg);
size_t multigrid_stencil_words(const struct multigrid *mg, int dim);

/* ---- multigrid_schedule.c ------------------------------------------------------------------ */

/* The coarsest level that a cycle visits. */
int multigrid_last(const struct multigrid *mg);
/* From this level on one work-group does the whole cycle. */
int multigrid_first_of_group(const struct multigrid *mg);
/* How often a cycle on the finer level visits level n; red-black sweeps before and after there. */
int multigrid_visits(const struct multigrid *mg, int n);
int multigrid_sweeps(const struct multigrid *mg, int n);
/* Does a cycle visit some level twice? */
bool multigrid_repeats(const struct multigrid *mg);

/* What a cycle on level 0 does on level n. */
struct multigrid_work {
	int visits;
	int from_zero; /* of these, visits that start from x = 0 */
	int sweeps;    /* red-black sweeps in each */
};
struct multigrid_work multigrid_work(const struct multigrid *mg, int n);
/* Symmetric sweeps on the last level, so that it is all but solved. */
int multigrid_last_sweeps(const struct multigrid *mg);

/* Work-items of the group that has the small levels, fewer where the device or the kernel allows no
 * more. */
#define MULTIGRID_SMALL_ITEMS 1024

/* ---- setup and cycles ---------------------------------------------------------------------- */

/* After level 0's links and excess are set, and zeros where no list leads (struct poisson): types,
 * coarse operators; many_walls, parted, parted_last, further and merged. */
bool multigrid_setup(struct multigrid *mg, const union u8_buffer *cell_type);

/* x = M b on level 0: one V-cycle from x = 0 (a symmetric operator). */
bool multigrid_v_cycle(struct multigrid *mg);
/* x = one full cycle on b: solves on the coarsest level first, then interpolates up, a V-cycle on
 * every level (Brandt 1977). */
bool multigrid_full_cycle(struct multigrid *mg);
/* x = `sweeps` red-black sweeps on level 0 from x = 0, over-relaxed by omega. */
bool multigrid_relax(struct multigrid *mg, int sweeps, f32 omega);

/* Does a cycle from x = 0 go through level n in two launches?  Where mg->tiles, cells have one part
 * there, and local memory is enough. */
bool multigrid_by_tiles(const struct multigrid *mg, int n);
/* The sweeps of level n from x = 0, and b of level n + 1; what x is then is kept for the way back
 * up, which gets x of level n + 1 added. */
bool multigrid_go_down(struct multigrid *mg, int n);
bool multigrid_go_up(struct multigrid *mg, int n);
/* May one work-group have the levels from `first` on in local memory?  Their cycles there. */
bool multigrid_small_by_tiles(const struct multigrid *mg, int first);
bool multigrid_cycle_small(struct multigrid *mg, i32 first);

/* b of level `coarse` = P^T r; r: the red residuals, else b of the finer level. */
bool multigrid_restrict(struct multigrid *mg, int coarse, bool red_residual);
/* x of level `fine` += P x of the coarser one, at red cells or at both colours. */
bool multigrid_prolong(struct multigrid *mg, int fine, bool both);

/* Parts and operator of level n from those of level n - 1. */
bool multigrid_coarsen_parts(struct multigrid *mg, int n);
/* Reads how many further parts there are: what multigrid_setup() decides by them. */
bool multigrid_count_parts(struct multigrid *mg);
/* Marks the cells of level n that others must not interpolate from (kernels/multigrid/mg_parts.h).
 */
bool multigrid_mark_weak(struct multigrid *mg, int n);
/* How the nodes of level n - 1 interpolate where cells of level n have several parts. */
bool multigrid_find_routes(struct multigrid *mg, int n);

/* Place of cell (i,j,k) of a level in the arrays of all levels, as shared.h lays it down. */
size_t multigrid_at(const struct mg_level *level, int dim, int i, int j, int k);

/* Launches over the listed bricks of a level, one colour or both, and the kernels' arguments for
 * it; and over all of its cells, (m, j, k) of one colour, or (m, j, 2k + colour). */
#define MG_RANGE(mg, level, colours) bricks_cells((mg)->bricks, level, colours)
#define MG_LIST(mg, level) BRICKS((mg)->bricks, BRICKS_LEVEL + (level))
struct clx_range multigrid_range(const struct mg_level *level, int colours);

#endif
