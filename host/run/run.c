#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "data_files.h"
#include "fault.h"
#include "run_accounts.h"
#include "run_json.h"
#include "signals.h"
#include "tables.h"

static bool print_header(struct run *run)
{
	const struct scene *scene = run->scene;
	const struct clx_device_info *info = clx_info(run->cl);
	char cells[64];
	int length = snprintf(cells, sizeof(cells), "%d x %d", scene->cells[0], scene->cells[1]);
	if (scene->dim == 3)
		snprintf(cells + length, sizeof(cells) - (size_t)length, " x %d", scene->cells[2]);
	return report_line(&run->report, "%s: %s cells of %.4g m, %" PRIu32 " particles",
			   scene->name, cells, scene->h, run->sim->particles.count) &&
	       report_line(&run->report, "device %u:%u %s (%s), %s splat, %.0f MiB",
			   info->platform_index, info->device_index, info->name, info->platform,
			   run_json_splat_name(clx_splat_path(run->cl)),
			   (double)clx_memory_in_use(run->cl) / 1048576.0) &&
	       report_line(&run->report, "output in %s", run->output.directory) &&
	       (!run->resume.found ||
		report_line(&run->report, "resumed at frame %d%s", run->resume.from.frame,
			    run->resume.from.substep > 0 ? ", on the way to the next" : ""));
}

/* ---- the frame loop --------------------------------------------------------------------- */

/* Writes all that belongs to the frame that has just been reached. */
static bool finish_frame(struct run *run, double frame_start)
{
	const struct scene *scene = run->scene;
	char text[SUMMARY_LINE];
	if (!output_check(&run->output))
		return false;
	if (!picture_output_frame(&run->pictures, run->sim) ||
	    !mesh_output_frame(&run->mesh, run->sim) ||
	    (run->data && !data_files_write(run->data, run->sim)))
		return false;
	if (run->probes.path &&
	    !(probes_write_row(&run->probes, run->sim) && append_file_flush(&run->probes)))
		return false;
	return append_file_flush(&run->stats) &&
	       summary_add_frame(&run->summary, report_clock() - frame_start) &&
	       report_frame(&run->report, summary_line(&run->summary, scene, text));
}

static void account(struct run *run, const struct step_stats *stats, double seconds)
{
	summary_add_substep(&run->summary, stats, seconds);
	if (run->stats.path)
		stats_write_row(&run->stats, stats);
}

static bool write_frame_0(struct run *run)
{
	struct step_stats stats = run->sim->stats;
	stats.frame_end = true;
	account(run, &stats, 0.0);
	return finish_frame(run, report_clock());
}

/* The first substep compiles most kernels, which may take long on some devices: until it is done a
 * signal ends the program at once, with a run.json that says so. */
struct early_end {
	struct file_replacement json;
	const char *lock_path;
};

static void end_early(const void *user)
{
	const struct early_end *end = user;
	file_replacement_do(&end->json);
	unlink(end->lock_path);
}

static bool first_substep(struct run *run)
{
	struct early_end end = {.lock_path = run->output.lock_path};
	size_t length;
	run->status = RUN_INTERRUPTED;
	char *text = run_json_text(run, &length);
	run->status = RUN_RUNNING;
	bool ok = text && file_replacement_prepare(&end.json, run->output.directory, RUN_JSON_NAME,
						   text, length);
	if (ok) {
		report_wait(&run->report, "compiling kernels: up to a minute the first time");
		signals_end_at_once(end_early, &end);
		ok = sim_substep(run->sim);
		signals_note();
	}
	file_replacement_free(&end.json);
	free(text);
	return ok;
}

static bool run_frames(struct run *run)
{
	char text[SUMMARY_LINE];
	double frame_start = report_clock();
	while (run->sim->frame < run->scene->time.frames && !signals_noted()) {
		double start = report_clock();
		run->step_failed = !(run->stepped ? sim_substep(run->sim) : first_substep(run));
		run->stepped = true;
		if (run->step_failed)
			return false;
		account(run, &run->sim->stats, report_clock() - start);
		if (!run->sim->stats.frame_end) {
			report_status(&run->report, summary_line(&run->summary, run->scene, text));
		} else {
			if (!finish_frame(run, frame_start))
				return false;
			frame_start = report_clock();
		}
		if (!resume_checkpoint_if_due(run))
			return false;
	}
	return true;
}

/* ---- the end ---------------------------------------------------------------------------- */

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

