/* Operators of the coarse levels and their stencils (kernels/multigrid/multigrid_setup.cl). */
#include "multigrid.h"

static struct clx_range padded_range(const struct mg_level *l, int dim)
{
	return clx_range3((size_t)l->nx + 2, (size_t)l->ny + 2, (size_t)l->nz + (dim == 3 ? 2 : 0));
}

/* Operator of level n from that of level n - 1. */
static bool coarsen(struct multigrid *mg, int n)
{
	const struct mg_level *fine = &mg->levels[n - 1], *coarse = &mg->levels[n];
	return LAUNCH(mg->cl, mg_coarsen, MG_RANGE(mg, n, 2), MG_LIST(mg, n), .fine = fine,
		      .coarse = coarse, .fine_types = I32(mg->type_offset[n - 1]),
		      .type = &mg->type, .total = I32(mg->total), .open = &mg->open,
		      .link = &mg->link, .excess = &mg->excess);
}

static bool find_stencils(struct multigrid *mg, int n)
{
	return LAUNCH(mg->cl, mg_find_stencils, MG_RANGE(mg, n, 2), MG_LIST(mg, n),
		      .l = &mg->levels[n], .type_offset = I32(mg->type_offset[n]),
		      .type = &mg->type, .total = I32(mg->total), .link = &mg->link,
		      .excess = &mg->excess, .parts = &mg->parts, .row = &mg->row,
		      .stencil = &mg->stencil);
}

/* Levels from `first` on in one launch. */
static bool set_up_small(struct multigrid *mg, i32 first)
{
	const i32 count = mg->count;
	return first >= count ||
	       LAUNCH(mg->cl, mg_setup_small, clx_one_group(mg->cl, MULTIGRID_SMALL_ITEMS),
		      .levels = &mg->level_table, .first = I32(first), .count = I32(count),
		      .fine_types = I32(mg->type_offset[first - 1]), .total = I32(mg->total),
		      .open = &mg->open, .parts = &mg->parts, .row = &mg->row, .type = &mg->type,
		      .link = &mg->link, .excess = &mg->excess, .stencil = &mg->stencil);
}

bool multigrid_setup(struct multigrid *mg, const union u8_buffer *cell_type)
{
	struct clx *cl = mg->cl;
	const int dim = clx_dim(cl);
	/* Parts of cells are found by kernels of their own. */
	const int small = mg->split ? mg->count : mg->group_from > 0 ? mg->group_from : 1;
	if (!LAUNCH(cl, mg_types, padded_range(&mg->levels[0], dim), .g = &mg->grid,
		    .l = &mg->levels[0], .cell_type = cell_type, .open = &mg->open,
		    .excess = &mg->excess, .type = &mg->type))
		return false;
	for (int n = 1; n < small && n < mg->count; n++) {
		const struct mg_level *fine = &mg->levels[n - 1], *coarse = &mg->levels[n];
		if (!LAUNCH(cl, mg_coarsen_types, padded_range(coarse, dim), .fine = fine,
			    .coarse = coarse, .fine_types = I32(mg->type_offset[n - 1]),
			    .coarse_types = I32(mg->type_offset[n]), .type = &mg->type) ||
		    !(mg->split ? multigrid_coarsen_parts(mg, n) : coarsen(mg, n)))
			return false;
	}
	for (int n = 1; n < small && n < mg->count; n++)
		if ((mg->split && !multigrid_mark_weak(mg, n)) || !find_stencils(mg, n) ||
		    (mg->split && !multigrid_find_routes(mg, n)))
			return false;
	return set_up_small(mg, small) && multigrid_count_parts(mg);
}
