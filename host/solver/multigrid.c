#include "multigrid.h"

/* A half-sweep on level 0; zero_guess: x is taken as 0. */
static bool smooth_finest(struct multigrid *mg, i32 colour, bool zero_guess)
{
	const struct mg_level *l = &mg->levels[0];
	if (zero_guess)
		return LAUNCH(mg->cl, mg_smooth_finest_from_zero, MG_RANGE(mg, 0, 1),
			      MG_LIST(mg, 0), .l = l, .colour = I32(colour), .open = &mg->open,
			      .excess = &mg->excess, .b = &mg->b, .x = &mg->x, .state = &mg->state);
	return LAUNCH(mg->cl, mg_smooth_finest, MG_RANGE(mg, 0, 1), MG_LIST(mg, 0), .l = l,
		      .colour = I32(colour), .open = &mg->open, .excess = &mg->excess, .b = &mg->b,
		      .other = &mg->x, .x = &mg->x, .state = &mg->state);
}

/* The same on level n. */
static bool smooth_colour(struct multigrid *mg, int n, i32 colour, bool zero_guess)
{
	const struct mg_level *l = &mg->levels[n];
	const i32 from_zero = zero_guess;
	if (n == 0)
		return smooth_finest(mg, colour, zero_guess);
	const bool plain =
		zero_guess ? LAUNCH(mg->cl, mg_smooth_from_zero, MG_RANGE(mg, n, 1), MG_LIST(mg, n),
				    .l = l, .colour = I32(colour), .total = I32(mg->total),
				    .link = &mg->link, .excess = &mg->excess, .b = &mg->b,
				    .x = &mg->x, .state = &mg->state)
			   : LAUNCH(mg->cl, mg_smooth, MG_RANGE(mg, n, 1), MG_LIST(mg, n), .l = l,
				    .colour = I32(colour), .total = I32(mg->total),
				    .link = &mg->link, .excess = &mg->excess, .b = &mg->b,
				    .other = &mg->x, .x = &mg->x, .state = &mg->state);
	if (!plain || !mg->parted[n])
		return plain;
	return LAUNCH(mg->cl, mg_smooth_near_parts, MG_RANGE(mg, n, 1), MG_LIST(mg, n), .l = l,
		      .colour = I32(colour), .total = I32(mg->total), .stencil = &mg->stencil,
		      .link = &mg->link, .parts = &mg->parts, .row = &mg->row,
		      .excess = &mg->excess, .b = &mg->b, .x = &mg->x, .from_zero = I32(from_zero),
		      .state = &mg->state);
}

static bool residual_red(struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	if (n == 0)
		return LAUNCH(mg->cl, mg_residual_finest_red, MG_RANGE(mg, n, 1), MG_LIST(mg, n),
			      .l = l, .open = &mg->open, .excess = &mg->excess, .b = &mg->b,
			      .x = &mg->x, .residual = &mg->residual, .state = &mg->state);
	if (!LAUNCH(mg->cl, mg_residual_red, MG_RANGE(mg, n, 1), MG_LIST(mg, n), .l = l,
		    .total = I32(mg->total), .link = &mg->link, .excess = &mg->excess, .b = &mg->b,
		    .x = &mg->x, .residual = &mg->residual, .state = &mg->state))
		return false;
	return !mg->parted[n] ||
	       LAUNCH(mg->cl, mg_residual_near_parts, MG_RANGE(mg, n, 1), MG_LIST(mg, n), .l = l,
		      .total = I32(mg->total), .stencil = &mg->stencil, .link = &mg->link,
		      .parts = &mg->parts, .row = &mg->row, .excess = &mg->excess, .b = &mg->b,
		      .x = &mg->x, .residual = &mg->residual, .residual_extra = &mg->residual_extra,
		      .state = &mg->state);
}

