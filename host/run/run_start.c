/* A run's start: the scene, the directory of results, the device, the state to go on from, the
 * files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bodies/bodies_csv.h"
#include "data_files.h"
#include "forces_csv.h"
#include "message.h"
#include "probes_csv.h"
#include "read_points.h"
#include "run.h"
#include "scene_meshes.h"
#include "scene_needs.h"
#include "signals.h"
#include "sim_copies.h"
#include "sim_full.h"
#include "sim_memory.h"
#include "stats_csv.h"

static void abandon_directory(const void *user)
{
	run_directory_abandon(user);
}

void run_abandon_at_once(const struct run_directory *directory)
{
	signals_end_at_once(abandon_directory, directory);
}

enum exit_code run_take_directory(struct run_directory *directory, const char *path, bool accept)
{
	signals_note(); /* what is being created must be known before it can be undone */
	switch (run_directory_open(directory, path, accept)) {
	case RUN_DIRECTORY_READY:
		run_abandon_at_once(directory);
		return CODE_DONE;
	case RUN_DIRECTORY_OCCUPIED:
		return CODE_REFUSED;
	case RUN_DIRECTORY_FAILED:
		break;
	}
	return CODE_FAILED;
}

/* Takes the directory before anything costly, so that a bad one is told at once. */
static enum exit_code open_directory(struct run *run)
{
	char named[RUN_DIRECTORY_NAME + 1];
	const struct run_options *options = run->options;
	run_directory_clean_name(run->scene->name, named);
	return run_take_directory(&run->directory, options->directory ? options->directory : named,
				  options->overwrite || options->resume);
}

static bool create_simulation(struct run *run)
{
	run->sim = sim_create(run->scene, run->cl);
	return run->sim && mesh_files_init(&run->mesh, subject_of(run->sim)) &&
	       picture_files_init(&run->pictures, subject_of(run->sim),
				  mesh_files_surface(&run->mesh));
}

void run_free_simulation(struct run *run)
{
	picture_files_finish(&run->pictures);
	mesh_files_finish(&run->mesh);
	sim_destroy(run->sim);
	run->sim = NULL;
}

enum exit_code run_start(struct run *run)
{
	const struct run_options *options = run->options;
	bool named_missing = false;
	run->scene = scene_read(options->scene, options->sets, options->set_count);
	if (!run->scene)
		return errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
	if (!read_points(run->scene))
		return CODE_REFUSED;
	if (!resume_read_environment(&run->resume.seconds_between) ||
	    !scene_is_possible(run->scene))
		return CODE_REFUSED;
	scene_warn_of_probes(run->scene);
	sim_warn_of_full(run->scene);
	scene_meshes_warn(run->scene);
	enum exit_code code = open_directory(run);
	if (code != CODE_DONE)
		return code;
	code = resume_find(run);
	if (code != CODE_DONE)
		return code;
	run->cl = clx_open(options->device, run->scene->dim, sim_is_small(run->scene),
			   options->profile, &named_missing);
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

static void write_forces_header(struct append_file *file, const struct scene *scene)
{
	forces_csv_header(file, scene, scene_has_friction(scene));
}

/* A table, new or cut to what it had at the checkpoint.  Without `wanted` only that. */
static bool open_table(struct run *run, struct append_file *file, const char *name, bool wanted,
		       void (*write_header)(struct append_file *, const struct scene *), bool same,
		       int64_t bytes_then)
{
	struct append_file columns = {.path = strdup(name), .fd = -1};
	long long kept;
	if (columns.path)
		write_header(&columns, run->scene);
	char *header = columns.length > 0 ? strndup(columns.pending, columns.length) : NULL;
	bool ok = header || message_memory(strlen(name) + columns.length, "the columns of a table");
	ok = ok && resume_table(run, name, wanted ? header : NULL, same, bytes_then, &kept);
	if (ok && wanted) {
		ok = append_file_reopen(file, run->directory.path, name, kept);
		if (ok && kept == 0)
			append_file_text(file, header);
		ok = ok && append_file_flush(file);
	}
	free(header);
	free(columns.pending);
	free(columns.path);
	return ok;
}

/* *same: as in the run that goes on.  False after reporting. */
static bool compare_probes(const struct run *run, bool *same)
{
	*same = true;
	if (!run->resume.found)
		return true;
	const char *text = run->resume.from.scene;
	struct scene *then = scene_read_text(text, strlen(text), "the checkpoint's scene");
	if (!then)
		return false;
	*same = probes_csv_same(then, run->scene);
	scene_free(then);
	return true;
}

bool run_open_files(struct run *run)
{
	const struct scene *scene = run->scene;
	const char *directory = run->directory.path;
	const struct resume *resume = &run->resume;
	long long kept;
	if (!resume_begin(run) ||
	    !(resume->found || run_directory_clear(&run->directory, run->options->resume)))
		return false;
	run->cleared = !resume->found;
	bool same_probes;
	if (!compare_probes(run, &same_probes) || !resume_log(run, "log.txt", &kept) ||
	    !report_continue_log(&run->report, directory, kept) ||
	    !open_table(run, &run->stats, "stats.csv", scene->output.stats, stats_csv_header, true,
			resume->from.stats_bytes) ||
	    !open_table(run, &run->probes, "probes.csv", scene->output.probe_count > 0,
			probes_csv_header, same_probes, resume->from.probes_bytes) ||
	    !open_table(run, &run->forces, "forces.csv", scene->output.forces, write_forces_header,
			true, resume->from.forces_bytes) ||
	    !open_table(run, &run->bodies, "bodies.csv", scene->body_count > 0, bodies_csv_header,
			true, resume->from.bodies_bytes))
		return false;
	if (!mesh_files_open(&run->mesh, scene, &run->directory) ||
	    !picture_files_open(&run->pictures, scene, &run->directory))
		return false;
	if (data_files_wanted(scene))
		run->data = data_files_create(scene, &run->directory);
	return run->data || !data_files_wanted(scene);
}

enum exit_code run_take_back(struct run *run)
{
	picture_files_close(&run->pictures);
	mesh_files_close(&run->mesh);
	data_files_finish(run->data);
	run->data = NULL;
	append_file_close(&run->stats);
	append_file_close(&run->probes);
	append_file_close(&run->forces);
	append_file_close(&run->bodies);
	report_drop_log(&run->report);
	if (run->cleared)
		run_directory_clear(&run->directory, run->options->resume);
	run_directory_discard(&run->directory);
	return CODE_FAILED;
}
