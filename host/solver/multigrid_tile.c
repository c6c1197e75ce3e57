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
