/* The time step: its stages, its length, and what happens when it fails. */
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "loops.h"
#include "message.h"
#include "pressure.h"
#include "solids.h"
#include "stages.h"
#include "step_faults.h"

/* A failed substep is tried again with half the step this often. */
#define MAX_HALVINGS 4

static bool choose_step(struct sim *sim);

/* clang-format off */
/*
 * One substep from t to t + dt, in the order of docs/method.md.  x, v, C: particle positions,
 * velocities, affine matrices; u: grid velocity on MAC faces.
 */
static const struct stage {
	const char *name;
	bool (*run)(struct sim *sim);
} step_stages[] = {
	{"sort", particles_sort},                 /* x, v, C in cell order; max |v|; t */
	{"timestep", choose_step},                /* dt <= cfl h / (max|u| + sqrt(h |g|)) */
	{"p2g", transfer_p2g},                    /* half of Coriolis' turn; u* = sum w v / sum w; t */
	{"levelset", levelset_update},            /* phi from particle density, cell types; t */
	{"extrapolate_known", extrapolate_known}, /* u* into faces without weight */
	{"forces", forces_apply},                 /* dt g and what the box's motion adds, to be added to u* where it is read */
	{"pressure", pressure_project},           /* div(dt/rho grad p) = div(u* + dt g); u = u* + dt g - dt/rho grad p */
	{"extrapolate", extrapolate_projected},   /* u, delta u beyond the liquid and at solids; t+dt */
	{"g2p", transfer_g2p},                    /* v += delta u(x) (FLIP), v = u(x) (PIC), C (APIC); other half of the turn */
	{"advect", particles_advect},             /* dx/dt = u(x), Runge-Kutta; swept collision; t+dt */
	{"cell_statistics", reduce_cells},        /* volume under phi, particles per cell, while the cell starts are there */
	{"drift", drift_correct},                 /* x += -grad q where rho/rho0 is off */
	{"statistics", reduce_statistics},        /* sums, extrema, non-finite check */
};
/* clang-format on */
#define STAGES (sizeof(step_stages) / sizeof(step_stages[0]))
/* What the device does between substeps, as pictures, is accounted to no stage. */
#define OUTSIDE (CLX_MAX_STAGES - 1)

size_t sim_stage_count(void)
{
	return STAGES;
}

const char *sim_stage_name(size_t stage)
{
	return step_stages[stage].name;
}

static double frame_time(const struct sim *sim, int frame)
{
	return frame / sim->scene->time.fps;
}

/* Substeps that a frame may take before it is said that it will take long. */
#define TINY_STEPS 1e5

/* dt of this substep, from the speeds at its start (docs/method.md, "Time step"). */
static bool choose_step(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	const double h = scene->h;
	if (sim->host_scalars[SCALAR_NON_FINITE])
		return particles_report_non_finite(sim);
	double particle_speed =
		sqrt((double)stages_float(sim->host_scalars[SCALAR_PARTICLE_SPEED]));
	sim->u_max = particle_speed > sim->grid_speed ? particle_speed : sim->grid_speed;
	forces_gravity(sim, sim->time);
	const double g = forces_strength(sim, sim->time, sim->u_max);

	double limit = scene->time.max_dt;
	if (scene->time.dt > 0.0) {
		double per_frame = ceil(1.0 / (scene->time.fps * scene->time.dt) - 1e-6);
		limit = 1.0 / (scene->time.fps * (per_frame < 1.0 ? 1.0 : per_frame));
		const double speed = sim->u_max + sqrt(h * g);
		if (speed * limit > FIXED_DT_CELLS * h)
			limit = FIXED_DT_CELLS * h / speed;
	} else if (sim->u_max + sqrt(h * g) > 0.0) {
		double advective = scene->time.cfl * h / (sim->u_max + sqrt(h * g));
		limit = advective < limit ? advective : limit;
	}
	if (!(scene->time.dt > 0.0))
		limit = forces_longest_step(sim, sim->time, limit);
	/* Half of what failed, wherever the frame ends. */
	if (sim->halvings > 0)
		limit = 0.5 * sim->dt;

	double left = frame_time(sim, sim->frame + 1) - sim->time;
	/* The last steps of a frame share what is left, so that none is tiny. */
	if (left <= limit * (1.0 + 1e-9))
		sim->dt = left;
	else if (left < 2.0 * limit)
		sim->dt = 0.5 * left;
	else
		sim->dt = limit;
	sim->frame_ends = left <= limit * (1.0 + 1e-9);
	if (left > TINY_STEPS * sim->dt && !sim->tiny_warned) {
		sim->tiny_warned = true;
		message_warning(
			"frame %d: with dt = %.3g s the rest of the frame takes %.0f substeps "
			"(greatest speed %.4g m/s, acceleration %.4g m/s^2)",
			sim->frame + 1, sim->dt, left / sim->dt, sim->u_max, g);
	}
	sim->dt_f = (f32)sim->dt;
	return true;
}

