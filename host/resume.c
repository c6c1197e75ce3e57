#include "resume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint_names.h"
#include "message.h"
#include "run.h"
#include "run_json.h"
#include "run_json_read.h"
#include "scene_compare.h"
#include "tables.h"
#include "version.h"

/* ---- the files ---------------------------------------------------------------------------- */

static char *path_of(const struct run *run, const char *name)
{
	char *directory = file_join(run->output.directory, CHECKPOINT_DIRECTORY);
	char *path = directory ? file_join(directory, name) : NULL;
	free(directory);
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
		return message_error("out of memory");
	resume->refused[resume->refused_count++] = copy;
	return true;
}

/* A file that grew must still have what it had at the checkpoint. */
static bool has_bytes(const struct run *run, const char *name, int64_t bytes,
		      char reason[CHECKPOINT_REASON])
{
	struct stat status;
	char *path = file_join(run->output.directory, name);
	const bool there = path && bytes > 0 && stat(path, &status) == 0;
	const bool ok = path && (!there || status.st_size >= bytes);
	if (!path)
		snprintf(reason, CHECKPOINT_REASON, "cannot be compared with '%s'", name);
	else if (!ok)
		snprintf(reason, CHECKPOINT_REASON,
			 "does not fit to '%s', which has lost lines since (%lld of %lld bytes)",
			 name, (long long)status.st_size, (long long)bytes);
	errno = path ? 0 : ENOMEM;
	free(path);
	return ok;
}

/* False with the reason; for lack of memory, which says nothing about the file, with ENOMEM. */
static bool read_candidate(struct run *run, const char *path, char reason[CHECKPOINT_REASON])
{
	struct checkpoint *c = &run->resume.from;
	if (!checkpoint_read(path, true, c, reason))
		return false;
	if (has_bytes(run, "stats.csv", c->stats_bytes, reason) &&
	    has_bytes(run, "probes.csv", c->probes_bytes, reason) &&
	    has_bytes(run, "log.txt", c->log_bytes, reason))
		return true;
	const int code = errno;
	checkpoint_free(c);
	errno = code;
	return false;
}

/* Is `before`, from `where`, the same scene?  Reports if not. */
static enum exit_code compare_scene(const struct run *run, const char *before, const char *where)
{
	struct scene_differences *differences = calloc(1, sizeof(*differences));
	char *now = differences ? scene_to_json(run->scene, 0) : NULL;
	enum exit_code code = CODE_FAILED;
	if (!now) {
		message_error("out of memory");
	} else if (scene_compare(before, now, differences)) {
		code = differences->count == 0 ? CODE_DONE : CODE_REFUSED;
		if (code == CODE_REFUSED) {
			message_error("cannot resume: '%s' is of another scene; these keys differ:",
				      where);
			scene_report_differences(differences);
		}
	}
	free(now);
	free(differences);
	return code;
}