static bool cycle_small_levels(struct multigrid *mg, int from)
{
	if (multigrid_small_by_tiles(mg, from))
		return multigrid_cycle_small(mg, from);
	const i32 first = from, last = multigrid_last(mg), sweeps = multigrid_sweeps(mg, from);
	const i32 visits = multigrid_visits(mg, from), last_sweeps = multigrid_last_sweeps(mg);
	return LAUNCH(mg->cl, mg_small_levels, clx_groups(mg->cl, 1), .levels = &mg->level_table,
		      .first = I32(first), .last = I32(last), .visits = I32(visits),
		      .sweeps = I32(sweeps), .coarsest_sweeps = I32(last_sweeps),
		      .total = I32(mg->total), .stencil = &mg->stencil, .open = &mg->open,
		      .link = &mg->link, .parts = &mg->parts, .row = &mg->row, .route = &mg->route,
		      .excess = &mg->excess, .b = &mg->b, .x = &mg->x, .residual = &mg->residual,
		      .residual_extra = &mg->residual_extra, .state = &mg->state);
}

static bool run_cycle(struct multigrid *mg, int n, bool from_zero);

/* x of level n, from 0, for b of that level: as many cycles as it gets visits. */
static bool visit_level(struct multigrid *mg, int n)
{
	if (n >= multigrid_first_of_group(mg))
		return cycle_small_levels(mg, n);
	for (i32 v = 0; v < multigrid_visits(mg, n); v++)
		if (!run_cycle(mg, n, v == 0))
			return false;
	return true;
}

/* A cycle on level n for b of that level; x is the initial guess unless from_zero.  Symmetric also
 * where levels below are visited twice. */
static bool run_cycle(struct multigrid *mg, int n, bool from_zero)
{
	if (from_zero && multigrid_by_tiles(mg, n))
		return multigrid_go_down(mg, n) && visit_level(mg, n + 1) && multigrid_go_up(mg, n);
	for (int s = 0; s < multigrid_sweeps(mg, n); s++)
		if (!smooth_colour(mg, n, 0, from_zero && s == 0) ||
		    !smooth_colour(mg, n, 1, false))
			return false;
	if (n < multigrid_last(mg) &&
	    (!residual_red(mg, n) || !multigrid_restrict(mg, n + 1, true) ||
	     !visit_level(mg, n + 1) || !multigrid_prolong(mg, n, false)))
		return false;
	for (int s = 0; s < multigrid_sweeps(mg, n); s++)
		if (!smooth_colour(mg, n, 1, false) || !smooth_colour(mg, n, 0, false))
			return false;
	return true;
}

bool multigrid_v_cycle(struct multigrid *mg)
{
	return visit_level(mg, 0);
}

bool multigrid_full_cycle(struct multigrid *mg)
{
	for (int n = 1; n <= multigrid_last(mg); n++)
		if (!multigrid_restrict(mg, n, false))
			return false;
	if (!cycle_small_levels(mg, multigrid_last(mg)))
		return false;
	for (int n = multigrid_last(mg) - 1; n >= 0; n--) {
		const struct mg_level *l = &mg->levels[n];
		if (!clx_zero(mg->cl, &mg->x, (size_t)l->offset * sizeof(f32),
			      2 * (size_t)l->colour_stride * sizeof(f32)) ||
		    !clx_zero(mg->cl, &mg->x, (size_t)l->extra_offset * sizeof(f32),
			      (size_t)l->extras * sizeof(f32)) ||
		    !multigrid_prolong(mg, n, true) || !run_cycle(mg, n, false))
			return false;
	}
	return true;
}

bool multigrid_relax(struct multigrid *mg, int sweeps, f32 omega)
{
	const struct mg_level *l = &mg->levels[0];
	if (!clx_zero(mg->cl, &mg->x, 0, (size_t)mg->finest * sizeof(f32)))
		return false;
	for (int s = 0; s < 2 * sweeps; s++) {
		const i32 colour = s & 1;
		if (omega == 1.0f
			    ? !smooth_colour(mg, 0, colour, false)
			    : !LAUNCH(mg->cl, mg_smooth_over, MG_RANGE(mg, 0, 1), MG_LIST(mg, 0),
				      .l = l, .colour = I32(colour), .open = &mg->open,
				      .excess = &mg->excess, .b = &mg->b, .other = &mg->x,
				      .x = &mg->x, .omega = F32(omega), .state = &mg->state))
			return false;
	}
	return true;
}
