#include "pressure.h"

#include <math.h>

#include "bits.h"
#include "bodies/bodies.h"
#include "components.h"
#include "drift.h"
#include "extrapolate.h"
#include "fault.h"
#include "forces.h"
#include "forces/force_fields.h"
#include "forces/friction.h"
#include "grid/vof.h"
#include "ledger.h"
#include "message.h"
#include "mg_state.h"
#include "moving/loads.h"
#include "moving/motion.h"
#include "sources/outflows.h"
#include "zero.h"

/* Rounds of the active set of walls that let go. */
#define SEPARATION_ROUNDS 4
/* Flips need a pull above this share of the largest flux, so that rounding does not flip faces. */
#define SEPARATION_THRESHOLD 1e-3

/* What comes in through closed faces, for kernels that take it. */
#define FLOW(sim) .flow = &(sim)->flow, .has_flow = I32(motion_has_flow(sim))

static bool build_rhs(struct sim *sim)
{
	struct poisson *p = &sim->poisson;
	const struct grid g = sim->lattice.grid;
	return poisson_begin(p, POISSON_PRESSURE) &&
	       LAUNCH(sim->cl, pressure_rhs, bricks_level(p->mg.bricks, 0), MG_LIST(&p->mg, 0),
		      .g = &g, .level = &p->mg.levels[0], .cell_type = &sim->cell_type,
		      .phi = &sim->phi, .open_fraction = &sim->solids.open_fraction,
		      .opened = &sim->opened, VELOCITY_VIEW(forces_velocity(sim)), FLOW(sim),
		      .b = &p->rhs) &&
	       drift_add_divergence(sim) && vof_add_divergence(sim) && bodies_add_divergence(sim);
}

/* Over a list that has all liquid cells. */
static bool measure_divergence(struct sim *sim, const struct velocity_view velocity,
			       enum brick_list list, i32 which)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	return LAUNCH(sim->cl, pressure_max_divergence, bricks_columns(sim->cl, b, list),
		      BRICKS(b, list), .g = &g, .cell_type = &sim->cell_type, .phi = &sim->phi,
		      .open_fraction = &sim->solids.open_fraction, .opened = &sim->opened,
		      VELOCITY_VIEW(velocity), FLOW(sim), .scalars = &sim->lattice.scalars,
		      .which = I32(which));
}

