/* freshet verify */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clx.h"
#include "commands.h"
#include "file.h"
#include "message.h"
#include "read_points.h"
#include "run_json.h"
#include "run_json_read.h"
#include "scene.h"
#include "sim_memory.h"
#include "sim_view.h"
#include "stage_hash.h"
#include "version.h"

enum { OPTION_DEVICE, OPTION_STAGES, OPTION_WRITE_STAGES, OPTION_QUIET, OPTION_HELP_ME };

static const struct option options[] = {
	{"device", 'd', "DEVICE",
	 "gpu, cpu, native, P:D (see 'freshet devices') or part of a name"},
	{"stages", 0, "FILE", "compares every stage with FILE, too; slow"},
	{"write-stages", 0, "FILE", "writes a hash of what every stage makes; slow"},
	{"quiet", 'q', NULL, "prints nothing but errors"},
	OPTION_HELP,
	OPTION_LAST,
};

/* Everything lives as long as the command.  Arguments are borrowed. */
struct verification {
	const char *path, *device;
	const char *stages, *write_stages; /* paths */
	FILE *read, *written;		   /* what they name, while open */
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
	const int code = errno;
	free(inside);
	if (ok && v->published.frame_count == 0)
		ok = message_error("'%s' holds no frame to compare with: the run ended before "
				   "its first one, or still goes on",
				   v->path);
	errno = ok ? 0 : code;
	return ok;
}

static bool read_echoed_scene(struct verification *v)
{
	const struct published_run *p = &v->published;
	/* Paths in a scene are relative to it. */
	v->scene = scene_read_text(p->scene, strlen(p->scene),
				   p->scene_path ? p->scene_path : v->path);
	return v->scene != NULL && read_points(v->scene);
}

/* The program that published it may have been another. */
static void note_version(const struct verification *v)
{
	const struct published_run *p = &v->published;
	if (strcmp(p->version, FRESHET_VERSION) != 0 || strcmp(p->git, FRESHET_GIT) != 0)
		message_warning("the run was made with freshet %s (%s), this is %s (%s)",
				p->version, p->git, FRESHET_VERSION, FRESHET_GIT);
}

/* ---- stages ------------------------------------------------------------------------------- */

#define STAGE_LINE 128
static const char stage_header[] = "frame,substep,attempt,stage,hash\n";

static bool open_stages(struct verification *v)
{
	char line[STAGE_LINE];
	if (v->stages && !(v->read = fopen(v->stages, "r")))
		return message_error("cannot read '%s': %s", v->stages, strerror(errno));
	if (v->read && !(fgets(line, sizeof(line), v->read) && strcmp(line, stage_header) == 0))
		return message_error("'%s' was not written by verify --write-stages", v->stages);
	if (v->write_stages && !(v->written = fopen(v->write_stages, "w")))
		return message_error("cannot create '%s': %s", v->write_stages, strerror(errno));
	if (v->written)
		fputs(stage_header, v->written);
	return true;
}

static bool close_stages(struct verification *v)
{
	bool ok = true;
	if (v->read)
		fclose(v->read);
	if (v->written) {
		ok = !ferror(v->written);
		ok = fclose(v->written) == 0 && ok;
	}
	v->read = v->written = NULL;
	return ok || message_error("cannot write '%s': %s", v->write_stages, strerror(errno));
}

/* The file may end earlier than the run. */
static bool compare_stage(struct verification *v, const struct sim_attempt *at, size_t stage,
			  const char *line)
{
	char expected[STAGE_LINE];
	if (!v->read)
		return true;
	if (!fgets(expected, sizeof(expected), v->read)) {
		fclose(v->read);
		v->read = NULL;
		return true;
	}
	if (strcmp(expected, line) == 0)
		return true;
	expected[strcspn(expected, "\n")] = '\0';
	return message_error("frame %d, substep %d, stage %s is the first that differs: \"%.*s\" "
			     "here, \"%s\" in '%s'",
			     at->frame, at->substep, sim_stage_name(v->sim, stage),
			     (int)strcspn(line, "\n"), line, expected, v->stages);
}

