#include "end_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "box_motion.h"
#include "ledger.h"

#define VERDICT 128

static const char *judge_ledger(const struct ledger *l, char verdict[VERDICT])
{
	if (l->imbalances == 0)
		return "balanced after every substep";
	snprintf(verdict, VERDICT,
		 "OUT OF BALANCE after %" PRIu32 " substeps, first frame %d, substep %d",
		 l->imbalances, l->bad_frame, l->bad_substep);
	return verdict;
}

/* Of liquid on the grid. */
static bool print_units(struct run *run)
{
	char verdict[VERDICT];
	if (run->scene->grid_surface == GRID_SURFACE_LEVELSET)
		return report_line(&run->report,
				   "volume: %" PRId64
				   " units, 2^-30 of a cell, at the end; a level "
				   "set keeps none, its error is that since the start",
				   run->sim->vof.units);
	return report_line(&run->report,
			   "ledger: %" PRId64 " units of volume, 2^-30 of a cell, at the end; %s",
			   run->sim->vof.units, judge_ledger(&run->sim->ledger, verdict));
}

static bool print_particles(struct run *run)
{
	const struct ledger *l = &run->sim->ledger;
	const struct step_stats *last = &run->summary.last;
	char verdict[VERDICT];
	char entered[40] = "", emitted[40] = "", back[40] = "", drained[40] = "", flown[40] = "";
	const u32 inflows = l->entered - l->entered_outflows - l->entered_emitters;
	if (last->report.flown > 0)
		snprintf(flown, sizeof(flown), " + %" PRIu32 " by outflows", last->report.flown);
	if (last->report.drained > 0)
		snprintf(drained, sizeof(drained), " + %" PRIu32 " by drains",
			 last->report.drained);
	if (inflows > 0)
		snprintf(entered, sizeof(entered), ", %" PRIu32 " by inflows", inflows);
	if (l->entered_outflows > 0)
		snprintf(back, sizeof(back), ", %" PRIu32 " by outflows", l->entered_outflows);
	if (l->entered_emitters > 0)
		snprintf(emitted, sizeof(emitted), ", %" PRIu32 " by emitters",
			 l->entered_emitters);
	return report_line(
		&run->report,
		"ledger: %" PRIu32 " created (%" PRIu32 " seeded, %" PRIu32
		" loaded%s%s%s) = %" PRIu32 " alive + %" PRIu32 " removed (open walls)%s%s; %s",
		ledger_created(l), l->seeded, l->loaded, entered, back, emitted, last->particles,
		last->report.removed_open, drained, flown, judge_ledger(l, verdict));
}

static bool print_energy(struct run *run)
{
	const struct ledger_accounts *a = &run->sim->ledger.accounts;
	char removed[64] = "", entered[64] = "", forces[64] = "", solids[64] = "",
	     friction[64] = "";
	if (run->scene->force_count > 0)
		snprintf(forces, sizeof(forces), " %+.4g J by force fields", a->total.force_work);
	if (run->sim->solids.moving)
		snprintf(solids, sizeof(solids), " %+.4g J by solids", a->total.solid_work);
	if (run->sim->friction.on)
		snprintf(friction, sizeof(friction), " %+.4g J by friction",
			 a->total.friction_work);
	if (a->total.kinetic_entered > 0.0)
		snprintf(entered, sizeof(entered), " +%.4g J with particles that came in",
			 a->total.kinetic_entered);
	if (a->total.kinetic_removed > 0.0)
		snprintf(removed, sizeof(removed), " -%.4g J with particles removed",
			 a->total.kinetic_removed);
	return report_line(
		&run->report,
		"kinetic energy: %.4g J = %.4g J at the start %+.4g J by gravity%s%s%s%s "
		"%+.4g J by the method%s%s%s",
		a->now.kinetic, a->start.kinetic, a->total.gravity_work,
		run->scene->motion.given ? " and the box's motion" : "", forces, solids, friction,
		a->total.kinetic_rest,
		/* docs/method.md#ledger: work is that at the centre of mass */
		box_motion_turns(&run->scene->motion)
			? " and by the box's turning about the liquid's centre"
			: "",
		entered, removed);
}

