/* The time step: its loop, and what happens when it fails. */
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bodies/bodies.h"
#include "diagnose.h"
#include "failure.h"
#include "forces.h"
#include "frame_time.h"
#include "loops.h"
#include "message.h"
#include "poison.h"
#include "reduce.h"
#include "reserve.h"
#include "step_faults.h"
#include "zero.h"

/* A failed substep is tried again with half the step this often. */
#define MAX_HALVINGS 4

/* What the device does between substeps, as pictures, is accounted to no stage. */
#define OUTSIDE (CLX_MAX_STAGES - 1)

/* Per-step scalars and chunk sums start at zero, but for the solver's; totals over the run stay. */
static bool begin_scalars(struct sim *sim)
{
	union pair_buffer *sums = &sim->lattice.partial;
	const size_t from = (size_t)sim->lattice.sums * REDUCE_PAIR_BYTES;
	return ZERO(sim->cl, ZERO_FIRST(&sim->lattice.scalars, SCALAR_PUSHED * sizeof(u32)),
		    {CLX_AS(u8, sums), from, sums->bytes - from});
}

/* What statistics tells of the state that was reached. */
static enum step_failure judge_statistics(const struct sim *sim)
{
	const struct step_report *r = &sim->stats.report;
	const double sum = r->volume + r->kinetic_energy + r->potential_energy + r->momentum[0] +
			   r->momentum[1] + r->momentum[2];
	if (r->non_finite)
		return sim->lattice.host_scalars[SCALAR_NON_FINITE] == NON_FINITE_GRID
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

static bool run_stage(struct sim *sim, size_t stage)
{
	const struct stage *s = &sim->method->stages[stage];
	struct poison poison = {0};
	if (!sim->poison)
		return s->run(sim);
	bool ok = poison_begin(&poison, sim, stage) && s->run(sim);
	return poison_end(&poison, sim, stage) && ok;
}

static bool run_stages(struct sim *sim, size_t *failed_stage)
{
	const struct stage *stages = sim->method->stages;
	for (size_t s = 0; s < sim->method->stage_count && !sim->step_failed; s++) {
		*failed_stage = s;
		clx_stage(sim->cl, (int)s);
		if (!run_stage(sim, s) || !step_faults_inject(sim, s))
			return message_error("frame %d, substep %d: stage %s failed",
					     sim->frame + 1, sim->substep + 1, stages[s].name);
		if (sim->after_stage && !sim->step_failed &&
		    !sim->after_stage(sim, s, sim->after_stage_user))
			return false;
		if (!watch_stage(sim, s))
			return false;
	}
	/* Whatever failed then failed for that, and no smaller step would help. */
	bool cut = sim->lattice.host_scalars[SCALAR_LOOPS_CUT] != 0;
	if (sim->step_failed && !loops_read(sim->cl, &sim->lattice.scalars, &cut))
		return false;
	if (cut)
		return loops_report(sim->cl);
	if (!sim->step_failed)
		sim->step_failed = judge_statistics(sim);
	return true;
}

/* What a substep changes besides the state of the method. */
struct start {
	u32 totals[SCALAR_COUNT];
	double grid_speed;
	u64 steps;
	u32 retries, interventions[STEP_FAILURES];
	struct ledger ledger;
	size_t id_ranges;
	u32 ids_end;
};

/* An attempt at a substep: from a snapshot that was taken to where it is taken back, once, or
 * counts. */
static bool open_attempt(struct sim *sim)
{
	sim->attempt_open = sim->method->snapshot(sim);
	return sim->attempt_open;
}

static void restore_state(struct sim *sim)
{
	if (sim->attempt_open)
		sim->method->restore(sim);
	bodies_restore(sim);
	sim->attempt_open = false;
}

/* Takes an attempt back: the state, totals, speeds. */
static bool roll_back(struct sim *sim, const struct start *start)
{
	restore_state(sim);
	sim->grid_speed = start->grid_speed;
	sim->retries++;
	sim->interventions[sim->step_failed]++;
	return clx_write(sim->cl, &sim->lattice.scalars, SCALAR_PUSHED * sizeof(u32),
			 (SCALAR_COUNT - SCALAR_PUSHED) * sizeof(u32),
			 start->totals + SCALAR_PUSHED);
}

/* The substep failed for good: the state before it is what counts, and a resumed run must meet the
 * same.  The host's side only; the device may be lost. */
static bool give_up(struct sim *sim, const struct start *start)
{
	restore_state(sim);
	memcpy(sim->lattice.host_scalars, start->totals, sizeof(start->totals));
	sim->grid_speed = start->grid_speed;
	sim->steps = start->steps;
	sim->retries = start->retries;
	memcpy(sim->interventions, start->interventions, sizeof(start->interventions));
	sim->ledger = start->ledger;
	id_ranges_cut(&sim->particles.ids, start->id_ranges, start->ids_end);
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
	message_warning(
		"frame %d, substep %d, t = %g s, stage %s: %s (dt = %g s, max speed %g "
		"m/s%s); trying half the step%s",
		sim->frame + 1, sim->substep + 1, sim->time, sim->method->stages[stage].name,
		sim_failure_text(sim->step_failed), sim->dt, sim->grid_speed, solve,
		sim->step_failed == STEP_TOO_FAR ? "; later cases are counted, not reported" : "");
}

static bool try_substep(struct sim *sim, const struct start *start)
{
	for (sim->halvings = 0;; sim->halvings++) {
		size_t stage = 0;
		sim->step_failed = STEP_FINE;
		memset(&sim->diagnosis, 0, sizeof(sim->diagnosis));
		if (!open_attempt(sim) || !begin_scalars(sim) || !run_stages(sim, &stage))
			return false;
		sim->steps++;
		if (!sim->step_failed)
			return true;
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
	if ((sim->frame_ends && !sim_hash(sim, sim->frame + 1, &stats->hash)) ||
	    !clx_stage_times(sim->cl, stats->ms_stage))
		return false;
	for (size_t s = 0; s < sim->method->stage_count; s++)
		stats->ms_total += stats->ms_stage[s];
	clx_stage(sim->cl, OUTSIDE);
	if (!sim->method->accept(sim))
		return false;
	sim->attempt_open = false;
	return true;
}

bool sim_substep(struct sim *sim)
{
	struct start start = {
		.grid_speed = sim->grid_speed,
		.steps = sim->steps,
		.retries = sim->retries,
		.ledger = sim->ledger,
		.id_ranges = sim->particles.ids.count,
		.ids_end = sim->particles.ids.end,
	};
	memcpy(start.totals, sim->lattice.host_scalars, sizeof(start.totals));
	memcpy(start.interventions, sim->interventions, sizeof(start.interventions));
	memset(&sim->stats, 0, sizeof(sim->stats));
	/* What can fail comes before what counts the substep as done. */
	if (!sim_reserve_for_inflows(sim))
		return false;
	if (!try_substep(sim, &start) || !close_substep(sim))
		return give_up(sim, &start);

	struct step_stats *stats = &sim->stats;
	sim->substep++;
	sim->time = frame_time_substep(sim);
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
	clx_stage(sim->cl, (int)sim->method->stage_count - 1);
	if (!begin_scalars(sim) || !sim->method->measure(sim) ||
	    !sim_hash(sim, sim->frame, &sim->stats.hash))
		return false;
	if (sim->lattice.host_scalars[SCALAR_LOOPS_CUT])
		return loops_report(sim->cl);
	sim->stats.frame = sim->frame;
	sim->stats.time = sim->time;
	sim->stats.frame_end = true;
	if (!clx_stage_times(sim->cl, sim->stats.ms_stage))
		return false;
	clx_stage(sim->cl, OUTSIDE);
	return true;
}

bool sim_hash(struct sim *sim, int frame, u64 *hash)
{
	if (!sim->method->hash(sim, frame, hash))
		return false;
	*hash = bodies_hash(*hash, sim->bodies.next, sim->bodies.count);
	return true;
}