/* Lets walls go that pull, closes those that let liquid in; always: whatever the solver's state. */
static bool separate(struct sim *sim, i32 always)
{
	struct poisson *p = &sim->poisson;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const f32 threshold =
		(f32)(SEPARATION_THRESHOLD *
		      (double)float_from_bits(sim->lattice.host_scalars[SCALAR_DIVERGENCE_BEFORE]));
	return LAUNCH(sim->cl, pressure_separate, bricks_columns(sim->cl, b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .level = &p->mg.levels[0], .q = &p->solution,
		      .cell_type = &sim->cell_type, .open_fraction = &sim->solids.open_fraction,
		      .sealed = &p->component, .threshold = F32(threshold),
		      VELOCITY_VIEW(forces_velocity(sim)), FLOW(sim), .opened = &sim->opened,
		      .always = I32(always), .state = &p->mg.state);
}

static bool separate_at_end(void *sim)
{
	return separate(sim, 0);
}

/* Solves; where walls may let go then, *changes tells how many did, which takes no wait of its own.
 */
static bool solve_once(struct sim *sim, bool warm, u32 *changes)
{
	struct step_stats *stats = &sim->stats;
	const struct solver_settings *settings = &sim->scene->solver;
	struct poisson *p = &sim->poisson;
	struct poisson_result result = {0};
	/* Bodies' faces have to be told first. */
	p->follow = changes && sim->bodies.count == 0 ? separate_at_end : NULL;
	p->follow_user = sim;
	if (!build_rhs(sim) ||
	    !poisson_solve(p, warm, settings->tolerance, settings->max_iterations, &result))
		return false;
	if (!result.failed && !bodies_take(sim))
		return false;
	if (changes && result.followed)
		*changes = result.changes;
	else if (changes &&
		 (!clx_zero(sim->cl, &p->mg.state, MG_CHANGES * sizeof(u32), sizeof(u32)) ||
		  !separate(sim, 1) ||
		  !clx_read(sim->cl, &p->mg.state, MG_CHANGES * sizeof(u32), sizeof(u32), changes)))
		return false;
	stats->pressure_iterations += result.iterations;
	stats->pressure_residual = result.residual;
	stats->pressure_solves++;
	if (!result.reached) {
		stats->pressure_limits++;
		sim->limit_residual = result.residual;
		sim->limit_stalled = sim->poisson.stalled;
	}
	/* Once in an attempt, whatever separation does. */
	if (stats->pressure_solves == 1 && fault_is_due(FAULT_SOLVER)) {
		result.failed = true;
		stats->pressure_residual = (double)NAN;
	}
	if (result.failed)
		sim->step_failed =
			isfinite(stats->pressure_residual) ? STEP_UNSOLVED : STEP_DIVERGED;
	return true;
}

/* Solves; where walls would pull they let go, and contacts of bodies change, and it solves again,
 * until nothing changes: from the last solution, which halves the iterations of a substep. */
static bool solve_with_walls(struct sim *sim)
{
	const int rounds = sim->scene->solver.separation ? SEPARATION_ROUNDS : 0;
	u32 changes = 0;
	if (!bodies_deflate(sim, false) || !solve_once(sim, false, rounds > 0 ? &changes : NULL))
		return false;
	for (int round = 1; (changes > 0 || sim->bodies.again) && !sim->step_failed; round++) {
		const bool opened = changes > 0;
		changes = 0;
		if ((opened &&
		     (!poisson_update_operator(&sim->poisson) || !bodies_deflate(sim, true))) ||
		    !solve_once(sim, true, round < rounds ? &changes : NULL))
			return false;
	}
	return true;
}

static void warn_about_limit(struct sim *sim)
{
	if (sim->stats.pressure_limits == 0 || sim->limit_warned)
		return;
	sim->limit_warned = true;
	message_warning("frame %d, substep %d: the pressure solve stopped above the tolerance of "
			"%.2g (%d of %d solves, %d iterations together; the last one ended at a "
			"relative residual of %.2g, %s); later cases are counted, not reported",
			sim->frame + 1, sim->substep + 1, sim->scene->solver.tolerance,
			sim->stats.pressure_limits, sim->stats.pressure_solves,
			sim->stats.pressure_iterations, sim->limit_residual,
			sim->limit_stalled ? "as no further step lowered it"
					   : "its iterations used up");
}

bool pressure_project(struct sim *sim)
{
	/* The forces are in it. */
	static const struct kick none;
	const struct velocity_view projected = {&sim->u_face, &none};
	struct clx *cl = sim->cl;
	struct poisson *p = &sim->poisson;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const f32 to_pascal = (f32)(sim->scene->density * (double)g.h / sim->dt);
	const i32 keep_old = sim->solids.op_count > 0; /* for extrapolate_projected() */

	sim->stats.pressure_iterations = 0;
	sim->stats.pressure_residual = 0.0;
	sim->stats.pressure_solves = sim->stats.pressure_limits = 0;
	/* One read tells of all three. */
	if (!poisson_list_unknowns(p, &sim->opened) ||
	    !measure_divergence(sim, forces_velocity(sim), BRICKS_BAND, SCALAR_DIVERGENCE_BEFORE) ||
	    !components_set_up(p) || !loads_find_squeezed(sim) || !solve_with_walls(sim))
		return false;
	/* Its memory held the right-hand side. */
	if (!ZERO(cl, ZERO_ALL(&sim->pressure)))
		return false;
	if (sim->step_failed)
		return true;
	warn_about_limit(sim);
	if (!ledger_walls(sim) || !loads_sum(sim) ||
	    !LAUNCH(cl, pressure_project, bricks_columns(cl, b, BRICKS_BAND),
		    BRICKS(b, BRICKS_BAND), .g = &g, .level = &p->mg.levels[0], .q = &p->solution,
		    .cell_type = &sim->cell_type, .phi = &sim->phi,
		    .open_fraction = &sim->solids.open_fraction, .opened = &sim->opened,
		    VELOCITY_VIEW(forces_velocity(sim)), FLOW(sim), .keep_old = I32(keep_old),
		    .u_old = &sim->u_old, .delta = &sim->delta, .valid = &sim->valid,
		    .scalars = &sim->lattice.scalars) ||
	    !force_fields_include(sim) || !friction_include(sim) || !outflows_include(sim) ||
	    !LAUNCH(cl, pressure_store, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		    .g = &g, .level = &p->mg.levels[0], .q = &p->solution,
		    .cell_type = &sim->cell_type, .to_pascal = F32(to_pascal),
		    .pressure = &sim->pressure) ||
	    !measure_divergence(sim, projected, BRICKS_LEVEL, SCALAR_DIVERGENCE_AFTER) ||
	    !lattice_read_scalars(&sim->lattice))
		return false;
	/* Nothing may move further than the band that extrapolation fills, no body either. */
	sim->grid_speed = (double)float_from_bits(sim->lattice.host_scalars[SCALAR_GRID_SPEED]);
	const double band = sim->layers / sim->dim * (double)g.h;
	if (sim->grid_speed * sim->dt > band || bodies_farthest(sim) > band)
		sim->step_failed = STEP_TOO_FAR;
	if (sim->lattice.host_scalars[SCALAR_NON_FINITE])
		sim->step_failed = STEP_GRID_NOT_FINITE;
	return true;
}