static bool print_totals(struct run *run)
{
	const struct summary *s = &run->summary;
	const struct step_report *r = &s->last.report;
	struct report *report = &run->report;
	char where[48] = "", error[48] = "none at the end, as no liquid is left";
	/* Errors within a frame are not among those that the worst is taken of. */
	if (run->sim->substep > 0)
		snprintf(where, sizeof(where), ", within frame %d", s->last.frame);
	if (s->last.particles > 0)
		snprintf(error, sizeof(error), "%+.2f %% at the end", 1e2 * s->last.volume_error);
	return report_line(report,
			   "particles: %" PRIu32 " at the start, %" PRIu32 " at the end; %" PRIu32
			   " removed, %" PRIu32 " pushed, %" PRIu32 " escaped",
			   s->first.particles, s->last.particles, r->removed_open, r->pushed,
			   r->escaped) &&
	       report_line(report, "volume error: %s%s; worst of whole frames %+.2f %% (frame %d)",
			   error, where, 1e2 * s->volume_error_worst, s->volume_error_frame) &&
	       run_accounts_print(run) &&
	       report_line(report,
			   "pressure by %s: %.1f iterations per substep on average, %d at most; "
			   "%" PRIu32 " %s",
			   scene_solver_name(run->scene->solver.pressure),
			   summary_iterations_mean(s), s->iterations_most, s->last.retries,
			   s->last.retries == 1 ? "retry" : "retries") &&
	       report_line(report,
			   "solves that ended above their tolerance: %" PRIu64 " of %" PRIu64
			   " for pressure, %" PRIu64 " of %" PRIu64 " for drift",
			   s->limit_hits, s->solves, s->drift_limit_hits, s->drift_solves);
}

static bool print_end(struct run *run)
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
	       print_totals(run) && print_kernels(run) &&
	       report_line(&run->report, "output: %s", run->output.directory);
}

/* Makes every file whole.  The status is final only when this has succeeded. */
static bool close_files(struct run *run)
{
	bool ok = picture_output_close(&run->pictures);
	ok = mesh_output_close(&run->mesh) && ok;
	ok = data_files_finish(run->data) && ok;
	run->data = NULL;
	ok = append_file_close(&run->stats) && ok;
	return append_file_close(&run->probes) && ok;
}

static enum exit_code end(struct run *run, bool ok)
{
	/* What can go on leaves a checkpoint: the state is good, and all before it is written. */
	const bool stopped = ok && run->sim->frame < run->scene->time.frames;
	if (stopped || (run->step_failed && run->summary.frame_count > 0))
		ok = resume_leave_checkpoint(run) && ok;
	ok = close_files(run) && ok;
	run->status = !ok					  ? RUN_FAILED
		      : run->sim->frame < run->scene->time.frames ? RUN_INTERRUPTED
								  : RUN_FINISHED;
	run->seconds = report_clock() - run->start_clock;
	/* The log is on the disk before run.json says how it ended. */
	if ((!print_end(run) || !report_sync(&run->report)) && ok) {
		ok = false;
		run->status = RUN_FAILED;
	}
	/* Nothing is written into a directory that took the place of ours. */
	if (!output_present(&run->output)) {
		ok = false;
	} else if (!run_json_write(run)) {
		run_json_mark_failed(run);
		ok = false;
	}
	if (!ok)
		return CODE_FAILED;
	return run->status == RUN_INTERRUPTED ? (enum exit_code)(CODE_SIGNAL + signals_noted())
					      : CODE_DONE;
}

static void note_start(struct run *run)
{
	time_t now = time(NULL);
	struct tm utc;
	run->start_clock = report_clock();
	if (gmtime_r(&now, &utc))
		strftime(run->started, sizeof(run->started), "%Y-%m-%dT%H:%M:%SZ", &utc);
}

enum exit_code run_scene(const struct run_options *options)
{
	struct run run = {.options = options, .output = {.lock = -1}};
	signals_install();
	if (!report_open(&run.report, options->quiet))
		return CODE_FAILED;
	note_start(&run);
	signals_end_at_once(NULL, NULL);
	enum exit_code code = run_start(&run);
	signals_note();
	if (code == CODE_DONE) {
		run.start_up_seconds = report_clock() - run.start_clock;
		run.resume.written_at = report_clock();
		run.start_clock -= run.resume.from.seconds;
		if (run_open_files(&run)) {
			bool ok = print_header(&run) && run_json_write(&run) &&
				  (run.resume.found || write_frame_0(&run)) && run_frames(&run);
			code = end(&run, ok);
		} else {
			code = run.resume.found ? end(&run, false) : run_take_back(&run);
		}
	} else {
		output_discard(&run.output);
	}

	run_free_simulation(&run);
	clx_close(run.cl);
	output_close(&run.output);
	scene_free(run.scene);
	summary_free(&run.summary);
	resume_free(&run.resume);
	if (!report_close(&run.report) && code == CODE_DONE)
		code = CODE_FAILED;
	if (!options->quiet)
		fault_check_came();
	return code;
}
