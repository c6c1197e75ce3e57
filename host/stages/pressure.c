#include "pressure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mg_state.h"
#include "components.h"
#include "fault.h"
#include "message.h"
#include "stages.h"

/* Rounds of the active set of walls that let go. */
#define SEPARATION_ROUNDS 4
/* Flips need a pull above this share of the largest flux, so that rounding does not flip faces. */
#define SEPARATION_THRESHOLD 1e-3

/* ---- memory ------------------------------------------------------------------------------- */

struct part {
	struct clx_buffer *view;
	const char *name;
	size_t bytes, at;
};

static size_t aligned(size_t bytes)
{
	return (bytes + CLX_VIEW_ALIGNMENT - 1) / CLX_VIEW_ALIGNMENT * CLX_VIEW_ALIGNMENT;
}

/* Places parts one behind the other from `at` on; returns where they end. */
static size_t place_parts(struct part *parts, size_t count, size_t at)
{
	for (size_t i = 0; i < count; i++) {
		parts[i].at = at;
		at += aligned(parts[i].bytes);
	}
	return at;
}

/*
 * Parts of the scratch; returns the bytes up to the end of the last but one, the solution, which
 * comes at the end of the scratch, out of the way of what the projection writes while it reads it
 * (sim_fields.c).  What only the set-up needs lies in the vectors, which are zeroed after it.
 */
#define VECTORS 3
#define SETUP_PARTS 4
#define PARTS 17
static size_t list_parts(struct pressure *p, int dim, struct part parts[PARTS])
{
	struct multigrid *mg = &p->mg;
	const size_t cells = (size_t)mg->total * sizeof(f32), all = (size_t)mg->nodes * sizeof(f32),
		     fine = (size_t)mg->finest * sizeof(f32);
	const struct multigrid_part_sizes split = multigrid_part_sizes(mg, dim);
	const struct part list[PARTS] = {
		{&mg->x, "multigrid x", all, 0},
		{&mg->b, "multigrid b", all, 0},
		{&p->direction, "search direction", fine, 0},
		{&mg->type, "multigrid cell types", (size_t)mg->type_total, 0},
		{&mg->part, "multigrid parts of fine cells", split.nodes, 0},
		{&mg->scan, "multigrid part counts", split.scan * sizeof(u32), 0},
		{&mg->scan_scratch, "multigrid scan", split.scan_scratch, 0},
		{&mg->open, "multigrid links, finest level",
		 (size_t)mg->finest * (size_t)dim * sizeof(uint16_t), 0},
		{&mg->link, "multigrid links",
		 multigrid_coarse_total(mg) * (size_t)dim * sizeof(f32), 0},
		{&mg->excess, "multigrid excess", all, 0},
		{&mg->residual, "multigrid residual", cells / 2, 0},
		{&mg->stencil, "multigrid stencils", multigrid_stencil_words(mg, dim) * sizeof(u32),
		 0},
		{&mg->route, "multigrid routes", split.route, 0},
		{&mg->parts, "multigrid parts of cells", split.cells * sizeof(u32), 0},
		{&mg->row, "multigrid links of parts", split.row * sizeof(f32), 0},
		{&mg->residual_extra, "multigrid residual of parts", split.extras * sizeof(f32), 0},
		{&p->solution_low, "pressure solution, low part", fine, 0},
	};
	memcpy(parts, list, sizeof(list));
	const size_t vectors = place_parts(parts, VECTORS, 0);
	const size_t setup = place_parts(parts + VECTORS, SETUP_PARTS, 0);
	return place_parts(parts + VECTORS + SETUP_PARTS, PARTS - VECTORS - SETUP_PARTS,
			   vectors > setup ? vectors : setup);
}

size_t pressure_scratch_bytes(const struct grid *grid, int dim, bool solids)
{
	struct pressure p = {0};
	struct part parts[PARTS];
	multigrid_plan(&p.mg, grid, dim, 1, solids);
	const size_t solution = aligned((size_t)p.mg.finest * sizeof(f32));
	const size_t bytes = list_parts(&p, dim, parts) + solution;
	const size_t u = aligned((size_t)grid->lattice * (size_t)dim * sizeof(f32));
	const size_t projection = 2 * u + solution;
	return bytes > projection ? bytes : projection;
}

