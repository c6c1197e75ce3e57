#include "multigrid.h"

/* One work-group handles the levels from the first of at most so many cells, which is visited
 * twice, unless it is the finest one. */
#define SMALL_CELLS 4096
/* After multigrid_spread(): the first of at most so many. */
#define GROUP_CELLS 512
/* Symmetric sweeps on the coarsest level. */
#define COARSEST_SWEEPS 16
/* Levels are added until no axis is longer than this. */
#define COARSEST_EDGE 2

/* Coarse levels above those of one work-group that are visited twice. */
#define TWICE_LEVELS 2

size_t multigrid_at(const struct mg_level *level, int dim, int i, int j, int k)
{
	const int colour = (i + j + k) & 1, halo_z = dim == 3 ? 1 : 0;
	return (size_t)(level->offset + colour * level->colour_stride +
			(k + halo_z) * level->plane + (j + 1) * level->pitch + i / 2 + 1);
}

struct clx_range multigrid_range(const struct mg_level *level, int colours)
{
	return clx_range3((size_t)level->row, (size_t)level->ny,
			  (size_t)level->nz * (size_t)colours);
}

/* Room for further parts of a level's cells: walls are surfaces, so fewer and fewer cells of finer
 * levels have them.  Where it is used up cells stay whole, which only costs iterations.  In 3D
 * walls every nine cells along all axes need 0.4 and 1.1 per cell on the first two levels, and get
 * them in boxes of at most 64 cells an axis; in larger ones those every 17 do. */
static i32 extra_room(i32 level, int dim, i32 nx, i32 ny, i32 nz)
{
	static const i64 eighths[3][3] = {{3, 6, 12}, {4, 12, 24}, {2, 8, 24}};
	const i64 cells = (i64)nx * ny * nz;
	const int large = level < 3 && cells > 32 * 32 * 32 >> 3 * (level - 1);
	const i64 room = eighths[dim == 3 ? 1 + large : 0][level < 3 ? level - 1 : 2] * cells / 8;
	/* Small levels take little, and walls are in most of their cells. */
	const i64 most = (multigrid_cell_parts(dim) - 1) * cells, enough = dim == 3 ? 2048 : 256;
	const i64 least = most < enough ? most : enough;
	return (i32)(room > least ? room : least);
}

static i64 cells_of(const struct mg_level *level)
{
	return (i64)level->nx * level->ny * level->nz;
}

void multigrid_plan(struct multigrid *mg, const struct grid *grid, int dim, int sweeps, bool split)
{
	const i32 halo = dim == 3 ? 1 : 0;
	i32 nx = grid->nx, ny = grid->ny, nz = grid->nz;
	f32 full[3] = {1.0f, 1.0f, 1.0f};
	mg->grid = *grid;
	mg->dim = dim;
	mg->sweeps = sweeps;
	mg->count = 0;
	mg->total = mg->type_total = 0;
	mg->small_from = -1;
	mg->twice = mg->once = mg->parted_last = false;
	mg->repeat_small = true;
	mg->further = mg->merged = 0;
	for (int n = 0; n < MG_MAX_LEVELS; n++)
		mg->parted[n] = false;
	mg->split = split;
	mg->extra_total = 0;
	for (int n = 0; n < MG_MAX_LEVELS; n++) {
		struct mg_level *l = &mg->levels[n];
		l->nx = nx;
		l->ny = ny;
		l->nz = nz;
		l->row = (nx + 1) / 2;
		l->pitch = l->row + 1;
		l->plane = l->pitch * (ny + 2);
		/* Both colours of level 0 together are whole chunks of sums (kernels/cg.cl). */
		const i32 multiple = n == 0 ? PAIRS_CHUNK / 2 : 16;
		const i32 places = l->plane * (nz + 2 * halo) + 1;
		l->colour_stride = (places + multiple - 1) / multiple * multiple;
		l->offset = mg->total;
		for (int a = 0; a < 3; a++)
			l->full_link[a] = full[a];
		mg->type_offset[n] = mg->type_total;
		l->extras = split && n > 0 ? extra_room(n, dim, nx, ny, nz) : 0;
		l->row_offset = mg->extra_total;
		l->coarse_shift = n > 0 ? -mg->levels[1].offset : 0;
		mg->extra_total += (l->extras + 15) / 16 * 16;
		/* Halves of red residuals start at half the offset. */
		mg->total += 2 * l->colour_stride;
		mg->type_total += (nx + 2) * (ny + 2) * (nz + 2 * halo);
		mg->count = n + 1;
		if (mg->small_from < 0 && cells_of(l) <= SMALL_CELLS)
			mg->small_from = n;
		if (nx <= COARSEST_EDGE && ny <= COARSEST_EDGE && nz <= COARSEST_EDGE)
			break;
		/* A coarse link is half the sum of those it covers; an axis of one cell has one. */
		f32 x = nx > 1 ? 2.0f : 1.0f, y = ny > 1 ? 2.0f : 1.0f, z = nz > 1 ? 2.0f : 1.0f;
		full[0] *= 0.5f * y * z;
		full[1] *= 0.5f * x * z;
		full[2] *= 0.5f * x * y;
		nx = (nx + 1) / 2;
		ny = (ny + 1) / 2;
		nz = (nz + 1) / 2;
	}
	if (mg->small_from < 0)
		mg->small_from = mg->count - 1;
	mg->deepest_twice = mg->small_from > 1 ? mg->small_from : 1;
	mg->always_twice = mg->small_from > 0 ? mg->small_from : mg->count;
	mg->finest = 2 * mg->levels[0].colour_stride;
	mg->nodes = mg->total + mg->extra_total;
	for (int n = 0; n < mg->count; n++)
		mg->levels[n].extra_offset = mg->total + mg->levels[n].row_offset;
}

