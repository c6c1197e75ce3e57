#include "poisson.h"

#include <string.h>

#include "message.h"
#include "mg_state.h"
#include "reduce.h"
#include "zero.h"

/* ---- memory ------------------------------------------------------------------------------- */

void poisson_plan(struct poisson *p, bool split)
{
	multigrid_plan(&p->mg, &p->lattice->grid, p->lattice->dim, p->settings->sweeps, split);
}

/* A part that lives from phase `from` to phase `to` of every stage that solves. */
struct part {
	struct scratch_part part;
	enum phase from, to;
};
#define PART(view, name, bytes, from, to)                                 \
	{                                                                 \
		SCRATCH_PART(view, name, bytes), PHASE_##from, PHASE_##to \
	}

/*
 * The lists of unknowns come first, then what only the set-up of the operator needs, then the
 * vectors of the solve.  A solve may go back to the set-up (poisson_update_operator()): the vectors
 * start anew then, all but the solution.
 */
size_t poisson_list_parts(struct poisson *p, const uint32_t stages[POISSON_PURPOSES],
			  struct scratch_part parts[POISSON_PARTS])
{
	struct multigrid *mg = &p->mg;
	const int dim = p->lattice->dim;
	const size_t slots = ((size_t)p->lattice->bricks.slots + 1) * sizeof(u32);
	const size_t cells = (size_t)mg->total * sizeof(f32), all = (size_t)mg->nodes * sizeof(f32),
		     fine = (size_t)mg->finest * sizeof(f32);
	const struct multigrid_part_sizes split = multigrid_part_sizes(mg, dim);
	const struct part list[POISSON_PARTS - POISSON_PURPOSES] = {
		PART(&mg->x, "multigrid x", all, SOLVE, SOLVE),
		PART(&mg->b, "multigrid b", all, SOLVE, SOLVE),
		PART(&p->direction, "search direction", fine, SOLVE, SOLVE),
		PART(&p->rows, "rows of unknowns", slots, LISTS, LISTS),
		PART(&p->place, "places of unknowns", slots, LISTS, LISTS),
		PART(&mg->type, "multigrid cell types", (size_t)mg->type_total, SETUP, SETUP),
		PART(&mg->part, "multigrid parts of fine cells", split.nodes, SETUP, SETUP),
		PART(&mg->scan, "multigrid part counts", split.scan * sizeof(u32), SETUP, SETUP),
		PART(&mg->scan_scratch, "multigrid scan", split.scan_scratch, SETUP, SETUP),
		/* Zeroed with the rows. */
		PART(&mg->open, "multigrid links, finest level",
		     (size_t)mg->finest * (size_t)dim * sizeof(uint16_t), LISTS, SOLVE),
		PART(&mg->link, "multigrid links",
		     multigrid_coarse_total(mg) * (size_t)dim * sizeof(f32), LISTS, SOLVE),
		PART(&mg->excess, "multigrid excess", all, LISTS, SOLVE),
		PART(&mg->residual, "multigrid residual", cells / 2, LISTS, SOLVE),
		PART(&mg->stencil, "multigrid stencils",
		     multigrid_stencil_words(mg, dim) * sizeof(u32), LISTS, SOLVE),
		PART(&mg->route, "multigrid routes", split.route, SETUP, SOLVE),
		PART(&mg->parts, "multigrid parts of cells", split.cells * sizeof(u32), SETUP,
		     SOLVE),
		PART(&mg->row, "multigrid links of parts", split.row * sizeof(f32), SETUP, SOLVE),
		PART(&mg->residual_extra, "multigrid residual of parts", split.extras * sizeof(f32),
		     SETUP, SOLVE),
		PART(&p->solution_low, "pressure solution, low part", fine, SETUP, SOLVE),
		/* Who asked reads it when the solve is over. */
		PART(&p->solution, "pressure solution", fine, SETUP, AFTER),
	};
	static const char *const names[POISSON_PURPOSES] = {"pressure right-hand side",
							    "drift right-hand side"};
	size_t count = 0;
	for (; count < sizeof(list) / sizeof(list[0]); count++) {
		parts[count] = list[count].part;
		for (size_t stage = 0; stage < MOMENT_START; stage++)
			for (int purpose = 0; purpose < POISSON_PURPOSES; purpose++)
				if (stages[purpose] >> stage & 1)
					moments_add(&parts[count].live, stage, list[count].from,
						    list[count].to);
	}
	for (int purpose = 0; purpose < POISSON_PURPOSES; purpose++) {
		struct scratch_part *rhs = &parts[count++];
		*rhs = (struct scratch_part)SCRATCH_PART(&p->place_of[purpose], names[purpose],
							 fine);
		rhs->borrows = true;
		for (size_t stage = 0; stage < MOMENT_START; stage++)
			if (stages[purpose] >> stage & 1)
				moments_add(&rhs->live, stage, PHASE_SOLVE, PHASE_SOLVE);
	}
	return count;
}

size_t poisson_list_fields(struct poisson *p, struct field fields[POISSON_FIELDS])
{
	struct multigrid *mg = &p->mg;
	const struct field list[POISSON_FIELDS] = {
		FIELD(&mg->state, "solver state", MG_STATE_WORDS),
		FIELD(&mg->level_table, "multigrid levels", MG_MAX_LEVELS),
		FIELD(&mg->tally, "multigrid part tally", 2 * MG_MAX_LEVELS),
		FIELD(&p->component_scale, "component scale", 1),
		FIELD(&p->component_sums, "component sums", 3),
	};
	for (int i = 0; i < POISSON_FIELDS; i++)
		fields[i] = list[i];
	return POISSON_FIELDS;
}