size_t pressure_list_fields(struct pressure *p, struct sim_field fields[PRESSURE_FIELDS])
{
	struct multigrid *mg = &p->mg;
	const struct sim_field list[PRESSURE_FIELDS] = {
		{&mg->state, "solver state", MG_STATE_WORDS, sizeof(u32)},
		{&mg->level_table, "multigrid levels", MG_MAX_LEVELS, sizeof(struct mg_level)},
		{&mg->tally, "multigrid part tally", 2 * MG_MAX_LEVELS, sizeof(u32)},
		{&p->component_scale, "component scale", 1, sizeof(u32)},
		{&p->component_sums, "component sums", 3, sizeof(u32)},
	};
	for (int i = 0; i < PRESSURE_FIELDS; i++)
		fields[i] = list[i];
	return PRESSURE_FIELDS;
}

/* The solver's views. */
static bool make_views(struct sim *sim)
{
	struct clx *cl = sim->cl;
	struct pressure *p = sim->solver;
	struct part parts[PARTS];
	const size_t fine = (size_t)p->mg.finest * sizeof(f32);
	list_parts(p, sim->dim, parts);
	for (int i = 0; i < PARTS; i++)
		if (!clx_view(cl, &sim->scratch, parts[i].at, parts[i].bytes, parts[i].name,
			      parts[i].view))
			return false;
	return clx_view(cl, &sim->scratch, sim->scratch.bytes - aligned(fine), fine,
			"pressure solution", &p->solution) &&
	       clx_view(cl, &sim->pressure, 0, fine, "pressure right-hand side",
			&p->rhs_of_pressure) &&
	       clx_view(cl, &sim->particles.cell_start, 0, fine, "drift right-hand side",
			&p->rhs_of_drift);
}

bool pressure_create(struct sim *sim)
{
	struct clx *cl = sim->cl;
	struct sim_field fields[PRESSURE_FIELDS];
	struct pressure *p = calloc(1, sizeof(*p));
	if (!p)
		return message_memory(sizeof(*p), "the pressure solver");
	sim->solver = p;
	struct multigrid *mg = &p->mg;
	mg->cl = cl;
	mg->bricks = &sim->bricks;
	multigrid_plan(mg, &sim->grid, sim->dim, sim->scene->solver.sweeps, sim->solids_cut);
	if (clx_info(cl)->is_cpu)
		multigrid_spread(mg);
	if (!make_views(sim))
		return false;
	p->rhs = p->rhs_of_pressure;
	return sim_allocate(cl, fields, pressure_list_fields(p, fields)) &&
	       clx_write(cl, &mg->level_table, 0, (size_t)mg->count * sizeof(struct mg_level),
			 mg->levels);
}

void pressure_destroy(struct sim *sim)
{
	struct pressure *p = sim->solver;
	struct part parts[PARTS];
	struct sim_field fields[PRESSURE_FIELDS];
	if (!p)
		return;
	list_parts(p, sim->dim, parts);
	for (int i = 0; i < PARTS; i++)
		clx_free(sim->cl, parts[i].view);
	clx_free(sim->cl, &p->solution);
	clx_free(sim->cl, &p->rhs_of_pressure);
	clx_free(sim->cl, &p->rhs_of_drift);
	const size_t count = pressure_list_fields(p, fields);
	for (size_t i = 0; i < count; i++)
		clx_free(sim->cl, fields[i].buffer);
	free(p);
	sim->solver = NULL;
}

/* ---- operator ----------------------------------------------------------------------------- */

/* The set-up lies in memory of the vectors: these are zeroed. */
static bool update_operator(struct sim *sim)
{
	struct pressure *p = sim->solver;
	struct multigrid *mg = &p->mg;
	const struct grid g = sim->grid;
	return LAUNCH(sim->cl, K_PRESSURE_COEFFICIENTS, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), ARG(g),
		      ARG(mg->levels[0]), BUF(sim->cell_type), BUF(sim->phi),
		      BUF(sim->open_fraction), BUF(sim->opened), BUF(mg->open), BUF(mg->excess)) &&
	       multigrid_setup(mg, &sim->cell_type) && pressure_clear_vectors(sim);
}

static bool clear_all(struct clx *cl, struct clx_buffer *const buffers[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!clx_zero(cl, buffers[i], 0, buffers[i]->bytes))
			return false;
	return true;
}

bool pressure_clear_vectors(struct sim *sim)
{
	struct pressure *p = sim->solver;
	struct clx_buffer *const vectors[] = {&p->mg.x, &p->mg.b, &p->direction};
	return clear_all(sim->cl, vectors, sizeof(vectors) / sizeof(vectors[0]));
}

