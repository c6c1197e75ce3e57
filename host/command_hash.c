/* freshet hash */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

#include "checkpoint.h"
#include "commands.h"
#include "file.h"
#include "message.h"
#include "run_json.h"
#include "stats_read.h"

static const struct option options[] = {
	OPTION_HELP,
	OPTION_LAST,
};

static const yaml_node_t *member(yaml_document_t *document, const yaml_node_t *object,
				 const char *key)
{
	if (!object || object->type != YAML_MAPPING_NODE)
		return NULL;
	for (const yaml_node_pair_t *pair = object->data.mapping.pairs.start;
	     pair < object->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = yaml_document_get_node(document, pair->key);
		if (name && name->type == YAML_SCALAR_NODE &&
		    strcmp((const char *)name->data.scalar.value, key) == 0)
			return yaml_document_get_node(document, pair->value);
	}
	return NULL;
}

static const char *scalar(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
						      : NULL;
}

/* Prints the frames of a run.json.  False, silently, if it is not one. */
static bool print_frames(yaml_document_t *document, bool skip_running, size_t *count)
{
	const yaml_node_t *root = yaml_document_get_root_node(document);
	const char *status = scalar(member(document, root, "status"));
	const yaml_node_t *frames = member(document, root, "frames");
	if (!frames || frames->type != YAML_SEQUENCE_NODE)
		return false;
	/* Written when a run begins, or is resumed: other files know more. */
	if (skip_running && status && strcmp(status, "running") == 0)
		return true;
	for (const yaml_node_item_t *item = frames->data.sequence.items.start;
	     item < frames->data.sequence.items.top; item++) {
		const yaml_node_t *entry = yaml_document_get_node(document, *item);
		const char *frame = scalar(member(document, entry, "frame"));
		const char *hash = scalar(member(document, entry, "hash"));
		if (!frame || !hash)
			return false;
		printf("%s %s\n", frame, hash);
		++*count;
	}
	return true;
}

/* JSON is YAML, so the scene reader's library serves. */
static bool print_from_json(const char *path, bool skip_running, size_t *count)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return message_error("cannot read '%s': %s", path, strerror(errno));
	bool ok = false;
	yaml_parser_t parser;
	yaml_document_t document;
	if (!yaml_parser_initialize(&parser)) {
		message_error("out of memory");
		goto out;
	}
	yaml_parser_set_input_file(&parser, file);
	if (yaml_parser_load(&parser, &document)) {
		ok = print_frames(&document, skip_running, count);
		yaml_document_delete(&document);
	}
	yaml_parser_delete(&parser);
	if (!ok)
		message_error("'%s' is not a run.json of freshet", path);
out:
	fclose(file);
	return ok;
}

/* A run that was killed has its hashes in stats.csv only. */
static bool print_from_stats(const char *path)
{
	struct published_frame *frames;
	size_t count;
	if (!stats_read_frames(path, &frames, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		printf("%d %016" PRIx64 "\n", frames[i].frame, frames[i].hash);
	free(frames);
	return true;
}

static bool print_from_directory(const char *directory)
{
	char *json = file_join(directory, RUN_JSON_NAME);
	char *stats = file_join(directory, "stats.csv");
	struct stat status;
	size_t count = 0;
	bool ok = json && stats;
	if (ok && stat(json, &status) != 0 && stat(stats, &status) != 0)
		ok = message_error("'%s' holds no run (neither run.json nor stats.csv)", directory);
	else if (ok && stat(json, &status) == 0)
		ok = print_from_json(json, stat(stats, &status) == 0, &count);
	if (ok && count == 0)
		ok = print_from_stats(stats);
	free(stats);
	free(json);
	return ok;
}

/* The hash of the last complete frame. */
static bool print_from_checkpoint(const char *path)
{
	struct checkpoint checkpoint;
	char reason[CHECKPOINT_REASON];
	if (!checkpoint_read(path, false, &checkpoint, reason))
		return message_error("'%s' %s", path, reason);
	const struct frame_record *last = &checkpoint.summary.frames[checkpoint.frame];
	printf("%d %016" PRIx64 "\n", last->frame, last->hash);
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
	if (stat(path, &status) != 0)
		ok = message_error("cannot read '%s': %s", path, strerror(errno));
	else if (S_ISDIR(status.st_mode))
		ok = print_from_directory(path);
	else if (has_ending(path, ".h5"))
		ok = print_from_checkpoint(path);
	else
		ok = print_from_json(path, false, &count);
	return ok ? CODE_DONE : CODE_REFUSED;
}

static enum exit_code run_command(const struct command *self, char **arguments, char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value, *path = NULL;
	for (;;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (path)
				return print_hashes(path);
			message_error(
				"hash needs a directory of results, its run.json or a checkpoint");
			return CODE_REFUSED;
		case OPTION_OPERAND:
			if (path) {
				message_error("hash takes one path: '%.200s' or '%.200s'?", path,
					      value);
				return CODE_REFUSED;
			}
			path = value;
			break;
		case 0:
			command_print_help(self);
			return CODE_DONE;
		default:
			return CODE_REFUSED;
		}
	}
}

const struct command command_hash = {
	.name = "hash",
	.usage = "DIR | DIR/run.json | CHECKPOINT.h5",
	.summary = "prints the state hash of every frame of a run, a line 'FRAME HASH' each",
	.details = "Of a checkpoint: that of its last complete frame.  Equal hashes mean equal "
		   "states: every particle's position and velocity, bit by "
		   "bit.",
	.options = options,
	.run = run_command,
};
