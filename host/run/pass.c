#include "pass.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "message.h"
#include "numbered_files.h"
#include "run.h"
#include "run_json.h"
#include "scene_compare.h"
#include "signals.h"
#include "stats_csv_read.h"
#include "summary.h"
#include "version.h"

static bool makes_pictures(const struct pass *pass)
{
	return pass->options->kind == PASS_RENDER;
}

/* ---- the run ------------------------------------------------------------------------------ */

static bool read_published(struct pass *pass)
{
	struct published_run *p = &pass->published;
	char *json = file_join(pass->options->run, RUN_JSON_NAME);
	char *stats = file_join(pass->options->run, "stats.csv");
	const bool ok = json && stats && run_json_read(json, p) &&
			stats_csv_read_frames(stats, &pass->rows, &pass->row_count);
	free(json);
	free(stats);
	if (!ok)
		return false;
	pass->same_version =
		strcmp(p->version, FRESHET_VERSION) == 0 && strcmp(p->git, FRESHET_GIT) == 0;
	if (!pass->same_version)
		message_warning("the run was made with freshet %s (%s), this is %s (%s): what is "
				"made now may differ from what that one made",
				p->version, p->git, FRESHET_VERSION, FRESHET_GIT);
	return true;
}

/* The echo with the overrides, and `{}` for what it lacks to be written at all. */
static struct scene *read_with_output(const struct pass *pass, const char *name)
{
	const struct pass_options *o = pass->options;
	const char *text = pass->published.scene;
	const size_t length = strlen(text);
	struct scene *scene = scene_read_text_with(text, length, name, o->sets, o->set_count);
	if (!scene || (makes_pictures(pass) ? scene->output.png : scene->output.mesh))
		return scene;
	scene_free(scene);
	const char **sets = calloc(o->set_count + 1, sizeof(*sets));
	if (!sets) {
		message_memory((o->set_count + 1) * sizeof(*sets), "the list of --set");
		return NULL;
	}
	sets[0] = makes_pictures(pass) ? "output.png={}" : "output.mesh={}";
	for (size_t i = 0; i < o->set_count; i++)
		sets[i + 1] = o->sets[i];
	scene = scene_read_text_with(text, length, name, sets, o->set_count + 1);
	free(sets);
	return scene;
}

/* The motion is what it was: only what is drawn, and how, may change. */
static bool keeps_motion(const struct pass *pass, const struct scene *before)
{
	struct scene_differences differences;
	char *old = scene_to_json(before, 0), *new = scene_to_json(pass->scene, 0);
	bool ok = old && new &&scene_compare(old, new, &differences);
	if (ok && differences.count > 0) {
		ok = message_error("--set may change output, camera, names and colours of a run "
				   "that is over, but not");
		scene_report_differences(&differences);
	}
	free(old);
	free(new);
	return ok;
}

static bool read_scene(struct pass *pass)
{
	const struct published_run *p = &pass->published;
	/* Paths in a scene are relative to it. */
	const char *name = p->scene_path ? p->scene_path : pass->options->run;
	struct scene *before = scene_read_text(p->scene, strlen(p->scene), name);
	if (!before)
		return false;
	const bool ok = (pass->scene = read_with_output(pass, name)) && keeps_motion(pass, before);
	scene_free(before);
	if (!ok)
		return false;
	struct scene *scene = pass->scene;
	char *bodies = file_join(pass->options->run, "bodies.csv");
	const bool placed = bodies && (scene->body_count == 0 ||
				       bodies_csv_read(bodies, scene->body_count, &pass->bodies));
	free(bodies);
	if (!placed)
		return false;
	scene->output.png = makes_pictures(pass);
	scene->output.mesh = !makes_pictures(pass);
	if (pass->options->choice.every > 0)
		scene->output.png_every = scene->output.mesh_every = pass->options->choice.every;
	return true;
}

/* ---- the frames --------------------------------------------------------------------------- */

static bool report_none(const struct pass *pass, enum pass_source source)
{
	const char *run = pass->options->run;
	if (source == PASS_FIELDS)
		return message_error(
			"the views pressure, levelset and cells show the grid of the substep that "
			"led to a frame; particles and checkpoints do not hold it, and '%s' has no "
			"field files: output.fields in the scene writes them (or --set "
			"output.fields.every=1, when it is run again)",
			run);
	return message_error("'%s' has no %s to work from: output.particles in the scene writes "
			     "particle files, output.checkpoint checkpoints (or --set "
			     "output.particles={}, when it is run again)",
			     run,
			     source == PASS_PARTICLES	  ? "particle files"
			     : source == PASS_CHECKPOINTS ? "checkpoints of whole frames"
							  : "particle files or checkpoints");
}

