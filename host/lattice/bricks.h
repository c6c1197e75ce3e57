/*
 * Bricks: work on the grid follows the liquid, not the box.
 *
 * The grid is cut into bricks of 32 x 16 cells in 2D, 32 x 4 x 4 in 3D; kernels run over lists of
 * them, which are made by scan, in index order.  After every sort a brick is marked if a particle
 * is within reach of it.  A brick that was listed before stays listed once more, so that it is put
 * back to rest: outside the lists every field has the value that it takes far from liquid (velocity
 * and pressure 0, no valid face, no wall let go, the level set at its greatest, no liquid cell).
 *
 * The pressure solver has lists of its own, of what holds unknowns, row by row: made with the
 * operator from the cells' types, before its arrays are cleared.  Neither changes a bit of the
 * result (kernels/common/brick_access.h, docs/method.md).
 */
#ifndef FRESHET_BRICKS_H
#define FRESHET_BRICKS_H

#include "clx.h"
#include "fields.h"
#include "shared.h"

struct lattice;

struct bricks {
	struct brick_layout layout[BRICK_LISTS];
	struct brick_run run[BRICK_LISTS]; /* what is listed, by list */
	int dim;
	i32 lists;	 /* in use: those of the levels there are */
	i32 slots;	 /* of all lists together */
	i32 near;	 /* of those before BRICKS_SOLVER */
	i32 block_count; /* of the sort */
	bool settled;	 /* what is not marked now is at rest */
	bool all;	 /* FRESHET_BRICKS=all */

	union brick_layout_buffer table; /* struct brick_layout [BRICK_LISTS] */
	union u32_buffer state;		 /* u32 [near]: bit 0 = marked, bit 1 = listed */
	union u32_buffer place;		 /* u32 [near + 1]: listed, then its scan */
	union i32_buffer list;		 /* i32 [slots][BRICK_WORDS] */
	union u8_buffer blocks;		 /* u8 [block_count], which are near particles:
					  * kernels/common/blocks.h */
};

/* Fills the layout for a grid and the `count` levels of its hierarchy, whose finest arrays have
 * `finest` elements; allocates nothing.  `layers`: of extrapolation beyond the liquid. */
void bricks_plan(struct bricks *bricks, const struct grid *grid, int dim, int layers,
		 const struct mg_level *levels, int count, i32 finest);
#define BRICKS_FIELDS 5
size_t bricks_list_fields(struct bricks *bricks, struct field fields[BRICKS_FIELDS]);

/* FRESHET_BRICKS: every brick, or those near liquid.  False after reporting. */
bool bricks_read_environment(bool *all);
/* Allocates and lists every brick; after bricks_plan().  Refuses a value of FRESHET_BRICKS other
 * than `all` and `listed`.  False after reporting. */
bool bricks_create(struct lattice *lattice, const union u32_buffer *cell_start);
void bricks_destroy(struct lattice *lattice);
/* Lists every brick again: fields may hold anything anywhere. */
bool bricks_reset(struct lattice *lattice, const union u32_buffer *cell_start);

/* The lists for the particles as sorted (cell_start: u32 [keys + 1]).  Their lengths are among the
 * scalars, which must be read before bricks_take_counts(). */
bool bricks_update(struct lattice *lattice, const union u32_buffer *cell_start);
void bricks_take_counts(struct lattice *lattice);
/* The solver's lists, for the cells' types as they are.  rows, zeroed, and place: memory for a word
 * per slot and one more.  Their lengths are among the scalars, which must be read before
 * bricks_take_unknowns(). */
bool bricks_list_unknowns(struct lattice *lattice, const struct mg_level *finest,
			  const union u8_buffer *cell_type, union u32_buffer *rows,
			  union u32_buffer *place);
void bricks_take_unknowns(struct lattice *lattice);
/* The substep is complete: what left the lists is at rest. */
void bricks_settle(struct lattice *lattice);

/* Launches over a list: points (32 per row) or cells of one colour (16), 16 rows per brick, or 32
 * of both colours; or one work-item per brick on CPUs, which goes through the
 * rows itself; or per x, which on CPUs are one for all, of a brick or of each of its rows. */
struct clx_range bricks_points(const struct bricks *bricks, enum brick_list list);
struct clx_range bricks_whole(const struct bricks *bricks, enum brick_list list);
struct clx_range bricks_columns(const struct clx *cl, const struct bricks *bricks,
				enum brick_list list);
struct clx_range bricks_in_rows(const struct clx *cl, const struct bricks *bricks,
				enum brick_list list);
struct clx_range bricks_cells(const struct bricks *bricks, int level, int colours);
/* The blocks of 2^dim cells of a level, which the next one's cells cover, 16 per row. */
struct clx_range bricks_blocks(const struct bricks *bricks, int level);
/* The cells of a level in order of x, 32 per row. */
struct clx_range bricks_level(const struct bricks *bricks, int level);

/* A group for each brick. */
struct clx_range bricks_groups(const struct clx *cl, const struct bricks *bricks,
			       enum brick_list list);
/* The elements of listed chunks. */
struct clx_range bricks_elements(const struct bricks *bricks, enum brick_list list);

/* The two arguments that tell a kernel its list. */
#define BRICKS(of, which) .bricks = &(of)->list, .run = &(of)->run[which]

#endif