static enum exit_code judge(const struct run *run, const char *path)
{
	const struct checkpoint *c = &run->resume.from;
	const enum exit_code code = compare_scene(run, c->scene, path);
	if (code != CODE_DONE)
		return code;
	if (c->frame + (c->substep > 0) > run->scene->time.frames) {
		message_error("cannot resume: '%s' is at frame %d%s, beyond the last frame %d",
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
static enum exit_code begin_again(struct run *run)
{
	struct published_run published;
	enum exit_code code = CODE_DONE;
	char *path = file_join(run->output.directory, RUN_JSON_NAME);
	if (!path)
		return CODE_FAILED;
	if (run->output.occupied && !run_json_read(path, &published)) {
		code = errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
		message_error("cannot resume: what '%s' holds cannot be told (--overwrite "
			      "replaces it)",
			      run->output.directory);
	} else if (run->output.occupied) {
		code = compare_scene(run, published.scene, path);
		published_run_free(&published);
	}
	free(path);
	if (code == CODE_DONE)
		message_warning("no usable checkpoint in '%s': starting at frame 0",
				run->output.directory);
	return code;
}

enum exit_code resume_find(struct run *run)
{
	struct resume *resume = &run->resume;
	int *frames = NULL;
	size_t count = 0;
	if (!run->options->resume)
		return CODE_DONE;
	char *directory = file_join(run->output.directory, CHECKPOINT_DIRECTORY);
	enum exit_code code =
		directory && checkpoint_list(directory, &frames, &count) ? CODE_DONE : CODE_FAILED;
	for (size_t i = 0; code == CODE_DONE && i < count && !resume->found; i++) {
		char name[CHECKPOINT_NAME], reason[CHECKPOINT_REASON];
		checkpoint_name(frames[i], name);
		char *path = path_of(run, name);
		if (!path) {
			code = CODE_FAILED;
		} else if (read_candidate(run, path, reason)) {
			resume->found = true;
			code = judge(run, path);
		} else if (errno == ENOMEM) {
			message_error("cannot resume: '%s' %s", path, reason);
			code = CODE_FAILED;
		} else {
			message_warning("'%s' %s: not used", path, reason);
			code = remember_refused(resume, name) ? CODE_DONE : CODE_FAILED;
		}
		free(path);
	}
	free(directory);
	free(frames);
	if (code == CODE_DONE && !resume->found)
		code = begin_again(run);
	return code;
}

/* ---- going on ----------------------------------------------------------------------------- */

bool resume_restore(struct run *run)
{
	struct checkpoint *c = &run->resume.from;
	struct checkpoint_particles *p = &c->particles;
	if (!checkpoint_restore(c, run->sim))
		return false;
	free(p->position);
	free(p->velocity);
	free(p->affine);
	free(p->id);
	*p = (struct checkpoint_particles){0};
	run->summary = c->summary;
	c->summary = (struct summary){0};
	int *grown = realloc(c->resumed_at, (c->resumed_count + 1) * sizeof(*grown));
	if (!grown)
		return message_error("out of memory");
	c->resumed_at = grown;
	c->resumed_at[c->resumed_count++] = c->frame;
	return true;
}

/* Does probes.csv begin with another line than that of the scene's probes? */
static bool probes_changed(const struct run *run, const char *path)
{
	/* Columns and text of the first line are the business of tables.c. */
	struct append_file line = {.path = strdup(path), .fd = -1};
	char *found = NULL;
	size_t capacity = 0;
	FILE *file = line.path ? fopen(path, "r") : NULL;
	bool changed = false;
	if (file) {
		probes_write_header(&line, run->scene);
		const ssize_t length = getline(&found, &capacity, file);
		changed = length < 0 || (size_t)length != line.length ||
			  memcmp(found, line.pending, line.length) != 0;
		fclose(file);
	}
	free(found);
	free(line.pending);
	free(line.path);
	return changed;
}

/* Rows of other probes stay under another name. */
static bool keep_probes(struct run *run)
{
	struct checkpoint *c = &run->resume.from;
	char name[CHECKPOINT_NAME];
	snprintf(name, sizeof(name), "probes_before_frame_%06d.csv", c->frame);
	char *path = file_join(run->output.directory, "probes.csv");
	char *aside = file_join(run->output.directory, name);
	bool ok = path && aside;
	if (ok && c->probes_bytes > 0 && run->scene->output.probe_count > 0 &&
	    probes_changed(run, path)) {
		ok = truncate(path, (off_t)c->probes_bytes) == 0 && rename(path, aside) == 0;
		if (ok)
			message_warning("other probes than before: the rows so far are in '%s'",
					aside);
		else
			message_error("cannot rename '%s': %s", path, strerror(errno));
		c->probes_bytes = -1;
	}
	free(path);
	free(aside);
	return ok;
}

/* A file that is no longer written ends where the checkpoint is, too. */
static bool cut_file(const struct run *run, const char *name, bool written, int64_t bytes)
{
	char *path = file_join(run->output.directory, name);
	const bool ok = path && (written || bytes < 0 || truncate(path, (off_t)bytes) == 0 ||
				 errno == ENOENT ||
				 message_error("cannot shorten '%s': %s", path, strerror(errno)));
	free(path);
	return ok;
}

bool resume_begin(struct run *run)
{
	struct resume *resume = &run->resume;
	const struct checkpoint *c = &resume->from;
	for (size_t i = 0; i < resume->refused_count; i++) {
		char aside[CHECKPOINT_NAME + 16];
		snprintf(aside, sizeof(aside), "%s.refused", resume->refused[i]);
		char *path = path_of(run, resume->refused[i]), *to = path_of(run, aside);
		const bool ok = path && to &&
				(rename(path, to) == 0 ||
				 message_error("cannot rename '%s': %s", path, strerror(errno)));
		free(path);
		free(to);
		if (!ok)
			return false;
	}
	return !resume->found ||
	       (report_take_over(&run->report, c->warnings, (size_t)c->warnings_dropped) &&
		keep_probes(run) &&
		cut_file(run, "stats.csv", run->scene->output.stats, c->stats_bytes) &&
		cut_file(run, "probes.csv", run->scene->output.probe_count > 0, c->probes_bytes));
}

int64_t resume_kept_bytes(const struct run *run, const char *name, int64_t bytes)
{
	char *path = file_join(run->output.directory, name);
	const bool wanted = run->resume.found && bytes > 0;
	const bool kept = wanted && path && (access(path, F_OK) == 0 || errno != ENOENT);
	if (wanted && path && !kept)
		message_warning("'%s' is no longer there: it begins again behind frame %d", path,
				run->resume.from.frame);
	free(path);
	return kept ? bytes : 0;
}

void resume_free(struct resume *resume)
{
	checkpoint_free(&resume->from);
	for (size_t i = 0; i < resume->refused_count; i++)
		free(resume->refused[i]);
	free(resume->refused);
	*resume = (struct resume){0};
}
