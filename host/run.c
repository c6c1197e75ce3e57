#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data_files.h"
#include "fault.h"
#include "run_accounts.h"
#include "run_json.h"
#include "signals.h"
#include "tables.h"

/* ---- start-up --------------------------------------------------------------------------- */

static void abandon_output(const void *user)
{
	output_abandon(user);
}

/* Takes the output directory before anything costly, so that a bad one is told at once. */
static enum exit_code open_output(struct run *run)
{
	char named[OUTPUT_NAME_BYTES + 1];
	const char *directory = run->options->directory;
	if (!directory) {
		output_clean_name(run->scene->name, named);
		directory = named;
	}
	signals_note(); /* what is being created must be known before it can be undone */
	enum output_result result = output_open(&run->output, directory,
						run->options->overwrite || run->options->resume);
	if (result == OUTPUT_READY)
		signals_end_at_once(abandon_output, &run->output);
	return result == OUTPUT_READY	   ? CODE_DONE
	       : result == OUTPUT_OCCUPIED ? CODE_REFUSED
					   : CODE_FAILED;
}

static bool create_simulation(struct run *run)
{
	run->sim = sim_create(run->scene, run->cl);
	return run->sim && mesh_output_init(&run->mesh, run->sim) &&
	       picture_output_init(&run->pictures, run->sim);
}

static void free_simulation(struct run *run)
{
	picture_output_finish(&run->pictures);
	mesh_output_finish(&run->mesh, run->cl);
	sim_destroy(run->sim);
	run->sim = NULL;
}

static enum exit_code start(struct run *run)
{
	const struct run_options *options = run->options;
	bool named_missing = false;
	run->scene = scene_read(options->scene, options->sets, options->set_count);
	if (!run->scene)
		return errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
	if (!resume_check_environment(&run->resume))
		return CODE_REFUSED;
	enum exit_code code = open_output(run);
	if (code != CODE_DONE)
		return code;
	code = resume_find(run);
	if (code != CODE_DONE)
		return code;
	run->cl = clx_open(options->device, run->scene->dim, options->profile, &named_missing);
	if (!run->cl)
		return named_missing ? CODE_REFUSED : CODE_FAILED;
	if (!create_simulation(run))
		return CODE_FAILED;
	if (run->resume.found) {
		code = resume_restore(run);
		if (code != CODE_DONE || run->resume.found)
			return code;
	}
	return sim_measure(run->sim) ? CODE_DONE : CODE_FAILED;
}

/* A table, new or cut to what it had at the checkpoint.  Without `wanted` only that. */
static bool open_table(struct run *run, struct append_file *file, const char *name, bool wanted,
		       void (*write_header)(struct append_file *, const struct scene *),
		       int64_t bytes_then)
{
	struct append_file columns = {.path = strdup(name), .fd = -1};
	long long kept;
	if (columns.path)
		write_header(&columns, run->scene);
	char *header = columns.length > 0 ? strndup(columns.pending, columns.length) : NULL;
	bool ok = header || message_memory(strlen(name) + columns.length, "the columns of a table");
	ok = ok && resume_table(run, name, wanted ? header : NULL, bytes_then, &kept);
	if (ok && wanted) {
		ok = append_file_reopen(file, run->output.directory, name, kept);
		if (ok && kept == 0)
			append_file_text(file, header);
		ok = ok && append_file_flush(file);
	}
	free(header);
	free(columns.pending);
	free(columns.path);
	return ok;
}

static bool open_files(struct run *run)
{
	const struct scene *scene = run->scene;
	const char *directory = run->output.directory;
	const struct resume *resume = &run->resume;
	long long kept;
	if (!resume_begin(run) ||
	    !(resume->found || output_clear(&run->output, run->options->resume)))
		return false;
	run->cleared = !resume->found;
	if (!resume_log(run, "log.txt", &kept) ||
	    !report_continue_log(&run->report, directory, kept) ||
	    !open_table(run, &run->stats, "stats.csv", scene->output.stats, stats_write_header,
			resume->from.stats_bytes) ||
	    !open_table(run, &run->probes, "probes.csv", scene->output.probe_count > 0,
			probes_write_header, resume->from.probes_bytes))
		return false;
	if (!mesh_output_open(&run->mesh, scene, &run->output) ||
	    !picture_output_open(&run->pictures, scene, &run->output))
		return false;
	if (data_files_wanted(scene))
		run->data = data_files_create(scene, &run->output);
	return run->data || !data_files_wanted(scene);
}

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
	char where[48] = "";
	/* Errors within a frame are not among those that the worst is taken of. */
	if (run->sim->substep > 0)
		snprintf(where, sizeof(where), ", within frame %d", s->last.frame);
	return report_line(report,
			   "particles: %" PRIu32 " at the start, %" PRIu32 " at the end; %" PRIu32
			   " removed, %" PRIu32 " pushed, %" PRIu32 " escaped",
			   s->first.particles, s->last.particles, r->removed_open, r->pushed,
			   r->escaped) &&
	       report_line(report,
			   "volume error: %+.2f %% at the end%s; worst of whole frames %+.2f %% "
			   "(frame %d)",
			   1e2 * s->last.volume_error, where, 1e2 * s->volume_error_worst,
			   s->volume_error_frame) &&
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
	char number[SUMMARY_NUMBER], speed[96] = "";
	const char *what = run->status == RUN_FINISHED	    ? "finished"
			   : run->status == RUN_INTERRUPTED ? "interrupted"
							    : "failed";
	if (s->substeps_timed > 0)
		snprintf(speed, sizeof(speed), " (%s ms per substep, the first left out)",
			 summary_milliseconds(summary_ms_per_substep(s), number));
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

/* Not even the first files could be opened: removes those that were. */
static enum exit_code take_back(struct run *run)
{
	picture_output_close(&run->pictures);
	mesh_output_close(&run->mesh);
	append_file_close(&run->stats);
	append_file_close(&run->probes);
	report_drop_log(&run->report);
	if (run->cleared)
		output_clear(&run->output, run->options->resume);
	if (run->pictures.directory)
		rmdir(run->pictures.directory); /* kept if it holds something */
	if (run->mesh.directory)
		rmdir(run->mesh.directory);
	output_discard(&run->output);
	return CODE_FAILED;
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
	enum exit_code code = start(&run);
	signals_note();
	if (code == CODE_DONE) {
		run.start_up_seconds = report_clock() - run.start_clock;
		run.resume.written_at = report_clock();
		run.start_clock -= run.resume.from.seconds;
		if (open_files(&run)) {
			bool ok = print_header(&run) && run_json_write(&run) &&
				  (run.resume.found || write_frame_0(&run)) && run_frames(&run);
			code = end(&run, ok);
		} else {
			code = run.resume.found ? end(&run, false) : take_back(&run);
		}
	} else {
		output_discard(&run.output);
	}

	free_simulation(&run);
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
