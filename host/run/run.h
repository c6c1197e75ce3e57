/* A run: from the scene file to the directory of results. */
#ifndef FRESHET_RUN_H
#define FRESHET_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "clx.h"
#include "exit_code.h"
#include "file.h"
#include "mesh_files.h"
#include "picture_files.h"
#include "report.h"
#include "resume.h"
#include "run_directory.h"
#include "scene.h"
#include "sim_view.h"
#include "summary.h"

struct data_files; /* data_files.h */

/* The command line, read.  Nothing is owned. */
struct run_options {
	const char *scene;     /* path */
	const char *directory; /* NULL: named after the scene */
	const char *device;    /* NULL: FRESHET_DEVICE, else the default rule */
	const char *const *sets;
	size_t set_count;
	bool overwrite, resume, profile, quiet;
	char *const *arguments; /* all of it, NULL-terminated, for run.json */
	/* Called when the run's files are there, before its first frame; NULL: not. */
	void (*started)(const char *directory, void *user);
	void *user;
};

enum run_status { RUN_RUNNING, RUN_FINISHED, RUN_INTERRUPTED, RUN_FAILED };

/* All that lives as long as a run.  Owns what it points to, except `options`. */
struct run {
	const struct run_options *options;
	struct report report;
	struct scene *scene;
	struct run_directory directory;
	struct clx *cl;
	struct sim *sim;
	struct data_files *data;       /* with output.particles or output.fields only */
	struct picture_files pictures; /* with output.png only */
	struct mesh_files mesh;	       /* with output.mesh only */
	struct append_file stats, probes, forces, bodies;
	struct summary summary;
	struct resume resume;
	bool cleared;	  /* what an earlier run left is gone: files are ours */
	bool stepped;	  /* a substep has been done since the program began */
	bool step_failed; /* the last one failed, and nothing else did */
	enum run_status status;
	char started[32];		  /* UTC, ISO 8601 */
	double start_clock;		  /* s */
	double start_up_seconds, seconds; /* s; until the first substep begins, and in all */
};

/* run_start.c.  run_directory_open(); a signal takes it back from then on. */
enum exit_code run_take_directory(struct run_directory *directory, const char *path, bool accept);
/* From now on a signal ends the program at once, and what was made of the directory goes. */
void run_abandon_at_once(const struct run_directory *directory);
/* What is there before any file of the run: *run's scene, directory, resume, cl, sim,
 * all to be freed whatever the result is. */
enum exit_code run_start(struct run *run);
void run_free_simulation(struct run *run);
/* Opens the files of a run that has been started.  False after reporting. */
bool run_open_files(struct run *run);
/* Not even they could be opened: removes those that were.  CODE_FAILED. */
enum exit_code run_take_back(struct run *run);

/* Does all of it.  On SIGINT, SIGTERM and SIGHUP the substep is finished, files are made whole and
 * the result is CODE_SIGNAL plus the signal's number. */
enum exit_code run_scene(const struct run_options *options);

#endif
