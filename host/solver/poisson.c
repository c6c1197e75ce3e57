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
	bool lasts; /* of the operator, with which a later stage may solve, too */
};
#define PART(view, name, bytes, from, to)                                 \
	{                                                                 \
		SCRATCH_PART(view, name, bytes), PHASE_##from, PHASE_##to \
	}
#define OPERATOR_PART(view, name, bytes)                                        \
	{                                                                       \
		SCRATCH_PART(view, name, bytes), PHASE_LISTS, PHASE_SOLVE, true \
	}

/* A part's moments in the stages that solve, given as bits; one of the operator may be kept from
 * the first to the last of them. */
static void add_lives(const struct part *part, uint32_t stages, bool kept, struct moments *live)
{
	size_t first = MOMENT_START, last = 0;
	for (size_t stage = 0; stage < MOMENT_START; stage++) {
		if (!(stages >> stage & 1))
			continue;
		moments_add(live, stage, part->from, part->to);
		first = first == MOMENT_START ? stage : first;
		last = stage;
	}
	if (part->lasts && kept && first < last)
		moments_add_span(live, first, part->from, last, part->to);
}

/*
 * The lists of unknowns come first, then what only the set-up of the operator needs, then the
 * vectors of the solve; of those that live as long as the operator the latter comes last, clear of
 * what other stages have first.  A solve may go back to the set-up (poisson_update_operator()): the
 * vectors start anew then, all but the solution.
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
		PART(&mg->residual, "multigrid residual", cells / 2, SOLVE, SOLVE),
		PART(&mg->residual_extra, "multigrid residual of parts", split.extras * sizeof(f32),
		     SETUP, SOLVE),
		OPERATOR_PART(&mg->open, "multigrid links, finest level",
			      (size_t)mg->finest * (size_t)dim * sizeof(uint16_t)),
		OPERATOR_PART(&mg->link, "multigrid links",
			      multigrid_coarse_total(mg) * (size_t)dim * sizeof(f32)),
		OPERATOR_PART(&mg->excess, "multigrid excess", all),
		OPERATOR_PART(&mg->stencil, "multigrid stencils",
			      multigrid_stencil_words(mg, dim) * sizeof(u32)),
		OPERATOR_PART(&mg->route, "multigrid routes", split.route),
		OPERATOR_PART(&mg->parts, "multigrid parts of cells", split.cells * sizeof(u32)),
		OPERATOR_PART(&mg->row, "multigrid links of parts", split.row * sizeof(f32)),
		PART(&p->solution_low, "pressure solution, low part", fine, SETUP, SOLVE),
		/* Who asked reads it when the solve is over. */
		PART(&p->solution, "pressure solution", fine, SETUP, AFTER),
	};
	static const char *const names[POISSON_PURPOSES] = {"pressure right-hand side",
							    "drift right-hand side"};
	size_t count = 0;
	uint32_t solving = 0;
	for (int purpose = 0; purpose < POISSON_PURPOSES; purpose++)
		solving |= stages[purpose];
	for (; count < sizeof(list) / sizeof(list[0]); count++) {
		parts[count] = list[count].part;
		parts[count].kept = p->kept && list[count].lasts;
		add_lives(&list[count], solving, p->kept, &parts[count].live);
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
		FIELD(&mg->next, "solver state, next", MG_STATE_WORDS),
		FIELD(&mg->meeting, "solver meeting", CG_MEETING_WORDS),
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
	mg->tiles = clx_path(cl) == CLX_PATH_GPU;
	if (!mg->tiles)
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

/* What is zero but where the lists of unknowns are: nothing writes halos, and other stages used
 * this memory; and the tally. */
#define OPERATOR(mg)                                                           \
	ZERO_ALL(&(mg)->open), ZERO_ALL(&(mg)->link), ZERO_ALL(&(mg)->excess), \
		ZERO_ALL(&(mg)->stencil), ZERO_ALL(&(mg)->tally)

/* In memory that is cleared, or where it was before: then the tally is. */
static bool set_up_operator(struct poisson *p)
{
	struct multigrid *mg = &p->mg;
	const struct grid g = p->lattice->grid;
	return LAUNCH(mg->cl, pressure_coefficients, bricks_level(mg->bricks, 0), MG_LIST(mg, 0),
		      .g = &g, .level = &mg->levels[0], .cell_type = p->cell_type, .phi = p->phi,
		      .open_fraction = p->open_fraction, .opened = p->opened, .open = &mg->open,
		      .excess = &mg->excess) &&
	       multigrid_setup(mg, p->cell_type);
}

static bool set_up_again(struct poisson *p)
{
	struct multigrid *mg = &p->mg;
	return (!mg->split || ZERO(mg->cl, ZERO_ALL(&mg->tally))) && set_up_operator(p);
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
	const struct zero_part walls = {.buffer = opened, .bytes = opened ? opened->bytes : 0};
	return ZERO(mg->cl, OPERATOR(mg), ZERO_ALL(&p->rows), walls) &&
	       bricks_list_unknowns(p->lattice, &mg->levels[0], p->cell_type, &p->rows, &p->place);
}

bool poisson_set_up(struct poisson *p)
{
	bricks_take_unknowns(p->lattice);
	p->updated = false;
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

bool poisson_update_operator(struct poisson *p)
{
	p->updated = true;
	return set_up_again(p);
}

bool poisson_return_operator(struct poisson *p)
{
	const bool updated = p->updated;
	p->updated = false;
	if (!p->kept)
		return ZERO(p->mg.cl, OPERATOR(&p->mg)) && set_up_operator(p);
	return !updated || set_up_again(p);
}

bool poisson_begin(struct poisson *p, enum poisson_purpose purpose)
{
	struct multigrid *mg = &p->mg;
	const size_t finest = (size_t)mg->finest * sizeof(f32);
	const size_t coarse = (size_t)mg->nodes * sizeof(f32) - finest;
	p->purpose = purpose;
	p->rhs = p->place_of[purpose];
	return ZERO(mg->cl, ZERO_ALL(&p->rhs), {CLX_AS(u8, &mg->x), finest, coarse},
		    {CLX_AS(u8, &mg->b), finest, coarse}, ZERO_ALL(&mg->residual));
}
