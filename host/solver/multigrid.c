#include "multigrid.h"

/* Symmetric sweeps on the coarsest level. */
#define COARSEST_SWEEPS 16
/* Coarse levels above those of one work-group that are visited twice. */
#define TWICE_LEVELS 2

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

/* Conjugate gradients do better without a last level that walls part: pieces of many boxes are in
 * each of its cells. */
int multigrid_last(const struct multigrid *mg)
{
	return mg->count - (mg->parted_last && mg->repeat_small ? 2 : 1);
}

/* First level below which one work-group does the whole cycle: level 0 only if nothing is visited
 * twice. */
static int first_small(const struct multigrid *mg)
{
	const int first = mg->twice && mg->small_from == 0 ? 1 : mg->small_from;
	const int last = multigrid_last(mg);
	return first < last ? first : last;
}

/* How often a cycle on the finer level visits level n.  Small levels are cheap, and a second visit
 * keeps iterations from growing with the grid. */
static i32 visits_of(const struct multigrid *mg, int n)
{
	if (mg->once || n == 0 || n == multigrid_last(mg))
		return 1;
	const int deepest = mg->deepest_twice;
	const bool many = mg->twice && (n == deepest || (n < deepest && n <= TWICE_LEVELS));
	return many || (mg->repeat_small && n == mg->always_twice) ? 2 : 1;
}

/* Sweeps on level n.  A cycle may be repeated only if it overshoots nothing by more than twice,
 * else the whole is not positive: one sweep does not make sure of that.  In 3D, where coarse levels
 * have a seventh of the finest one's cells, one more there is paid back with conjugate gradients;
 * grids that are small as they are need none. */
static int sweeps_of(const struct multigrid *mg, int n)
{
	const bool large = mg->always_twice < mg->count;
	if (mg->dim == 3 && n > 0 && large && mg->repeat_small && !mg->once)
		return mg->sweeps + 1;
	const int first = mg->twice ? 1 : mg->repeat_small ? mg->always_twice : mg->count;
	return !mg->once && n >= first && mg->sweeps < 2 ? 2 : mg->sweeps;
}

bool multigrid_repeats(const struct multigrid *mg)
{
	bool repeats = false;
	for (int n = 0; n <= multigrid_last(mg); n++)
		repeats |= visits_of(mg, n) > 1;
	return repeats;
}

struct multigrid_work multigrid_work(const struct multigrid *mg, int n)
{
	struct multigrid_work work = {1, 1, 0};
	for (int level = 1; level <= n; level++) {
		work.from_zero = work.visits;
		work.visits *= visits_of(mg, level);
	}
	work.sweeps = 2 * (n == multigrid_last(mg) ? COARSEST_SWEEPS : sweeps_of(mg, n));
	return work;
}

static bool cycle_small_levels(struct multigrid *mg, int from)
{
	const i32 first = from, last = multigrid_last(mg), sweeps = sweeps_of(mg, from);
	const i32 visits = visits_of(mg, from);
	const i32 coarsest = COARSEST_SWEEPS;
	return LAUNCH(mg->cl, mg_small_levels, clx_groups(mg->cl, 1), .levels = &mg->level_table,
		      .first = I32(first), .last = I32(last), .visits = I32(visits),
		      .sweeps = I32(sweeps), .coarsest_sweeps = I32(coarsest),
		      .total = I32(mg->total), .stencil = &mg->stencil, .open = &mg->open,
		      .link = &mg->link, .parts = &mg->parts, .row = &mg->row, .route = &mg->route,
		      .excess = &mg->excess, .b = &mg->b, .x = &mg->x, .residual = &mg->residual,
		      .residual_extra = &mg->residual_extra, .state = &mg->state);
}

static bool run_cycle(struct multigrid *mg, int n, bool from_zero);

/* x of level n, from 0, for b of that level: as many cycles as it gets visits. */
static bool visit_level(struct multigrid *mg, int n)
{
	if (n >= first_small(mg))
		return cycle_small_levels(mg, n);
	for (i32 v = 0; v < visits_of(mg, n); v++)
		if (!run_cycle(mg, n, v == 0))
			return false;
	return true;
}

/* A cycle on level n for b of that level; x is the initial guess unless from_zero.  Symmetric also
 * where levels below are visited twice. */
static bool run_cycle(struct multigrid *mg, int n, bool from_zero)
{
	for (int s = 0; s < sweeps_of(mg, n); s++)
		if (!smooth_colour(mg, n, 0, from_zero && s == 0) ||
		    !smooth_colour(mg, n, 1, false))
			return false;
	if (n < multigrid_last(mg) &&
	    (!residual_red(mg, n) || !multigrid_restrict(mg, n + 1, true) ||
	     !visit_level(mg, n + 1) || !multigrid_prolong(mg, n, false)))
		return false;
	for (int s = 0; s < sweeps_of(mg, n); s++)
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