static void warn_about_parts(struct pressure *p)
{
	if (p->mg.merged == 0 || p->parts_warned)
		return;
	p->parts_warned = true;
	message_warning("walls cut coarse cells into more parts than there is room for: %u of %u "
			"further parts stay merged, which costs iterations of the pressure solve; "
			"later cases are not reported",
			p->mg.merged, p->mg.further);
}

bool pressure_build_operator(struct sim *sim)
{
	struct pressure *p = sim->solver;
	/* Nothing writes halos, and other stages used this memory. */
	struct clx_buffer *const others[] = {&p->mg.open, &p->mg.link, &p->mg.excess,
					     &p->mg.residual};
	/* The lists are made in vectors that the set-up is going to zero. */
	if (!bricks_list_unknowns(sim, &p->mg.b, &p->direction) ||
	    !clear_all(sim->cl, others, sizeof(others) / sizeof(others[0])) ||
	    !update_operator(sim))
		return false;
	warn_about_parts(p);
	return true;
}

bool pressure_place_rhs(struct sim *sim, const struct clx_buffer *place)
{
	struct pressure *p = sim->solver;
	p->rhs = *place;
	return clx_zero(sim->cl, &p->rhs, 0, p->rhs.bytes);
}

bool pressure_for_drift(struct sim *sim, bool (*solve)(struct sim *sim, void *user), void *user)
{
	struct pressure *p = sim->solver;
	const int expected = p->expected;
	p->rhs = p->rhs_of_drift;
	p->expected = p->drift_expected > 0 ? p->drift_expected : 1;
	const bool ok = solve(sim, user);
	p->drift_expected = p->expected;
	p->expected = expected;
	p->rhs = p->rhs_of_pressure;
	return ok;
}

static bool build_rhs(struct sim *sim)
{
	struct pressure *p = sim->solver;
	const struct grid g = sim->grid;
	return pressure_place_rhs(sim, &p->rhs_of_pressure) &&
	       LAUNCH(sim->cl, K_PRESSURE_RHS, MG_RANGE(&p->mg, 0, 2), MG_LIST(&p->mg, 0), ARG(g),
		      ARG(p->mg.levels[0]), BUF(sim->cell_type), BUF(sim->phi),
		      BUF(sim->open_fraction), BUF(sim->opened), BUF(sim->u_face), ARG(sim->kick),
		      BUF(p->rhs)) &&
	       drift_add_divergence(sim);
}

/* ---- the stage ---------------------------------------------------------------------------- */

/* Of u_face + kick. */
static bool measure_divergence(struct sim *sim, const struct kick kick, i32 which)
{
	const struct grid g = sim->grid;
	const struct bricks *b = &sim->bricks;
	return LAUNCH(sim->cl, K_PRESSURE_MAX_DIVERGENCE, bricks_columns(b, BRICKS_LEVEL),
		      BRICKS(b, BRICKS_LEVEL), ARG(g), BUF(sim->cell_type), BUF(sim->phi),
		      BUF(sim->open_fraction), BUF(sim->opened), BUF(sim->u_face), ARG(kick),
		      BUF(sim->scalars), ARG(which));
}

static bool solve_once(struct sim *sim, bool warm)
{
	struct step_stats *stats = &sim->stats;
	int iterations;
	double residual;
	bool failed;
	if (!build_rhs(sim) ||
	    !pressure_solve(sim, warm, sim->scene->solver.tolerance,
			    sim->scene->solver.max_iterations, &iterations, &residual, &failed))
		return false;
	stats->pressure_iterations += iterations;
	stats->pressure_residual = residual;
	stats->pressure_solves++;
	if (residual > sim->scene->solver.tolerance) {
		stats->pressure_limits++;
		sim->solver->limit_residual = residual;
		sim->solver->limit_stalled = sim->solver->stalled;
	}
	/* Once in an attempt, whatever separation does. */
	if (stats->pressure_solves == 1 && fault_is_due(FAULT_SOLVER)) {
		failed = true;
		stats->pressure_residual = (double)NAN;
	}
	if (failed)
		sim->step_failed =
			isfinite(stats->pressure_residual) ? STEP_UNSOLVED : STEP_DIVERGED;
	return true;
}

/* Lets walls go that would pull, and solves again, until nothing changes: from the last solution,
 * which halves the iterations of a substep. */
