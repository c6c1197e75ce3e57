/* freshet hash */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "checkpoint/checkpoint.h"
#include "commands.h"
#include "file.h"
#include "file_read.h"
#include "message.h"
#include "run_json.h"
#include "run_json_read.h"
#include "stats_csv_read.h"

static const struct option options[] = {
	OPTION_HELP,
	OPTION_LAST,
};

/* Is it as it was written when the run began, or was resumed?  Other files then know more.  A run
 * that could not write it again only changed its status: docs/output.md. */
static bool is_early(const struct published_run *run)
{
	return run->status && (strcmp(run->status, "running") == 0 ||
			       (strcmp(run->status, "failed") == 0 &&
				(!run->error || strcmp(run->error, "null") == 0)));
}

static bool print_from_json(const char *path, bool skip_early, size_t *count)
{
	struct published_run run;
	if (!run_json_read(path, &run))
		return false;
	if (skip_early && is_early(&run))
		run.frame_count = 0;
	for (size_t i = 0; i < run.frame_count; i++)
		printf("%d %016" PRIx64 "\n", run.frames[i].frame, run.frames[i].hash);
	*count += run.frame_count;
	published_run_free(&run);
	return true;
}

/* A run that was killed has its hashes in stats.csv only. */
static bool print_from_stats(const char *path, size_t *all)
{
	struct published_frame *frames;
	size_t count;
	if (!stats_csv_read_frames(path, &frames, &count))
		return false;
	*all += count;
	for (size_t i = 0; i < count; i++)
		printf("%d %016" PRIx64 "\n", frames[i].frame, frames[i].hash);
	free(frames);
	return true;
}

static bool print_from_directory(const char *directory, size_t *count)
{
	char *json = file_join(directory, RUN_JSON_NAME);
	char *stats = file_join(directory, "stats.csv");
	struct stat status;
	bool ok = json && stats;
	if (ok && stat(json, &status) != 0 && stat(stats, &status) != 0)
		ok = message_error("'%s' holds no run (neither run.json nor stats.csv)", directory);
	else if (ok && stat(json, &status) == 0)
		ok = print_from_json(json, stat(stats, &status) == 0, count);
	if (ok && *count == 0)
		ok = print_from_stats(stats, count);
	free(stats);
	free(json);
	return ok;
}

/* The hash of the last complete frame. */
static bool print_from_checkpoint(const char *path, size_t *count)
{
	struct checkpoint checkpoint;
	char reason[FILE_READ_REASON];
	if (!checkpoint_read(path, false, &checkpoint, reason))
		return file_refuse(path, reason);
	const struct frame_record *last = &checkpoint.summary.frames[checkpoint.frame];
	printf("%d %016" PRIx64 "\n", last->frame, last->hash);
	*count += 1;
	checkpoint_free(&checkpoint);
	return true;
}

static bool has_ending(const char *path, const char *ending)
{
	size_t length = strlen(path), needed = strlen(ending);
	return length >= needed && strcmp(path + length - needed, ending) == 0;
}

static enum exit_code print_hashes(const char *path)
{
	struct stat status;
	size_t count = 0;
	bool ok;
	errno = 0;
	if (stat(path, &status) != 0)
		ok = message_error("cannot read '%s': %s", path, strerror(errno));
	else if (S_ISDIR(status.st_mode))
		ok = print_from_directory(path, &count);
	else if (has_ending(path, ".h5"))
		ok = print_from_checkpoint(path, &count);
	else
		ok = print_from_json(path, false, &count);
	if (ok && count == 0)
		message_warning("'%s' holds no complete frame yet", path);
	return ok ? CODE_DONE : errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
}

static enum exit_code run_hash_command(const struct command *self, char **arguments,
				       char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value, *path = NULL;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (path)
				return print_hashes(path);
			message_error(
				"hash needs a directory of results, its run.json or a checkpoint "
				"('freshet hash --help')");
			return CODE_REFUSED;
		case OPTION_OPERAND:
			ok = option_take_operand(&path, value, "hash takes one path");
			break;
		case 0:
			command_print_help(self);
			return CODE_DONE;
		default:
			return CODE_REFUSED;
		}
	}
	return CODE_REFUSED;
}

const struct command command_hash = {
	.name = "hash",
	.usage = "DIR | DIR/run.json | CHECKPOINT.h5",
	.summary = "prints the state hash of every frame of a run, a line 'FRAME HASH' each",
	.details =
		"Of a checkpoint: that of its last complete frame.  Equal hashes mean equal states:\n"
		"every particle's position and velocity, bit by bit.",
	.options = options,
	.run = run_hash_command,
};
