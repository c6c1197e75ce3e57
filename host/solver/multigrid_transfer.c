/* Restriction and prolongation (kernels/multigrid/multigrid_transfer.cl). */
#include "multigrid.h"

bool multigrid_restrict(struct multigrid *mg, int coarse, bool red_residual)
{
	struct clx *cl = mg->cl;
	const struct mg_level *fine = &mg->levels[coarse - 1], *l = &mg->levels[coarse];
	const struct clx_range cells = bricks_level(mg->bricks, coarse);
	const i32 red_only = red_residual;
	const bool plain =
		red_residual ? LAUNCH(cl, mg_restrict, cells, MG_LIST(mg, coarse), .fine = fine,
				      .coarse = l, .total = I32(mg->total), .stencil = &mg->stencil,
				      .residual = &mg->residual, .b = &mg->b, .state = &mg->state)
			     : LAUNCH(cl, mg_restrict_all, cells, MG_LIST(mg, coarse), .fine = fine,
				      .coarse = l, .total = I32(mg->total), .stencil = &mg->stencil,
				      .b = &mg->b, .state = &mg->state);
	if (!plain || !mg->parted[coarse])
		return plain;
	return LAUNCH(cl, mg_restrict_near_parts, MG_RANGE(mg, coarse, 2), MG_LIST(mg, coarse),
		      .fine = fine, .coarse = l, .total = I32(mg->total), .stencil = &mg->stencil,
		      .link = &mg->link, .parts = &mg->parts, .row = &mg->row, .route = &mg->route,
		      .residual = red_residual ? &mg->residual : &mg->b,
		      .residual_extra = &mg->residual_extra, .red_only = I32(red_only), .b = &mg->b,
		      .state = &mg->state);
}

static bool prolong_colour(struct multigrid *mg, int n, i32 colour)
{
	struct clx *cl = mg->cl;
	const struct mg_level *fine = &mg->levels[n], *coarse = &mg->levels[n + 1];
	if (!LAUNCH_EITHER(cl, colour, mg_prolong_black, mg_prolong, bricks_blocks(mg->bricks, n),
			   MG_LIST(mg, n), .fine = fine, .coarse = coarse, .total = I32(mg->total),
			   .stencil = &mg->stencil, .x = &mg->x, .state = &mg->state))
		return false;
	return !mg->parted[n + 1] ||
	       LAUNCH(cl, mg_prolong_near_parts, MG_RANGE(mg, n, 1), MG_LIST(mg, n), .fine = fine,
		      .coarse = coarse, .colour = I32(colour), .total = I32(mg->total),
		      .stencil = &mg->stencil, .link = &mg->link, .parts = &mg->parts,
		      .row = &mg->row, .route = &mg->route, .x = &mg->x, .state = &mg->state);
}

bool multigrid_prolong(struct multigrid *mg, int fine, bool both)
{
	return prolong_colour(mg, fine, 0) && (!both || prolong_colour(mg, fine, 1));
}
