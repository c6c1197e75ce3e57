/* Operators of the coarse levels and their stencils (kernels/multigrid_setup.cl). */
#include "multigrid.h"

static struct clx_range padded_range(const struct mg_level *l, int dim)
{
	return clx_range3((size_t)l->nx + 2, (size_t)l->ny + 2, (size_t)l->nz + (dim == 3 ? 2 : 0));
}

/* Operator of level n from that of level n - 1. */
static bool coarsen(struct multigrid *mg, int n)
{
	const struct mg_level *fine = &mg->levels[n - 1], *coarse = &mg->levels[n];
	return LAUNCH(mg->cl, K_MG_COARSEN, MG_RANGE(mg, n, 2), MG_LIST(mg, n), ARG(*fine),
		      ARG(*coarse), ARG(mg->type_offset[n - 1]), BUF(mg->type), ARG(mg->total),
		      BUF(mg->open), BUF(mg->link), BUF(mg->excess));
}

bool multigrid_setup(struct multigrid *mg, const struct clx_buffer *cell_type)
{
	struct clx *cl = mg->cl;
	const int dim = clx_dim(cl);
	if (!LAUNCH(cl, K_MG_TYPES, padded_range(&mg->levels[0], dim), ARG(mg->grid),
		    ARG(mg->levels[0]), BUF(*cell_type), BUF(mg->open), BUF(mg->excess),
		    BUF(mg->type)) ||
	    !clx_zero(cl, &mg->tally, 0, mg->tally.bytes))
		return false;
	for (int n = 1; n < mg->count; n++) {
		const struct mg_level *fine = &mg->levels[n - 1], *coarse = &mg->levels[n];
		if (!LAUNCH(cl, K_MG_COARSEN_TYPES, padded_range(coarse, dim), ARG(*fine),
			    ARG(*coarse), ARG(mg->type_offset[n - 1]), ARG(mg->type_offset[n]),
			    BUF(mg->type)) ||
		    !(mg->split ? multigrid_coarsen_parts(mg, n) : coarsen(mg, n)))
			return false;
	}
	/* No unknown: all words 0, halos too. */
	if (!clx_zero(cl, &mg->stencil, 0, mg->stencil.bytes))
		return false;
	for (int n = 1; n < mg->count; n++) {
		const struct mg_level *l = &mg->levels[n];
		if ((mg->split && !multigrid_mark_weak(mg, n)) ||
		    !LAUNCH(cl, K_MG_FIND_STENCILS, MG_RANGE(mg, n, 2), MG_LIST(mg, n), ARG(*l),
			    ARG(mg->type_offset[n]), BUF(mg->type), ARG(mg->total), BUF(mg->link),
			    BUF(mg->excess), BUF(mg->parts), BUF(mg->row), BUF(mg->stencil)) ||
		    (mg->split && !multigrid_find_routes(mg, n)))
			return false;
	}
	return multigrid_count_parts(mg);
}
