/* Restriction and prolongation (kernels/multigrid_transfer.cl). */
#include "multigrid.h"

bool multigrid_restrict(struct multigrid *mg, int coarse, bool red_residual)
{
	struct clx *cl = mg->cl;
	const struct mg_level *fine = &mg->levels[coarse - 1], *l = &mg->levels[coarse];
	const struct clx_range cells = bricks_level(mg->bricks, coarse);
	const i32 red_only = red_residual;
	const bool plain = red_residual
				   ? LAUNCH(cl, K_MG_RESTRICT, cells, MG_LIST(mg, coarse),
					    ARG(*fine), ARG(*l), ARG(mg->total), BUF(mg->stencil),
					    BUF(mg->residual), BUF(mg->b), BUF(mg->state))
				   : LAUNCH(cl, K_MG_RESTRICT_ALL, cells, MG_LIST(mg, coarse),
					    ARG(*fine), ARG(*l), ARG(mg->total), BUF(mg->stencil),
					    BUF(mg->b), BUF(mg->state));
	if (!plain || !mg->parted[coarse])
		return plain;
	return LAUNCH(cl, K_MG_RESTRICT_NEAR_PARTS, MG_RANGE(mg, coarse, 2), MG_LIST(mg, coarse),
		      ARG(*fine), ARG(*l), ARG(mg->total), BUF(mg->stencil), BUF(mg->link),
		      BUF(mg->parts), BUF(mg->row), BUF(mg->route),
		      red_residual ? BUF(mg->residual) : BUF(mg->b), BUF(mg->residual_extra),
		      ARG(red_only), BUF(mg->b), BUF(mg->state));
}

static bool prolong_colour(struct multigrid *mg, int n, i32 colour)
{
	struct clx *cl = mg->cl;
	const struct mg_level *fine = &mg->levels[n], *coarse = &mg->levels[n + 1];
	if (!LAUNCH(cl, colour ? K_MG_PROLONG_BLACK : K_MG_PROLONG, bricks_blocks(mg->bricks, n),
		    MG_LIST(mg, n), ARG(*fine), ARG(*coarse), ARG(mg->total), BUF(mg->stencil),
		    BUF(mg->x), BUF(mg->state)))
		return false;
	return !mg->parted[n + 1] ||
	       LAUNCH(cl, K_MG_PROLONG_NEAR_PARTS, MG_RANGE(mg, n, 1), MG_LIST(mg, n), ARG(*fine),
		      ARG(*coarse), ARG(colour), ARG(mg->total), BUF(mg->stencil), BUF(mg->link),
		      BUF(mg->parts), BUF(mg->row), BUF(mg->route), BUF(mg->x), BUF(mg->state));
}

bool multigrid_prolong(struct multigrid *mg, int fine, bool both)
{
	return prolong_colour(mg, fine, 0) && (!both || prolong_colour(mg, fine, 1));
}
