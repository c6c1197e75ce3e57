/*
 * `freshet mesh` and `freshet render`: meshes and pictures of a run from the files it left, without
 * simulating again.  With the settings of the run they have the bytes that the run would have
 * written.
 */
#ifndef FRESHET_PASS_H
#define FRESHET_PASS_H

#include "bodies/bodies_csv.h"
#include "clx.h"
#include "exit_code.h"
#include "mesh_files.h"
#include "pass_frames.h"
#include "picture_files.h"
#include "report.h"
#include "run_directory.h"
#include "run_json_read.h"
#include "scene.h"
#include "sim_view.h"

enum pass_kind { PASS_RENDER, PASS_MESH };

/* The command line, read.  Nothing is owned. */
struct pass_options {
	enum pass_kind kind;
	const char *run;       /* directory */
	const char *directory; /* for the results; NULL: that of the run */
	const char *device;    /* NULL: FRESHET_DEVICE, else the default rule */
	const char *const *sets;
	size_t set_count;
	struct pass_choice choice; /* every = 0: that of the scene */
	enum pass_source source;
	bool overwrite, quiet;
};

/* All that lives as long as a pass.  Owns what it points to, except `options`. */
struct pass {
	const struct pass_options *options;
	struct report report;
	struct published_run published;
	struct published_frame *rows; /* of stats.csv */
	size_t row_count;
	struct bodies_table bodies; /* of bodies.csv */
	bool same_version;	    /* the run was made by this one */
	struct scene *scene;
	struct pass_frames frames;
	struct run_directory directory;
	struct clx *cl;
	struct sim *sim; /* its particles or fields are those of the frame that is at hand */
	struct picture_files pictures;
	struct mesh_files mesh;
	double start_clock;
};

/* Does all of it.  On SIGINT, SIGTERM and SIGHUP the frame is finished, files are made whole and
 * the result is CODE_SIGNAL plus the signal's number. */
enum exit_code pass_run(const struct pass_options *options);

/* ---- pass_load.c ------------------------------------------------------------------------ */

/* Does the view show fields of the grid, which only field files hold? */
bool pass_needs_fields(const struct pass_options *options, const struct scene *scene);

/* Puts the state of a frame into pass->sim, which is made or replaced if it lacks room; with it the
 * device memory of pictures or meshes.  What is not the state that the run had is refused, where
 * its hash is known.  False after reporting. */
bool pass_load(struct pass *pass, const struct pass_frame *frame);

#endif