static bool print_interventions(struct run *run)
{
	const struct sim *sim = run->sim;
	char text[512];
	size_t length = 0;
	for (int cause = 1; cause < STEP_FAILURES; cause++)
		if (sim->interventions[cause] > 0)
			length += (size_t)snprintf(text + length, sizeof(text) - length,
						   "%s%s %" PRIu32, length ? ", " : "",
						   sim_failure_name((enum step_failure)cause),
						   sim->interventions[cause]);
	return length == 0 ||
	       report_line(&run->report, "substeps repeated with half the step: %" PRIu32 " (%s)",
			   sim->retries, text);
}

static bool print_kernels(struct run *run)
{
	struct clx_kernel_time times[CLX_MAX_TIMES];
	size_t count = run->options->profile ? clx_kernel_times(run->cl, times, CLX_MAX_TIMES) : 0;
	bool ok = count == 0 || report_line(&run->report, "%-32s %10s %12s %12s", "kernel",
					    "launches", "total ms", "longest ms");
	for (size_t i = 0; i < count && ok; i++)
		if (times[i].launches > 0)
			ok = report_line(&run->report, "%-32s %10" PRIu64 " %12.3f %12.3f",
					 times[i].name, times[i].launches, times[i].total_ms,
					 times[i].longest_ms);
	return ok;
}

static const char *solver_of(const struct scene *scene)
{
	if (!scene->method || strcmp(scene->method, "sph") != 0)
		return scene_solver_name(scene->solver.pressure);
	return scene->sph.solver == SPH_SOLVER_WCSPH ? "an equation of state" : "projection";
}

static bool print_solves(struct run *run)
{
	const struct summary *s = &run->summary;
	return report_line(&run->report,
			   "pressure by %s: %.1f iterations per substep on average, %d at most; "
			   "%" PRIu32 " %s",
			   solver_of(run->scene), summary_iterations_mean(s), s->iterations_most,
			   s->last.retries, s->last.retries == 1 ? "retry" : "retries") &&
	       report_line(&run->report,
			   "solves that ended above their tolerance: %" PRIu64 " of %" PRIu64
			   " for pressure, %" PRIu64 " of %" PRIu64 " for drift",
			   s->limit_hits, s->solves, s->drift_limit_hits, s->drift_solves);
}

static bool print_particle_totals(struct run *run)
{
	const struct summary *s = &run->summary;
	const struct step_report *r = &s->last.report;
	char repositioned[40] = "";
	if (run->scene->solver.reposition)
		snprintf(repositioned, sizeof(repositioned), ", %" PRIu32 " repositioned",
			 r->repositioned);
	return report_line(&run->report,
			   "particles: %" PRIu32 " at the start, %" PRIu32 " at the end; %" PRIu32
			   " removed, %" PRIu32 " pushed, %" PRIu32 " escaped%s",
			   s->first.particles, s->last.particles,
			   r->removed_open + r->drained + r->flown, r->pushed, r->escaped,
			   repositioned);
}

static bool print_volume(struct run *run)
{
	const struct summary *s = &run->summary;
	char where[48] = "", error[48] = "none at the end, as no liquid is left";
	/* Errors within a frame are not among those that the worst is taken of. */
	if (run->sim->substep > 0)
		snprintf(where, sizeof(where), ", within frame %d", s->last.frame);
	if (s->last.particles > 0 || !sim_has(run->scene, PART_PARTICLES))
		snprintf(error, sizeof(error), "%+.2f %% at the end", 1e2 * s->last.volume_error);
	return report_line(&run->report,
			   "volume error: %s%s; worst of whole frames %+.2f %% (frame %d)", error,
			   where, 1e2 * s->volume_error_worst, s->volume_error_frame);
}