bool poisson_create(struct poisson *p)
{
	struct lattice *lattice = p->lattice;
	struct clx *cl = lattice->cl;
	struct field fields[POISSON_FIELDS];
	struct multigrid *mg = &p->mg;
	mg->cl = cl;
	mg->bricks = &lattice->bricks;
	if (clx_path(cl) == CLX_PATH_CPU)
		multigrid_spread(mg);
	p->rhs = p->place_of[POISSON_PRESSURE];
	return fields_allocate(cl, fields, poisson_list_fields(p, fields)) &&
	       clx_write(cl, &mg->level_table, 0, (size_t)mg->count * sizeof(struct mg_level),
			 mg->levels);
}

void poisson_destroy(struct poisson *p)
{
	struct field fields[POISSON_FIELDS];
	fields_free(p->lattice->cl, fields, poisson_list_fields(p, fields));
}

/* ---- operator ----------------------------------------------------------------------------- */

/* The set-up lies in memory of the vectors. */
static bool set_up_operator(struct poisson *p)
{
	struct multigrid *mg = &p->mg;
	const struct grid g = p->lattice->grid;
	p->cleared = POISSON_NOTHING;
	return LAUNCH(mg->cl, pressure_coefficients, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), .g = &g,
		      .level = &mg->levels[0], .cell_type = p->cell_type, .phi = p->phi,
		      .open_fraction = p->open_fraction, .opened = p->opened, .open = &mg->open,
		      .excess = &mg->excess) &&
	       multigrid_setup(mg, p->cell_type);
}

bool poisson_update_operator(struct poisson *p)
{
	struct multigrid *mg = &p->mg;
	/* Elsewhere the same words are written again. */
	return (!mg->split || ZERO(mg->cl, ZERO_ALL(&mg->stencil), ZERO_ALL(&mg->tally))) &&
	       set_up_operator(p);
}

static void warn_about_parts(struct poisson *p)
{
	if (p->mg.merged == 0 || p->parts_warned)
		return;
	p->parts_warned = true;
	message_warning("walls cut coarse cells into more parts than there is room for: %u of %u "
			"further parts stay merged, which costs iterations of the pressure solve; "
			"later cases are not reported",
			p->mg.merged, p->mg.further);
}

bool poisson_list_unknowns(struct poisson *p, union u8_buffer *opened)
{
	struct multigrid *mg = &p->mg;
	/* Nothing writes halos, and other stages used this memory. */
	struct zero_part parts[] = {
		ZERO_ALL(&p->rows),    ZERO_ALL(&mg->open),	ZERO_ALL(&mg->link),
		ZERO_ALL(&mg->excess), ZERO_ALL(&mg->residual), ZERO_ALL(&mg->stencil),
		ZERO_ALL(&mg->tally),  {.buffer = opened},
	};
	parts[7].bytes = opened ? opened->bytes : 0;
	return zero_parts(mg->cl, parts, sizeof(parts) / sizeof(parts[0])) &&
	       bricks_list_unknowns(p->lattice, &mg->levels[0], p->cell_type, &p->rows, &p->place);
}

bool poisson_set_up(struct poisson *p)
{
	bricks_take_unknowns(p->lattice);
	if (!set_up_operator(p))
		return false;
	warn_about_parts(p);
	return true;
}

bool poisson_build_operator(struct poisson *p)
{
	return poisson_list_unknowns(p, NULL) && lattice_read_scalars(p->lattice) &&
	       poisson_set_up(p);
}

/* ---- what a solve starts from ------------------------------------------------------------- */

/* Sets to zero what is not so yet; with the right-hand side if `rhs`. */
static bool clear(struct poisson *p, bool warm, bool rhs)
{
	struct multigrid *mg = &p->mg;
	const size_t chunks = (size_t)mg->finest / PAIRS_CHUNK;
	struct zero_part parts[8];
	size_t n = 0;
	if (rhs)
		parts[n++] = ZERO_ALL(&p->rhs);
	if (p->cleared < POISSON_VECTORS) {
		/* Of the residual what does not begin as a copy of b, if it does. */
		const size_t from = warm ? 0 : (size_t)mg->finest * sizeof(f32);
		parts[n++] = ZERO_ALL(&mg->x);
		parts[n++] = (struct zero_part){CLX_AS(u8, &mg->b), from, mg->b.bytes - from};
		parts[n++] = ZERO_ALL(&p->direction);
	}
	/* Chunks that are not listed sum up to 0. */
	parts[n++] = ZERO_FIRST(&p->lattice->partial, chunks * REDUCE_PAIR_BYTES);
	parts[n++] = ZERO_ALL(&mg->state);
	if (!warm) {
		parts[n++] = ZERO_ALL(&p->solution);
		parts[n++] = ZERO_ALL(&p->solution_low);
	}
	return zero_parts(mg->cl, parts, n);
}

bool poisson_begin(struct poisson *p, enum poisson_purpose purpose, bool warm)
{
	p->purpose = purpose;
	p->rhs = p->place_of[purpose];
	p->cleared = POISSON_NOTHING;
	if (!clear(p, warm, true))
		return false;
	p->cleared = warm ? POISSON_WARM : POISSON_COLD;
	return true;
}

bool poisson_ready(struct poisson *p, bool warm)
{
	const bool ok = p->cleared >= (warm ? POISSON_WARM : POISSON_COLD) || clear(p, warm, false);
	p->cleared = POISSON_VECTORS;
	return ok;
}
