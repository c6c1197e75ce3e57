/* freshet verify */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clx.h"
#include "commands.h"
#include "file.h"
#include "message.h"
#include "run_json.h"
#include "run_json_read.h"
#include "scene.h"
#include "sim.h"
#include "version.h"

enum { OPTION_DEVICE, OPTION_QUIET, OPTION_HELP_ME };

static const struct option options[] = {
	{"device", 'd', "DEVICE", "gpu, cpu, P:D (see 'freshet devices') or part of a name"},
	{"quiet", 'q', NULL, "prints nothing but errors"},
	OPTION_HELP,
	OPTION_LAST,
};

/* Everything lives as long as the command.  Arguments are borrowed. */
struct verification {
	const char *path, *device;
	bool quiet;
	struct published_run published;
	struct scene *scene;
	struct clx *cl;
	struct sim *sim;
};

/* DIR stands for DIR/run.json. */
static bool read_published(struct verification *v)
{
	struct stat status;
	char *inside = NULL;
	if (stat(v->path, &status) == 0 && S_ISDIR(status.st_mode) &&
	    !(inside = file_join(v->path, RUN_JSON_NAME)))
		return false;
	bool ok = run_json_read(inside ? inside : v->path, &v->published);
	if (ok && v->published.frame_count == 0)
		ok = message_error("'%s' holds no frame to compare with", v->path);
	free(inside);
	return ok;
}

static bool read_scene(struct verification *v)
{
	const struct published_run *p = &v->published;
	/* Paths in a scene are relative to it. */
	v->scene = scene_read_text(p->scene, strlen(p->scene),
				   p->scene_path ? p->scene_path : v->path);
	return v->scene != NULL;
}

/* The program that published it may have been another. */
static void note_version(const struct verification *v)
{
	const struct published_run *p = &v->published;
	if (strcmp(p->version, FRESHET_VERSION) != 0 || strcmp(p->git, FRESHET_GIT) != 0)
		message_warning("the run was made with freshet %s (%s), this is %s (%s)",
				p->version, p->git, FRESHET_VERSION, FRESHET_GIT);
}

static bool reach(struct sim *sim, int frame)
{
	while (sim->frame < frame)
		if (!sim_substep(sim))
			return false;
	return true;
}

static bool compare_frame(const struct verification *v, const struct published_frame *frame)
{
	const u64 hash = v->sim->stats.hash;
	if (hash != frame->hash)
		return message_error("frame %d is the first that differs: its hash is %016" PRIx64
				     " here and %016" PRIx64 " in '%s'",
				     frame->frame, hash, frame->hash, v->path);
	if (!v->quiet) {
		printf("frame %d %016" PRIx64 " equal\n", frame->frame, hash);
		fflush(stdout);
	}
	return true;
}

static bool compare(struct verification *v)
{
	const struct published_run *p = &v->published;
	for (size_t i = 0; i < p->frame_count; i++) {
		if (p->frames[i].frame != (int)i)
			return message_error("'%s' lacks frame %zu", v->path, i);
		if (!(i == 0 ? sim_measure(v->sim) : reach(v->sim, p->frames[i].frame)) ||
		    !compare_frame(v, &p->frames[i]))
			return false;
	}
	if (!v->quiet)
		printf("verified on %s: frames 0 to %zu are equal, bit for bit\n",
		       clx_info(v->cl)->name, p->frame_count - 1);
	return true;
}

static enum exit_code verify(struct verification *v)
{
	bool named_missing = false;
	if (!read_published(v) || !read_scene(v))
		return CODE_REFUSED;
	note_version(v);
	v->cl = clx_open(v->device, v->scene->dim, false, &named_missing);
	if (!v->cl)
		return named_missing ? CODE_REFUSED : CODE_FAILED;
	v->sim = sim_create(v->scene, v->cl);
	return v->sim && compare(v) ? CODE_DONE : CODE_FAILED;
}

static enum exit_code run_command(const struct command *self, char **arguments, char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct verification v = {0};
	const char *value;
	for (;;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (!v.path) {
				message_error("verify needs the run.json of a run");
				return CODE_REFUSED;
			}
			enum exit_code code = verify(&v);
			sim_destroy(v.sim);
			clx_close(v.cl);
			scene_free(v.scene);
			published_run_free(&v.published);
			return code;
		case OPTION_OPERAND:
			if (v.path) {
				message_error("verify takes one path: '%.200s' or '%.200s'?",
					      v.path, value);
				return CODE_REFUSED;
			}
			v.path = value;
			break;
		case OPTION_DEVICE:
			if (!*value) {
				message_error("--device needs the name of a device");
				return CODE_REFUSED;
			}
			v.device = value;
			break;
		case OPTION_QUIET:
			v.quiet = true;
			break;
		case OPTION_HELP_ME:
			command_print_help(self);
			return CODE_DONE;
		default:
			return CODE_REFUSED;
		}
	}
}

const struct command command_verify = {
	.name = "verify",
	.usage = "RUN.json | DIR  [-d DEVICE] [--quiet]",
	.summary = "runs a published run again and compares the state hash of every frame",
	.details = "The scene is the echo in run.json; nothing is written.  The first frame that "
		   "differs is\nnamed.\n\nExit codes: 0 all frames are equal, 1 one differs or the "
		   "run failed, 2 no such run or\ndevice.",
	.options = options,
	.run = run_command,
};