void multigrid_spread(struct multigrid *mg)
{
	while (mg->small_from > 0 && mg->small_from + 1 < mg->count &&
	       cells_of(&mg->levels[mg->small_from]) > GROUP_CELLS)
		mg->small_from++;
}

size_t multigrid_coarse_total(const struct multigrid *mg)
{
	return mg->count < 2 ? 1 : (size_t)(mg->total - mg->finest);
}

size_t multigrid_stencil_words(const struct multigrid *mg, int dim)
{
	return multigrid_coarse_total(mg) * (dim == 3 ? 2 : 1) + (size_t)mg->extra_total;
}

/* A half-sweep on level 0; zero_guess: x is taken as 0. */
static bool smooth_finest(struct multigrid *mg, i32 colour, bool zero_guess)
{
	const struct mg_level *l = &mg->levels[0];
	if (zero_guess)
		return LAUNCH(mg->cl, K_MG_SMOOTH_FINEST_FROM_ZERO, MG_RANGE(mg, 0, 1),
			      MG_LIST(mg, 0), ARG(*l), ARG(colour), BUF(mg->open), BUF(mg->excess),
			      BUF(mg->b), BUF(mg->x), BUF(mg->state));
	return LAUNCH(mg->cl, K_MG_SMOOTH_FINEST, MG_RANGE(mg, 0, 1), MG_LIST(mg, 0), ARG(*l),
		      ARG(colour), BUF(mg->open), BUF(mg->excess), BUF(mg->b), BUF(mg->x),
		      BUF(mg->x), BUF(mg->state));
}

/* The same on level n. */
static bool smooth(struct multigrid *mg, int n, i32 colour, bool zero_guess)
{
	const struct mg_level *l = &mg->levels[n];
	const i32 from_zero = zero_guess;
	if (n == 0)
		return smooth_finest(mg, colour, zero_guess);
	const bool plain =
		zero_guess
			? LAUNCH(mg->cl, K_MG_SMOOTH_FROM_ZERO, MG_RANGE(mg, n, 1), MG_LIST(mg, n),
				 ARG(*l), ARG(colour), ARG(mg->total), BUF(mg->link),
				 BUF(mg->excess), BUF(mg->b), BUF(mg->x), BUF(mg->state))
			: LAUNCH(mg->cl, K_MG_SMOOTH, MG_RANGE(mg, n, 1), MG_LIST(mg, n), ARG(*l),
				 ARG(colour), ARG(mg->total), BUF(mg->link), BUF(mg->excess),
				 BUF(mg->b), BUF(mg->x), BUF(mg->x), BUF(mg->state));
	if (!plain || !mg->parted[n])
		return plain;
	return LAUNCH(mg->cl, K_MG_SMOOTH_NEAR_PARTS, MG_RANGE(mg, n, 1), MG_LIST(mg, n), ARG(*l),
		      ARG(colour), ARG(mg->total), BUF(mg->stencil), BUF(mg->link), BUF(mg->parts),
		      BUF(mg->row), BUF(mg->excess), BUF(mg->b), BUF(mg->x), ARG(from_zero),
		      BUF(mg->state));
}