/* Per-step scalars start at zero; totals over the run stay. */
static bool begin_scalars(struct sim *sim)
{
	u32 zeros[SCALAR_PUSHED] = {0};
	zeros[SCALAR_MIN_PPC] = 0xffffffffu;
	return clx_write(sim->cl, &sim->scalars, 0, sizeof(zeros), zeros);
}

static const struct {
	const char *name, *text;
} failures[STEP_FAILURES] = {
	[STEP_FINE] = {"", ""},
	[STEP_TOO_FAR] = {"too_far", "the liquid would move too far in one step"},
	[STEP_DIVERGED] = {"pressure_diverged", "the pressure solve diverged"},
	[STEP_UNSOLVED] = {"pressure_unsolved",
			   "the pressure solve ended with a residual above its start (more "
			   "solver.max_iterations, or solver.pressure: mgpcg, would help)"},
	[STEP_GRID_NOT_FINITE] = {"grid_not_finite", "a value on the grid is not finite"},
	[STEP_PARTICLE_NOT_FINITE] = {"particle_not_finite", "a particle is no longer finite"},
	[STEP_SUM_NOT_FINITE] = {"sum_not_finite",
				 "the volume, energy or momentum of the liquid is not finite"},
};

const char *sim_failure_name(enum step_failure failure)
{
	return failures[failure].name;
}

const char *sim_failure_text(enum step_failure failure)
{
	return failures[failure].text;
}

/* What statistics tells of the state that was reached. */
static enum step_failure judge_statistics(const struct sim *sim)
{
	const struct step_report *r = &sim->stats.report;
	const double sum = r->volume + r->kinetic_energy + r->potential_energy + r->momentum[0] +
			   r->momentum[1] + r->momentum[2];
	if (r->non_finite)
		return sim->host_scalars[SCALAR_NON_FINITE] == NON_FINITE_GRID
			       ? STEP_GRID_NOT_FINITE
			       : STEP_PARTICLE_NOT_FINITE;
	return isfinite(sum) ? STEP_FINE : STEP_SUM_NOT_FINITE;
}

/* In debug builds every stage, else those of the last attempt, which is about to fail. */
static bool watch_stage(struct sim *sim, size_t stage)
{
	struct diagnosis *d = &sim->diagnosis;
	if (!sim->watch && sim->halvings < MAX_HALVINGS)
		return true;
	if (!diagnosis_look(sim, stage))
		return false;
	if (sim->watch && !sim->step_failed && d->made_by)
		sim->step_failed =
			d->cell_count > 0 ? STEP_GRID_NOT_FINITE : STEP_PARTICLE_NOT_FINITE;
	return true;
}

static bool run_stages(struct sim *sim, size_t *failed_stage)
{
	for (size_t s = 0; s < STAGES && !sim->step_failed; s++) {
		*failed_stage = s;
		clx_stage(sim->cl, (int)s);
		if (!step_stages[s].run(sim) || !step_faults_inject(sim, s))
			return message_error("frame %d, substep %d: stage %s failed",
					     sim->frame + 1, sim->substep + 1, step_stages[s].name);
		if (sim->after_stage && !sim->step_failed &&
		    !sim->after_stage(sim, s, sim->after_stage_user))
			return false;
		if (!watch_stage(sim, s))
			return false;
	}
	/* Whatever failed then failed for that, and no smaller step would help. */
	bool cut = sim->host_scalars[SCALAR_LOOPS_CUT] != 0;
	if (sim->step_failed && !loops_read(sim, &cut))
		return false;
	if (cut)
		return loops_report(sim);
	if (!sim->step_failed)
		sim->step_failed = judge_statistics(sim);
	return true;
}

/* What a substep changes besides the particles. */
struct start {
	u32 totals[SCALAR_COUNT];
	double grid_speed;
	u64 steps;
	u32 retries, interventions[STEP_FAILURES];
};

/* Takes an attempt back: particles, totals, speeds. */
static bool roll_back(struct sim *sim, const struct start *start)
{
	particles_restore(sim);
	sim->grid_speed = start->grid_speed;
	sim->retries++;
	sim->interventions[sim->step_failed]++;
	return clx_write(sim->cl, &sim->scalars, SCALAR_PUSHED * sizeof(u32),
			 (SCALAR_COUNT - SCALAR_PUSHED) * sizeof(u32),
			 start->totals + SCALAR_PUSHED);
}

/* The substep failed for good: the state before it is what counts, and a resumed run must meet the
 * same.  The host's side only; the device may be lost. */
