#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bodies/bodies_csv.h"
#include "bodies/bodies_usda.h"
#include "clock.h"
#include "data_files.h"
#include "end_report.h"
#include "fault.h"
#include "forces_csv.h"
#include "probes_csv.h"
#include "run_json.h"
#include "signals.h"
#include "sim_copies.h"
#include "stats_csv.h"

static bool print_header(struct run *run)
{
	const struct scene *scene = run->scene;
	const struct clx_device_info *info = clx_info(run->cl);
	char cells[64], particles[32] = "";
	int length = snprintf(cells, sizeof(cells), "%d x %d", scene->cells[0], scene->cells[1]);
	if (scene->dim == 3)
		snprintf(cells + length, sizeof(cells) - (size_t)length, " x %d", scene->cells[2]);
	if (sim_has(scene, PART_PARTICLES))
		snprintf(particles, sizeof(particles), ", %" PRIu32 " particles",
			 sim_particle_count(run->sim));
	return report_line(&run->report, "%s: %s cells of %.4g m%s", scene->name, cells, scene->h,
			   particles) &&
	       report_line(&run->report, "device %u:%u %s (%s), %s splat, %.0f MiB",
			   info->platform_index, info->device_index, info->name, info->platform,
			   run_json_splat_name(clx_splat_path(run->cl)),
			   (double)clx_memory_in_use(run->cl) / 1048576.0) &&
	       report_line(&run->report, "output in %s", run->directory.path) &&
	       (!run->resume.found ||
		report_line(&run->report, "resumed at frame %d%s", run->resume.from.frame,
			    run->resume.from.substep > 0 ? ", on the way to the next" : ""));
}

/* ---- the frame loop --------------------------------------------------------------------- */

/* Writes all that belongs to the frame that has just been reached. */
static bool finish_frame(struct run *run, double frame_start)
{
	const struct instant now = sim_instant(run->sim);
	char text[SUMMARY_LINE];
	if (!run_directory_check(&run->directory))
		return false;
	if (!picture_files_write(&run->pictures, now.frame) ||
	    !mesh_files_write(&run->mesh, now.frame) ||
	    (run->data && !data_files_write(run->data, run->sim)))
		return false;
	if (run->probes.path &&
	    !(probes_csv_row(&run->probes, subject_of(run->sim), now.frame, now.time) &&
	      append_file_flush(&run->probes)))
		return false;
	if (run->forces.path)
		forces_csv_row(&run->forces, run->sim, now.frame, now.time);
	if (run->bodies.path)
		bodies_csv_rows(&run->bodies, run->sim, now.frame, now.time);
	return append_file_flush(&run->bodies) && append_file_flush(&run->forces) &&
	       append_file_flush(&run->stats) &&
	       summary_add_frame(&run->summary, clock_seconds() - frame_start) &&
	       report_frame(&run->report, summary_line(&run->summary, run->scene, text));
}

static void account_substep(struct run *run, const struct step_stats *stats, double seconds)
{
	summary_add_substep(&run->summary, stats, seconds);
	if (run->stats.path)
		stats_csv_row(&run->stats, run->scene, stats);
}

static bool write_frame_0(struct run *run)
{
	struct step_stats stats = *sim_statistics(run->sim);
	stats.frame_end = true;
	account_substep(run, &stats, 0.0);
	return finish_frame(run, clock_seconds());
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
	struct early_end end = {.lock_path = run->directory.lock_path};
	size_t length;
	run->status = RUN_INTERRUPTED;
	char *text = run_json_text(run, &length);
	run->status = RUN_RUNNING;
	bool ok = text && file_replacement_prepare(&end.json, run->directory.path, RUN_JSON_NAME,
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

static bool is_over(const struct run *run)
{
	return sim_instant(run->sim).frame >= run->scene->time.frames;
}

static bool run_frames(struct run *run)
{
	const struct step_stats *stats = sim_statistics(run->sim);
	char text[SUMMARY_LINE];
	double frame_start = clock_seconds();
	while (!is_over(run) && !signals_noted()) {
		double start = clock_seconds();
		run->step_failed = !(run->stepped ? sim_substep(run->sim) : first_substep(run));
		run->stepped = true;
		if (run->step_failed)
			return false;
		account_substep(run, stats, clock_seconds() - start);
		if (!stats->frame_end) {
			report_status(&run->report, summary_line(&run->summary, run->scene, text));
		} else {
			if (!finish_frame(run, frame_start))
				return false;
			frame_start = clock_seconds();
		}
		if (!resume_checkpoint_if_due(run))
			return false;
	}
	return true;
}

/* ---- the end ---------------------------------------------------------------------------- */

/* Makes every file whole.  The status is final only when this has succeeded. */
static bool close_files(struct run *run)
{
	bool ok = picture_files_close(&run->pictures);
	ok = mesh_files_close(&run->mesh) && ok;
	ok = data_files_finish(run->data) && ok;
	run->data = NULL;
	ok = append_file_close(&run->stats) && ok;
	ok = append_file_close(&run->forces) && ok;
	if (run->bodies.path)
		ok = append_file_close(&run->bodies) &&
		     bodies_usda_update(run->directory.path, run->scene) && ok;
	return append_file_close(&run->probes) && ok;
}

static enum exit_code end_run(struct run *run, bool ok)
{
	/* What can go on leaves a checkpoint: the state is good, and all before it is written. */
	const bool stopped = ok && !is_over(run);
	if (stopped || (run->step_failed && run->summary.frame_count > 0))
		ok = resume_leave_checkpoint(run) && ok;
	ok = close_files(run) && ok;
	run->status = !ok ? RUN_FAILED : is_over(run) ? RUN_FINISHED : RUN_INTERRUPTED;
	run->seconds = clock_seconds() - run->start_clock;
	/* The log is on the disk before run.json says how it ended. */
	if ((!end_report_print(run) || !report_sync(&run->report)) && ok) {
		ok = false;
		run->status = RUN_FAILED;
	}
	/* Nothing is written into a directory that took the place of ours. */
	if (!run_directory_present(&run->directory)) {
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
	run->start_clock = clock_seconds();
	if (gmtime_r(&now, &utc))
		strftime(run->started, sizeof(run->started), "%Y-%m-%dT%H:%M:%SZ", &utc);
}

enum exit_code run_scene(const struct run_options *options)
{
	struct run run = {.options = options, .directory = {.lock = -1}};
	signals_install();
	if (!report_open(&run.report, options->quiet))
		return CODE_FAILED;
	note_start(&run);
	signals_end_at_once(NULL, NULL);
	enum exit_code code = run_start(&run);
	signals_note();
	if (code == CODE_DONE) {
		run.start_up_seconds = clock_seconds() - run.start_clock;
		run.resume.written_at = clock_seconds();
		run.start_clock -= run.resume.from.seconds;
		/* Without a run.json nobody could tell what the other files are. */
		if (run_open_files(&run) && print_header(&run) && run_json_write(&run)) {
			if (options->started)
				options->started(run.directory.path, options->user);
			const bool ok =
				(run.resume.found || write_frame_0(&run)) && run_frames(&run);
			code = end_run(&run, ok);
		} else {
			code = run.resume.found ? end_run(&run, false) : run_take_back(&run);
		}
	} else {
		run_directory_discard(&run.directory);
	}

	run_free_simulation(&run);
	clx_close(run.cl);
	run_directory_close(&run.directory);
	scene_free(run.scene);
	summary_free(&run.summary);
	resume_free(&run.resume);
	if (!report_close(&run.report) && code == CODE_DONE)
		code = CODE_FAILED;
	if (!options->quiet)
		fault_check_came();
	return code;
}