static bool separate(struct sim *sim)
{
	struct pressure *p = sim->solver;
	const struct grid g = sim->grid;
	const struct bricks *b = &sim->bricks;
	const f32 threshold =
		(f32)(SEPARATION_THRESHOLD *
		      (double)stages_float(sim->host_scalars[SCALAR_DIVERGENCE_BEFORE]));
	for (int round = 0; round < SEPARATION_ROUNDS && !sim->step_failed; round++) {
		if (!stages_set_scalar(sim, SCALAR_SEPARATION_CHANGES, 0) ||
		    !LAUNCH(sim->cl, K_PRESSURE_SEPARATE, bricks_points(b, BRICKS_BAND),
			    BRICKS(b, BRICKS_BAND), ARG(g), ARG(p->mg.levels[0]), BUF(p->solution),
			    BUF(sim->cell_type), BUF(sim->open_fraction), BUF(sim->component),
			    ARG(threshold), BUF(sim->u_face), ARG(sim->kick), BUF(sim->opened),
			    BUF(sim->scalars)) ||
		    !stages_read_scalars(sim))
			return false;
		if (sim->host_scalars[SCALAR_SEPARATION_CHANGES] == 0)
			return true;
		if (!update_operator(sim) || !solve_once(sim, true))
			return false;
	}
	return true;
}

static void warn_about_limit(struct sim *sim)
{
	struct pressure *p = sim->solver;
	if (sim->stats.pressure_limits == 0 || p->limit_warned)
		return;
	p->limit_warned = true;
	message_warning("frame %d, substep %d: the pressure solve stopped above the tolerance of "
			"%.2g (%d of %d solves, %d iterations together; the last one ended at a "
			"relative residual of %.2g, %s); later cases are counted, not reported",
			sim->frame + 1, sim->substep + 1, sim->scene->solver.tolerance,
			sim->stats.pressure_limits, sim->stats.pressure_solves,
			sim->stats.pressure_iterations, p->limit_residual,
			p->limit_stalled ? "as no further step lowered it"
					 : "its iterations used up");
}

bool pressure_project(struct sim *sim)
{
	static const struct kick no_forces;
	struct clx *cl = sim->cl;
	struct pressure *p = sim->solver;
	const struct grid g = sim->grid;
	const struct bricks *b = &sim->bricks;
	const f32 to_pascal = (f32)(sim->scene->density * (double)g.h / sim->dt);
	const i32 keep_old = sim->solid_op_count > 0; /* for extrapolate_projected() */

	sim->stats.pressure_iterations = 0;
	sim->stats.pressure_residual = 0.0;
	sim->stats.pressure_solves = sim->stats.pressure_limits = 0;
	if (!clx_zero(cl, &sim->opened, 0, sim->opened.bytes) || !pressure_build_operator(sim) ||
	    !measure_divergence(sim, sim->kick, SCALAR_DIVERGENCE_BEFORE) ||
	    !components_label(sim) || !solve_once(sim, false))
		return false;
	if (sim->scene->solver.separation && !separate(sim))
		return false;
	/* Its memory held the right-hand side. */
	if (!clx_zero(cl, &sim->pressure, 0, sim->pressure.bytes))
		return false;
	if (sim->step_failed)
		return true;
	warn_about_limit(sim);
	if (!ledger_walls(sim) ||
	    !LAUNCH(cl, K_PRESSURE_PROJECT, bricks_columns(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		    ARG(g), ARG(p->mg.levels[0]), BUF(p->solution), BUF(sim->cell_type),
		    BUF(sim->phi), BUF(sim->open_fraction), BUF(sim->opened), ARG(sim->kick),
		    ARG(keep_old), BUF(sim->u_face), BUF(sim->u_old), BUF(sim->delta),
		    BUF(sim->valid), BUF(sim->scalars)) ||
	    !LAUNCH(cl, K_PRESSURE_STORE, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		    ARG(g), ARG(p->mg.levels[0]), BUF(p->solution), BUF(sim->cell_type),
		    ARG(to_pascal), BUF(sim->pressure)) ||
	    !measure_divergence(sim, no_forces, SCALAR_DIVERGENCE_AFTER) ||
	    !stages_read_scalars(sim))
		return false;
	/* Nothing may move further than the band that extrapolation fills. */
	sim->grid_speed = (double)stages_float(sim->host_scalars[SCALAR_GRID_SPEED]);
	if (sim->grid_speed * sim->dt > sim->layers / sim->dim * (double)g.h)
		sim->step_failed = STEP_TOO_FAR;
	if (sim->host_scalars[SCALAR_NON_FINITE])
		sim->step_failed = STEP_GRID_NOT_FINITE;
	return true;
}