static bool give_up(struct sim *sim, const struct start *start)
{
	particles_restore(sim);
	memcpy(sim->host_scalars, start->totals, sizeof(start->totals));
	sim->grid_speed = start->grid_speed;
	sim->steps = start->steps;
	sim->retries = start->retries;
	memcpy(sim->interventions, start->interventions, sizeof(start->interventions));
	return false;
}

/* Says that the attempt is taken back.  A smaller step for a sudden speed is business as usual: the
 * first is told, all are counted. */
static void warn_of_retry(const struct sim *sim, size_t stage)
{
	const struct step_stats *stats = &sim->stats;
	char solve[96] = "";
	if (sim->step_failed == STEP_TOO_FAR && sim->interventions[STEP_TOO_FAR] > 0)
		return;
	if (sim->step_failed == STEP_UNSOLVED)
		snprintf(solve, sizeof(solve), "; relative residual %.3g after %d iterations",
			 stats->pressure_residual, stats->pressure_iterations);
	message_warning("frame %d, substep %d, t = %g s, stage %s: %s (dt = %g s, max speed %g "
			"m/s%s); trying half the step%s",
			sim->frame + 1, sim->substep + 1, sim->time, sim_stage_name(stage),
			sim_failure_text(sim->step_failed), sim->dt, sim->grid_speed, solve,
			sim->step_failed == STEP_TOO_FAR ? "; later cases are counted, not reported"
							 : "");
}

static bool try_substep(struct sim *sim, const struct start *start)
{
	for (sim->halvings = 0;; sim->halvings++) {
		size_t stage = 0;
		sim->step_failed = STEP_FINE;
		sim->particles.sorted = false;
		memset(&sim->diagnosis, 0, sizeof(sim->diagnosis));
		if (!begin_scalars(sim) || !run_stages(sim, &stage))
			return false;
		sim->steps++;
		if (!sim->step_failed) {
			bricks_settle(sim);
			return true;
		}
		const bool last = sim->halvings == MAX_HALVINGS;
		if (!last)
			warn_of_retry(sim, stage);
		if ((last && !diagnosis_conclude(sim, stage)) || !roll_back(sim, start))
			return false;
		if (last) {
			diagnosis_report(sim);
			return false;
		}
	}
}

/* The hash of a frame that is reached, and the times of the stages. */
static bool close_substep(struct sim *sim)
{
	struct step_stats *stats = &sim->stats;
	if ((sim->frame_ends && !reduce_hash(sim, sim->frame + 1, &stats->hash)) ||
	    !clx_stage_times(sim->cl, stats->ms_stage))
		return false;
	for (size_t s = 0; s < STAGES; s++)
		stats->ms_total += stats->ms_stage[s];
	clx_stage(sim->cl, OUTSIDE);
	return ledger_close_substep(sim);
}

bool sim_substep(struct sim *sim)
{
	struct start start = {
		.grid_speed = sim->grid_speed, .steps = sim->steps, .retries = sim->retries};
	memcpy(start.totals, sim->host_scalars, sizeof(start.totals));
	memcpy(start.interventions, sim->interventions, sizeof(start.interventions));
	memset(&sim->stats, 0, sizeof(sim->stats));
	/* What can fail comes before what counts the substep as done. */
	if (!try_substep(sim, &start) || !close_substep(sim))
		return give_up(sim, &start);

	struct step_stats *stats = &sim->stats;
	sim->substep++;
	sim->time = sim->frame_ends ? frame_time(sim, sim->frame + 1) : sim->time + sim->dt;
	stats->frame = sim->frame + 1;
	stats->substep = sim->substep;
	stats->time = sim->time;
	stats->dt = sim->dt;
	stats->retries = sim->retries;
	stats->frame_end = sim->frame_ends;
	if (sim->frame_ends) {
		sim->frame++;
		sim->substep = 0;
	}
	return true;
}

bool sim_measure(struct sim *sim)
{
	memset(&sim->stats, 0, sizeof(sim->stats));
	forces_gravity(sim, sim->time);
	clx_stage(sim->cl, (int)STAGES - 1);
	if (!begin_scalars(sim) || !particles_sort(sim))
		return false;
	if (sim->host_scalars[SCALAR_NON_FINITE])
		return particles_report_non_finite(sim);
	if (!levelset_update(sim) || !pressure_build_operator(sim) || !components_label(sim) ||
	    !reduce_cells(sim) || !solids_forget_grid(sim) || !reduce_statistics(sim) ||
	    !reduce_hash(sim, sim->frame, &sim->stats.hash) || !ledger_measured(sim))
		return false;
	if (sim->host_scalars[SCALAR_LOOPS_CUT])
		return loops_report(sim);
	sim->stats.frame = sim->frame;
	sim->stats.time = sim->time;
	sim->stats.frame_end = true;
	if (!clx_stage_times(sim->cl, sim->stats.ms_stage))
		return false;
	clx_stage(sim->cl, OUTSIDE);
	return true;
}