static bool find_frames(struct pass *pass)
{
	const struct pass_options *o = pass->options;
	const bool fields = pass_needs_fields(o, pass->scene);
	const enum pass_source source = fields ? PASS_FIELDS : o->source;
	struct pass_choice choice = o->choice;
	if (fields && o->source != PASS_ANY && o->source != PASS_FIELDS)
		return message_error("the views pressure, levelset and cells are drawn from field "
				     "files only (--from)");
	if (!fields && o->source == PASS_FIELDS)
		return message_error("field files hold no particles; of them the views pressure, "
				     "levelset and cells are drawn");
	choice.every = makes_pictures(pass) ? pass->scene->output.png_every
					    : pass->scene->output.mesh_every;
	if (!pass_frames_find(o->run, pass->scene, source, &pass->frames))
		return false;
	if (pass->frames.count == 0)
		return report_none(pass, source);
	return pass_frames_choose(&pass->frames, o->run, &choice);
}

/* ---- the output --------------------------------------------------------------------------- */

/* Nothing is replaced that --overwrite does not allow to. */
static bool check_free(const struct pass *pass, const char *directory)
{
	size_t there = 0;
	int first = 0;
	char name[NUMBERED_NAME];
	const enum numbered_files kind =
		makes_pictures(pass) ? NUMBERED_PICTURES
				     : NUMBERED_MESHES + pass->scene->output.mesh_format;
	char *folder = file_join(directory, numbered_kinds[kind].folder);
	if (!folder)
		return false;
	for (size_t i = 0; i < pass->frames.count; i++) {
		struct stat status;
		const int frame = pass->frames.list[i].frame;
		char *path = numbered_file_path(folder, kind, frame);
		if (path && lstat(path, &status) == 0 && there++ == 0)
			first = frame;
		free(path);
	}
	numbered_file_name(kind, first, name);
	const bool ok = there == 0 ||
			message_error("'%s/%s'%s already there (--overwrite replaces what is made "
				      "again, -o chooses another directory)",
				      folder, name, there > 1 ? " and others are" : " is");
	free(folder);
	return ok;
}

static enum exit_code open_directory(struct pass *pass)
{
	const struct pass_options *o = pass->options;
	const char *directory = o->directory ? o->directory : o->run;
	if (!o->overwrite && !check_free(pass, directory))
		return CODE_REFUSED;
	const enum exit_code code = run_take_directory(&pass->directory, directory, true);
	if (code == CODE_REFUSED)
		message_error("(-o chooses another directory)");
	return code;
}

static bool open_files(struct pass *pass)
{
	signals_note(); /* what is being created must be known before it can be undone */
	const bool ok = makes_pictures(pass)
				? picture_files_open(&pass->pictures, pass->scene, &pass->directory)
				: mesh_files_open(&pass->mesh, pass->scene, &pass->directory);
	run_abandon_at_once(&pass->directory);
	return ok;
}

/* ---- the loop ----------------------------------------------------------------------------- */

static bool print_header(struct pass *pass)
{
	const struct pass_frames *f = &pass->frames;
	const struct clx_device_info *info = clx_info(pass->cl);
	return report_line(&pass->report, "%s of '%s' from %s: %zu %s, %d to %d",
			   makes_pictures(pass) ? "pictures" : "meshes", pass->scene->name,
			   pass->options->run, f->count, f->count == 1 ? "frame" : "frames",
			   f->list[0].frame, f->list[f->count - 1].frame) &&
	       report_line(&pass->report, "device %u:%u %s (%s)", info->platform_index,
			   info->device_index, info->name, info->platform) &&
	       report_line(&pass->report, "output in %s", pass->directory.path);
}