static bool hash_stage(struct sim *sim, size_t stage, void *user)
{
	struct verification *v = user;
	const struct sim_attempt at = sim_attempt_of(sim);
	char line[STAGE_LINE];
	u64 hash;
	if (!v->read && !v->written)
		return true;
	if (!stage_hash(sim, stage, &hash))
		return false;
	snprintf(line, sizeof(line), "%d,%d,%d,%s,%016" PRIx64 "\n", at.frame, at.substep,
		 at.attempt, sim_stage_name(v->sim, stage), hash);
	if (v->written)
		fputs(line, v->written);
	return compare_stage(v, &at, stage, line);
}

/* ---- frames ------------------------------------------------------------------------------- */

static bool compare_frame(const struct verification *v, const struct published_frame *frame)
{
	u64 hash;
	if (!sim_reach(v->sim, frame->frame, &hash))
		return false;
	if (hash != frame->hash)
		return message_error("frame %d is the first that differs: its hash is %016" PRIx64
				     " here and %016" PRIx64 " in '%s'%s",
				     frame->frame, hash, frame->hash, v->path,
				     v->stages
					     ? ""
					     : " (whether this device is sound: freshet doctor; to "
					       "find the stage: verify --write-stages FILE on a "
					       "device that agrees, then --stages FILE here)");
	if (!v->quiet) {
		printf("frame %d %016" PRIx64 " equal\n", frame->frame, hash);
		fflush(stdout);
	}
	return true;
}

static bool compare_run(struct verification *v)
{
	const struct published_run *p = &v->published;
	for (size_t i = 0; i < p->frame_count; i++) {
		if (p->frames[i].frame != (int)i)
			return message_error("'%s' lacks frame %zu: it was changed, or cut off",
					     v->path, i);
		if (!compare_frame(v, &p->frames[i]))
			return false;
	}
	if (!v->quiet)
		printf("verified on %s: frames 0 to %zu are equal, bit for bit\n",
		       clx_info(v->cl)->name, p->frame_count - 1);
	return true;
}

static enum exit_code verify_run(struct verification *v)
{
	bool named_missing = false;
	if (!read_published(v) || !read_echoed_scene(v))
		return errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
	if (!open_stages(v))
		return CODE_REFUSED;
	note_version(v);
	v->cl = clx_open(v->device, v->scene->dim, sim_is_small(v->scene), false, &named_missing);
	if (!v->cl)
		return named_missing ? CODE_REFUSED : CODE_FAILED;
	v->sim = sim_create(v->scene, v->cl);
	if (!v->sim)
		return CODE_FAILED;
	if (v->stages || v->write_stages)
		sim_watch_stages(v->sim, hash_stage, v);
	return compare_run(v) ? CODE_DONE : CODE_FAILED;
}

static enum exit_code run_verify_command(const struct command *self, char **arguments,
					 char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct verification v = {0};
	const char *value;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (!v.path) {
				message_error("verify needs a run's directory or run.json ("
					      "'freshet verify --help')");
				return CODE_REFUSED;
			}
			message_set_quiet(v.quiet);
			enum exit_code code = verify_run(&v);
			if (!close_stages(&v) && code == CODE_DONE)
				code = CODE_FAILED;
			sim_destroy(v.sim);
			clx_close(v.cl);
			scene_free(v.scene);
			published_run_free(&v.published);
			return code;
		case OPTION_OPERAND:
			ok = option_take_operand(&v.path, value, "verify takes one path");
			break;
		case OPTION_DEVICE:
			ok = option_take(&v.device, value, "device", "the name of a device");
			break;
		case OPTION_STAGES:
			v.stages = value;
			break;
		case OPTION_WRITE_STAGES:
			v.write_stages = value;
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
	return CODE_REFUSED;
}

const struct command command_verify = {
	.name = "verify",
	.usage = "RUN.json | DIR [-d DEVICE] [--write-stages FILE] [--stages FILE] [--quiet]",
	.summary = "runs a published run again and compares the state hash of every frame",
	.details =
		"The scene is the echo in run.json; no file of the run is changed.  The first\n"
		"frame that differs is named.  To find the stage as well: --write-stages on a\n"
		"device that agrees with the run, then --stages with that file on the one that\n"
		"does not.\n\n"
		"Exit codes: 0 all frames are equal, 1 one differs or the run failed, 2 no such run\n"
		"or device.",
	.options = options,
	.run = run_verify_command,
};