/* Of the parts that the method has. */
static bool print_totals(struct run *run)
{
	const bool particles = sim_has(run->scene, PART_PARTICLES);
	const bool volume = sim_has(run->scene, PART_VOLUME);
	return (!particles || print_particle_totals(run)) && (!volume || print_volume(run)) &&
	       (!particles || (print_particles(run) && print_energy(run))) &&
	       (particles || !volume || print_units(run)) && print_interventions(run) &&
	       (!sim_has(run->scene, PART_SOLVER) || print_solves(run));
}

/* A volume that is off by more, as a share, is no matter of resolution. */
#define VOLUME_LOST 0.05

/* What the numbers mean for whoever goes on with the results, and what would help. */
static bool print_attention(struct run *run)
{
	const struct summary *s = &run->summary;
	const double error = s->last.volume_error;
	const bool holds = s->last.particles > 0 || !sim_has(run->scene, PART_PARTICLES);
	bool ok = true;
	if (run->sim->ledger.imbalances > 0 && !sim_has(run->scene, PART_PARTICLES))
		ok = report_line(&run->report,
				 "ATTENTION: the ledger is out of balance; volume was lost or made "
				 "by a fault of the program or the device");
	if (ok && sim_has(run->scene, PART_VOLUME) && holds && fabs(error) > VOLUME_LOST)
		ok = report_line(
			&run->report,
			"ATTENTION: %.0f %% of the liquid's volume %s; the results are not "
			"those of this liquid",
			1e2 * fabs(error), error < 0.0 ? "is lost" : "is too much");
	if (sim_has(run->scene, PART_SOLVER) && 2 * s->limit_hits > s->solves)
		ok = ok && report_line(&run->report,
				       "ATTENTION: most pressure solves, %" PRIu64 " of %" PRIu64
				       ", ended above their tolerance: %s",
				       s->limit_hits, s->solves,
				       run->scene->solver.pressure == SOLVER_MGPCG
					       ? "raise solver.max_iterations or solver.tolerance"
					       : "choose solver.pressure: mgpcg, or raise "
						 "solver.max_iterations");
	return ok;
}

/* Whoever looks for pictures is told how to get some. */
static bool print_pictures(struct run *run)
{
	const struct scene *scene = run->scene;
	if (scene->output.png || run->status == RUN_FAILED || !sim_has(scene, PART_PARTICLES))
		return true;
	if (scene->output.particles_every > 0)
		return report_line(&run->report,
				   "pictures: none, as the scene has no output.png; 'freshet "
				   "render %s' draws them from the particle files",
				   run->directory.path);
	return report_line(&run->report,
			   "pictures: none, as the scene has no output.png; a run with --set "
			   "output.png={} draws them, one with --set output.particles={} leaves "
			   "files that 'freshet render' draws them from");
}

bool end_report_print(struct run *run)
{
	const struct summary *s = &run->summary;
	size_t frames = s->frame_count;
	if (frames == 0)
		return true; /* failed before there was anything to tell */
	char number[SUMMARY_NUMBER], speed[128] = "";
	const char *what = run->status == RUN_FINISHED	    ? "finished"
			   : run->status == RUN_INTERRUPTED ? "interrupted"
							    : "failed";
	if (s->substeps_timed > 0)
		snprintf(speed, sizeof(speed),
			 " (%s ms per substep, the first left out; %.1f s for start, pictures and "
			 "files)",
			 summary_milliseconds(summary_ms_per_substep(s), number),
			 summary_outside(s, run->seconds));
	return report_line(&run->report,
			   "%s: frames 0 to %zu of %d, %" PRIu64 " substeps in %.1f s%s", what,
			   frames - 1, run->scene->time.frames, s->substeps, run->seconds, speed) &&
	       print_totals(run) && print_kernels(run) && print_attention(run) &&
	       print_pictures(run) && report_line(&run->report, "output: %s", run->directory.path);
}