/* `done` frames; the first one, which compiles kernels, says nothing about the speed. */
static bool print_progress(struct pass *pass, size_t done, double first_done, double frame_start)
{
	const double now = clock_seconds();
	const size_t left = pass->frames.count - done;
	const int frame = pass->frames.list[done - 1].frame;
	char remaining[64] = "", particles[32] = "", duration[SUMMARY_DURATION],
	     number[SUMMARY_NUMBER], text[256];
	if (done > 1 && left > 0) {
		const double each = (now - first_done) / (double)(done - 1);
		snprintf(remaining, sizeof(remaining), "  ETA %s",
			 summary_duration(each * (double)left, duration));
	}
	if (!pass_needs_fields(pass->options, pass->scene))
		snprintf(particles, sizeof(particles), "  %" PRIu32 " particles",
			 sim_particle_count(pass->sim));
	snprintf(text, sizeof(text), "frame %d (%zu/%zu)%s  t %.4f s  %s ms%s", frame, done,
		 pass->frames.count, remaining, frame / pass->scene->time.fps,
		 summary_milliseconds(1e3 * (now - frame_start), number), particles);
	return report_frame(&pass->report, text);
}

static bool make_frame(struct pass *pass, int frame)
{
	return run_directory_check(&pass->directory) &&
	       (makes_pictures(pass) ? picture_files_write(&pass->pictures, frame)
				     : mesh_files_write(&pass->mesh, frame));
}

static bool make_frames(struct pass *pass, size_t *done)
{
	double first_done = 0.0;
	for (; *done < pass->frames.count && !signals_noted();) {
		const double start = clock_seconds();
		const struct pass_frame *frame = &pass->frames.list[*done];
		if (!pass_load(pass, frame))
			return false;
		/* From here on there are files to be made whole. */
		signals_note();
		if (!make_frame(pass, frame->frame))
			return false;
		if (++*done == 1)
			first_done = clock_seconds();
		if (!print_progress(pass, *done, first_done, start))
			return false;
	}
	return true;
}

static enum exit_code make_all(struct pass *pass)
{
	size_t done = 0;
	bool ok = open_files(pass) && print_header(pass) && make_frames(pass, &done);
	ok = picture_files_close(&pass->pictures) && ok;
	ok = mesh_files_close(&pass->mesh) && ok;
	const bool stopped = ok && done < pass->frames.count;
	report_line(&pass->report, "%s: %zu of %zu %s in %.1f s",
		    !ok	      ? "failed"
		    : stopped ? "interrupted"
			      : "finished",
		    done, pass->frames.count, makes_pictures(pass) ? "pictures" : "meshes",
		    clock_seconds() - pass->start_clock);
	if (done == 0)
		run_directory_discard(&pass->directory);
	if (!ok)
		return CODE_FAILED;
	return stopped ? (enum exit_code)(CODE_SIGNAL + signals_noted()) : CODE_DONE;
}

/* Surfaces are made of particles, and pictures of the grid lie over a simulation that is loaded. */
static bool has_particles(const struct scene *scene)
{
	return sim_has(scene, PART_PARTICLES) ||
	       message_error("pictures and meshes are made from particles, which 'method: %s' does "
			     "not have",
			     sim_method(scene)->name);
}

static enum exit_code prepare_pass(struct pass *pass)
{
	bool named_missing = false;
	errno = 0;
	if (!read_published(pass) || !read_scene(pass) || !has_particles(pass->scene) ||
	    !find_frames(pass))
		return errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
	const enum exit_code code = open_directory(pass);
	if (code != CODE_DONE)
		return code;
	pass->cl = clx_open(pass->options->device, pass->scene->dim, false, false, &named_missing);
	if (pass->cl)
		return CODE_DONE;
	return named_missing ? CODE_REFUSED : CODE_FAILED;
}

enum exit_code pass_run(const struct pass_options *options)
{
	struct pass pass = {.options = options, .directory = {.lock = -1}};
	signals_install();
	if (!report_open(&pass.report, options->quiet))
		return CODE_FAILED;
	report_drop_log(&pass.report);
	pass.start_clock = clock_seconds();
	signals_end_at_once(NULL, NULL);
	enum exit_code code = prepare_pass(&pass);
	if (code == CODE_DONE)
		code = make_all(&pass);
	else
		run_directory_discard(&pass.directory);
	signals_note();

	picture_files_finish(&pass.pictures);
	mesh_files_finish(&pass.mesh);
	sim_destroy(pass.sim);
	clx_close(pass.cl);
	run_directory_close(&pass.directory);
	pass_frames_free(&pass.frames);
	scene_free(pass.scene);
	published_run_free(&pass.published);
	free(pass.rows);
	bodies_table_free(&pass.bodies);
	if (!report_close(&pass.report) && code == CODE_DONE)
		code = CODE_FAILED;
	return code;
}