static bool residual_red(struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	if (n == 0)
		return LAUNCH(mg->cl, K_MG_RESIDUAL_FINEST_RED, MG_RANGE(mg, n, 1), MG_LIST(mg, n),
			      ARG(*l), BUF(mg->open), BUF(mg->excess), BUF(mg->b), BUF(mg->x),
			      BUF(mg->residual), BUF(mg->state));
	if (!LAUNCH(mg->cl, K_MG_RESIDUAL_RED, MG_RANGE(mg, n, 1), MG_LIST(mg, n), ARG(*l),
		    ARG(mg->total), BUF(mg->link), BUF(mg->excess), BUF(mg->b), BUF(mg->x),
		    BUF(mg->residual), BUF(mg->state)))
		return false;
	return !mg->parted[n] ||
	       LAUNCH(mg->cl, K_MG_RESIDUAL_NEAR_PARTS, MG_RANGE(mg, n, 1), MG_LIST(mg, n), ARG(*l),
		      ARG(mg->total), BUF(mg->stencil), BUF(mg->link), BUF(mg->parts), BUF(mg->row),
		      BUF(mg->excess), BUF(mg->b), BUF(mg->x), BUF(mg->residual),
		      BUF(mg->residual_extra), BUF(mg->state));
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

static bool small_levels(struct multigrid *mg, int from)
{
	const i32 first = from, last = multigrid_last(mg), sweeps = sweeps_of(mg, from);
	const i32 visits = visits_of(mg, from);
	const i32 coarsest = COARSEST_SWEEPS;
	return LAUNCH(mg->cl, K_MG_SMALL_LEVELS, clx_groups(mg->cl, 1), BUF(mg->level_table),
		      ARG(first), ARG(last), ARG(visits), ARG(sweeps), ARG(coarsest),
		      ARG(mg->total), BUF(mg->stencil), BUF(mg->open), BUF(mg->link),
		      BUF(mg->parts), BUF(mg->row), BUF(mg->route), BUF(mg->excess), BUF(mg->b),
		      BUF(mg->x), BUF(mg->residual), BUF(mg->residual_extra), BUF(mg->state));
}

static bool cycle(struct multigrid *mg, int n, bool from_zero);

/* x of level n, from 0, for b of that level: as many cycles as it gets visits. */
static bool visit(struct multigrid *mg, int n)
{
	if (n >= first_small(mg))
		return small_levels(mg, n);
	for (i32 v = 0; v < visits_of(mg, n); v++)
		if (!cycle(mg, n, v == 0))
			return false;
	return true;
}

/* A cycle on level n for b of that level; x is the initial guess unless from_zero.  Symmetric also
 * where levels below are visited twice. */
static bool cycle(struct multigrid *mg, int n, bool from_zero)
{
	for (int s = 0; s < sweeps_of(mg, n); s++)
		if (!smooth(mg, n, 0, from_zero && s == 0) || !smooth(mg, n, 1, false))
			return false;
	if (n < multigrid_last(mg) &&
	    (!residual_red(mg, n) || !multigrid_restrict(mg, n + 1, true) || !visit(mg, n + 1) ||
	     !multigrid_prolong(mg, n, false)))
		return false;
	for (int s = 0; s < sweeps_of(mg, n); s++)
		if (!smooth(mg, n, 1, false) || !smooth(mg, n, 0, false))
			return false;
	return true;
}

bool multigrid_v_cycle(struct multigrid *mg)
{
	return visit(mg, 0);
}

bool multigrid_full_cycle(struct multigrid *mg)
{
	for (int n = 1; n <= multigrid_last(mg); n++)
		if (!multigrid_restrict(mg, n, false))
			return false;
	if (!small_levels(mg, multigrid_last(mg)))
		return false;
	for (int n = multigrid_last(mg) - 1; n >= 0; n--) {
		const struct mg_level *l = &mg->levels[n];
		if (!clx_zero(mg->cl, &mg->x, (size_t)l->offset * sizeof(f32),
			      2 * (size_t)l->colour_stride * sizeof(f32)) ||
		    !clx_zero(mg->cl, &mg->x, (size_t)l->extra_offset * sizeof(f32),
			      (size_t)l->extras * sizeof(f32)) ||
		    !multigrid_prolong(mg, n, true) || !cycle(mg, n, false))
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
		if (omega == 1.0f ? !smooth(mg, 0, colour, false)
				  : !LAUNCH(mg->cl, K_MG_SMOOTH_OVER, MG_RANGE(mg, 0, 1),
					    MG_LIST(mg, 0), ARG(*l), ARG(colour), BUF(mg->open),
					    BUF(mg->excess), BUF(mg->b), BUF(mg->x), BUF(mg->x),
					    ARG(omega), BUF(mg->state)))
			return false;
	}
	return true;
}
