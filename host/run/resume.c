#include "resume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "numbered_files.h"
#include "run.h"
#include "run_json.h"
#include "run_json_read.h"
#include "scene_compare.h"
#include "version.h"

/* ---- the files ---------------------------------------------------------------------------- */

static char *checkpoint_path(const struct run *run, const char *name)
{
	char *folder = file_join(run->directory.path, numbered_kinds[NUMBERED_CHECKPOINTS].folder);
	char *path = folder ? file_join(folder, name) : NULL;
	free(folder);
	return path;
}

/* ---- finding ------------------------------------------------------------------------------ */

static bool remember_refused(struct resume *resume, const char *name)
{
	char **grown = realloc(resume->refused, (resume->refused_count + 1) * sizeof(*grown));
	char *copy = grown ? strdup(name) : NULL;
	if (grown)
		resume->refused = grown;
	if (!copy)
		return message_memory(strlen(name) + 1, "the name of a refused checkpoint");
	resume->refused[resume->refused_count++] = copy;
	return true;
}

/* A scene of a run as this version tells it: with the defaults of keys that were not there when it
 * was written.  NULL after reporting. */
static char *tell_anew(const char *text, const char *where)
{
	struct scene *scene = scene_read_text(text, strlen(text), where);
	char *told = scene ? scene_to_json(scene, 0) : NULL;
	scene_free(scene);
	return told;
}

/* Is `before`, from `where`, the same scene?  Reports if not. */
static enum exit_code compare_scene(const struct run *run, const char *before, const char *where)
{
	struct scene_differences differences;
	char *then = tell_anew(before, where);
	if (!then) /* such as one whose mesh has changed */
		return errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
	char *now = scene_to_json(run->scene, 0);
	const bool ok = then && now && scene_compare(then, now, &differences);
	free(then);
	free(now);
	if (!ok)
		return CODE_FAILED;
	if (differences.count == 0)
		return CODE_DONE;
	message_error("cannot resume: '%s' is of another scene (give the same --set again; "
		      "--overwrite starts anew, -o DIR keeps both); these keys differ:",
		      where);
	scene_report_differences(&differences);
	return CODE_REFUSED;
}

static enum exit_code judge_checkpoint(const struct run *run, const char *path)
{
	const struct checkpoint *c = &run->resume.from;
	const enum exit_code code = compare_scene(run, c->scene, path);
	if (code != CODE_DONE)
		return code;
	if (c->frame + (c->substep > 0) > run->scene->time.frames) {
		message_error("cannot resume: '%s' is at frame %d%s, beyond the last frame %d "
			      "(--frames with a greater number goes on, --overwrite starts anew)",
			      path, c->frame, c->substep > 0 ? " and on the way to the next" : "",
			      run->scene->time.frames);
		return CODE_REFUSED;
	}
	if (strcmp(c->version, FRESHET_VERSION) != 0 || strcmp(c->git, FRESHET_GIT) != 0)
		message_warning(
			"'%s' was written by freshet %s (%s), this is %s (%s): what follows "
			"may differ in bits from an uninterrupted run",
			path, c->version, c->git, FRESHET_VERSION, FRESHET_GIT);
	return CODE_DONE;
}

/* Nothing to go on from: the run may begin again, but only in place of itself. */
static enum exit_code begin_again(struct run *run, bool other_version)
{
	if (other_version) { /* the program that wrote it can go on from it */
		message_error(
			"cannot resume: no checkpoint in '%s' that this version of freshet reads "
			"(the version that wrote it goes on from it; --overwrite begins at frame "
			"0)",
			run->directory.path);
		return CODE_REFUSED;
	}
	struct published_run published;
	enum exit_code code = CODE_DONE;
	char *path = file_join(run->directory.path, RUN_JSON_NAME);
	if (!path)
		return CODE_FAILED;
	if (run->directory.occupied && !run_json_read(path, &published)) {
		code = errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
		message_error("cannot resume: what '%s' holds cannot be told (--overwrite "
			      "replaces it, -o DIR keeps it)",
			      run->directory.path);
	} else if (run->directory.occupied) {
		code = compare_scene(run, published.scene, path);
		published_run_free(&published);
	}
	free(path);
	if (code == CODE_DONE)
		message_warning("no usable checkpoint in '%s': starting at frame 0 (one is written "
				"every five minutes, on Ctrl-C, and as output.checkpoint says)",
				run->directory.path);
	return code;
}

