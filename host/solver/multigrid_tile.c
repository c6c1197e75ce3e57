/* A level's part of a cycle in two launches (kernels/multigrid/multigrid_tile.cl). */
#include "multigrid.h"

/* Most local memory that a group takes, on any device. */
#define TILE_BYTES 49152
/* In 3D tiles are small beside what is around them: beyond so many cells that costs more than the
 * launches that it saves. */
#define MOST_CELLS_3D (128 * 128 * 128)

static size_t tile_bytes(const struct multigrid *mg, int rings)
{
	const size_t x = MG_TILE_X + 2 * (size_t)rings,
		     y = (size_t)MG_TILE_Y(mg->dim) + 2 * (size_t)rings;
	return x * y * (mg->dim == 3 ? y : 1) * sizeof(f32);
}

static int rings_down(const struct multigrid *mg, int n)
{
	return 2 * multigrid_sweeps(mg, n) + 1;
}

bool multigrid_by_tiles(const struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	const size_t bytes = tile_bytes(mg, rings_down(mg, n));
	const bool is_large = mg->dim == 3 && (i64)l->nx * l->ny * l->nz > (i64)MOST_CELLS_3D;
	return mg->tiles && !is_large && n < multigrid_last(mg) && !mg->parted[n] &&
	       !mg->parted[n + 1] && bytes <= TILE_BYTES && bytes <= clx_info(mg->cl)->local_memory;
}

static struct clx_range bricks_of(const struct multigrid *mg, int n)
{
	return clx_groups(mg->cl, (size_t)mg->bricks->run[BRICKS_LEVEL + n].count);
}

bool multigrid_go_down(struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	const i32 sweeps = multigrid_sweeps(mg, n);
	return LAUNCH(mg->cl, mg_go_down, bricks_of(mg, n), MG_LIST(mg, n), .l = l, .coarse = l + 1,
		      .sweeps = I32(sweeps), .total = I32(mg->total), .open = &mg->open,
		      .link = &mg->link, .excess = &mg->excess, .stencil = &mg->stencil,
		      .b = &mg->b, .red = &mg->residual,
		      .x = LOCAL(tile_bytes(mg, rings_down(mg, n))), .state = &mg->state);
}

bool multigrid_go_up(struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	const i32 sweeps = multigrid_sweeps(mg, n);
	return LAUNCH(mg->cl, mg_go_up, bricks_of(mg, n), MG_LIST(mg, n), .l = l, .coarse = l + 1,
		      .sweeps = I32(sweeps), .total = I32(mg->total), .open = &mg->open,
		      .link = &mg->link, .excess = &mg->excess, .stencil = &mg->stencil,
		      .b = &mg->b, .red = &mg->residual, .x = &mg->x,
		      .local_x = LOCAL(tile_bytes(mg, 2 * multigrid_sweeps(mg, n))),
		      .state = &mg->state);
}

/* ---- small levels --------------------------------------------------------------------------- */

static size_t whole_elements(const struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	return (size_t)MG_WHOLE_WIDTH(l->nx) * (size_t)(l->ny + 2) *
	       (mg->dim == 3 ? (size_t)l->nz + 2 : 1);
}

/* x, b but the first level's, half a residual. */
static size_t small_bytes(const struct multigrid *mg, int first)
{
	size_t all = 0;
	for (int n = first; n <= multigrid_last(mg); n++)
		all += whole_elements(mg, n);
	return (2 * all - whole_elements(mg, first) + all / 2) * sizeof(f32);
}

bool multigrid_small_by_tiles(const struct multigrid *mg, int first)
{
	const size_t bytes = small_bytes(mg, first);
	bool parted = false;
	for (int n = first; n <= multigrid_last(mg); n++)
		parted |= mg->parted[n];
	return mg->tiles && !parted && bytes <= TILE_BYTES &&
	       bytes <= clx_info(mg->cl)->local_memory;
}

bool multigrid_cycle_small(struct multigrid *mg, i32 first)
{
	const i32 last = multigrid_last(mg), sweeps = multigrid_sweeps(mg, first);
	const i32 visits = multigrid_visits(mg, first), last_sweeps = multigrid_last_sweeps(mg);
	return LAUNCH(mg->cl, mg_small_tiles, clx_one_group(mg->cl, MULTIGRID_SMALL_ITEMS),
		      .levels = &mg->level_table, .first = I32(first), .last = I32(last),
		      .visits = I32(visits), .sweeps = I32(sweeps),
		      .coarsest_sweeps = I32(last_sweeps), .total = I32(mg->total),
		      .stencil = &mg->stencil, .open = &mg->open, .link = &mg->link,
		      .excess = &mg->excess, .b = &mg->b, .x = &mg->x,
		      .space = LOCAL(small_bytes(mg, first)), .state = &mg->state);
}