static enum exit_code refuse_checkpoint(struct resume *resume, const char *name, const char *path,
					const char *reason)
{
	message_warning("'%s' %s: not used", path, reason);
	return remember_refused(resume, name) ? CODE_DONE : CODE_FAILED;
}

/* The latest of those that were not tried yet. */
static enum exit_code find_next_checkpoint(struct run *run)
{
	struct resume *resume = &run->resume;
	enum exit_code code = CODE_DONE;
	while (code == CODE_DONE && resume->untried > 0 && !resume->found) {
		char name[NUMBERED_NAME], reason[FILE_READ_REASON];
		numbered_file_name(NUMBERED_CHECKPOINTS, resume->frames[--resume->untried], name);
		char *path = checkpoint_path(run, name);
		if (!path) {
			code = CODE_FAILED;
		} else if (checkpoint_read(path, true, &resume->from, reason)) {
			resume->found = true;
			code = judge_checkpoint(run, path);
		} else if (errno == ENOMEM) {
			message_error("cannot resume: '%s' %s", path, reason);
			code = CODE_FAILED;
		} else {
			resume->other_version = resume->other_version || errno == ENOTSUP;
			code = refuse_checkpoint(resume, name, path, reason);
		}
		free(path);
	}
	if (code == CODE_DONE && !resume->found)
		code = begin_again(run, resume->other_version);
	return code;
}

enum exit_code resume_find(struct run *run)
{
	struct resume *resume = &run->resume;
	if (!run->options->resume)
		return CODE_DONE;
	return numbered_files_list(run->directory.path, NUMBERED_CHECKPOINTS, &resume->frames,
				   &resume->untried)
		       ? find_next_checkpoint(run)
		       : CODE_FAILED;
}

/* ---- going on ----------------------------------------------------------------------------- */

/* The file's state was put into the simulation: the particles are there, the totals go on. */
static bool take_totals_over(struct run *run)
{
	struct checkpoint *c = &run->resume.from;
	checkpoint_state_free(&c->state);
	run->summary = c->summary;
	c->summary = (struct summary){0};
	int *grown = realloc(c->resumed_at, (c->resumed_count + 1) * sizeof(*grown));
	if (!grown)
		return message_memory((c->resumed_count + 1) * sizeof(*grown),
				      "the list of resumptions");
	c->resumed_at = grown;
	c->resumed_at[c->resumed_count++] = c->frame;
	return true;
}

enum exit_code resume_restore(struct run *run)
{
	struct resume *resume = &run->resume;
	enum exit_code code = CODE_DONE;
	while (code == CODE_DONE && resume->found) {
		char name[NUMBERED_NAME], reason[FILE_READ_REASON];
		if (checkpoint_restore(&resume->from, run->sim, reason))
			return take_totals_over(run) ? CODE_DONE : CODE_FAILED;
		if (!*reason)
			return CODE_FAILED;
		numbered_file_name(NUMBERED_CHECKPOINTS, resume->frames[resume->untried], name);
		char *path = checkpoint_path(run, name);
		code = path ? refuse_checkpoint(resume, name, path, reason) : CODE_FAILED;
		free(path);
		checkpoint_free(&resume->from);
		resume->found = false;
		if (code == CODE_DONE)
			code = find_next_checkpoint(run);
	}
	return code;
}

bool resume_begin(struct run *run)
{
	struct resume *resume = &run->resume;
	const struct checkpoint *c = &resume->from;
	for (size_t i = 0; i < resume->refused_count; i++) {
		char aside[NUMBERED_NAME + 16];
		snprintf(aside, sizeof(aside), "%s.refused", resume->refused[i]);
		char *path = checkpoint_path(run, resume->refused[i]),
		     *to = checkpoint_path(run, aside);
		const bool ok = path && to &&
				(rename(path, to) == 0 ||
				 message_error("cannot rename '%s': %s", path, strerror(errno)));
		free(path);
		free(to);
		if (!ok)
			return false;
	}
	return !resume->found ||
	       report_take_over(&run->report, c->warnings, (size_t)c->warnings_dropped);
}

void resume_free(struct resume *resume)
{
	checkpoint_free(&resume->from);
	free(resume->frames);
	for (size_t i = 0; i < resume->refused_count; i++)
		free(resume->refused[i]);
	free(resume->refused);
	*resume = (struct resume){0};
}
