#include "run_json_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "file_read.h"
#include "message.h"

#define MOST_BYTES ((size_t)1 << 30)

void published_run_free(struct published_run *run)
{
	free(run->version);
	free(run->status);
	free(run->error);
	free(run->git);
	free(run->scene_path);
	free(run->scene);
	free(run->frames);
	*run = (struct published_run){0};
}

static const yaml_node_t *find_member(yaml_document_t *document, const yaml_node_t *object,
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

static const char *scalar_text(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
						      : NULL;
}

/* The text between two marks, which count characters. */
static char *copy_between(const char *text, size_t length, const yaml_node_t *node)
{
	size_t start = 0, end = 0, character = 0;
	for (size_t i = 0; i < length; i++) {
		if (((unsigned char)text[i] & 0xc0) == 0x80)
			continue;
		if (character == node->start_mark.index)
			start = i;
		if (character == node->end_mark.index)
			end = i;
		character++;
	}
	if (end <= start)
		return NULL;
	char *part = malloc(end - start + 1);
	if (part) {
		memcpy(part, text + start, end - start);
		part[end - start] = '\0';
	}
	return part;
}

/* *copy stays NULL for what is not there.  False for lack of memory. */
static bool copy_text(const char *text, char **copy)
{
	return !text || (*copy = strdup(text)) != NULL;
}

bool published_frame_read(const char *number, const char *hash, struct published_frame *frame)
{
	char *end;
	if (!number || !hash || strlen(hash) != 16 || strspn(hash, "0123456789abcdef") != 16)
		return false;
	const long value = strtol(number, &end, 10);
	*frame = (struct published_frame){(int)value, strtoull(hash, NULL, 16)};
	return *number >= '0' && *number <= '9' && !*end && value <= INT32_MAX;
}

static bool read_frames(yaml_document_t *document, const yaml_node_t *frames,
			struct published_run *run)
{
	if (!frames || frames->type != YAML_SEQUENCE_NODE)
		return false;
	const yaml_node_item_t *first = frames->data.sequence.items.start;
	const size_t count = (size_t)(frames->data.sequence.items.top - first);
	run->frames = calloc(count + 1, sizeof(*run->frames));
	for (size_t i = 0; run->frames && i < count; i++) {
		const yaml_node_t *entry = yaml_document_get_node(document, first[i]);
		if (!published_frame_read(scalar_text(find_member(document, entry, "frame")),
					  scalar_text(find_member(document, entry, "hash")),
					  &run->frames[i]))
			return false;
		run->frame_count++;
	}
	return run->frames != NULL;
}

static bool read_document(yaml_document_t *document, const char *text, size_t length,
			  struct published_run *run)
{
	const yaml_node_t *root = yaml_document_get_root_node(document);
	const char *program = scalar_text(find_member(document, root, "program"));
	const yaml_node_t *scene = find_member(document, root, "scene");
	if (!program || strcmp(program, "freshet") != 0 || !scene ||
	    scene->type != YAML_MAPPING_NODE)
		return false;
	if (!copy_text(scalar_text(find_member(document, root, "version")), &run->version) ||
	    !copy_text(scalar_text(find_member(document, root, "git")), &run->git) ||
	    !copy_text(scalar_text(find_member(document, root, "status")), &run->status) ||
	    !copy_text(scalar_text(find_member(document, root, "error")), &run->error) ||
	    !copy_text(scalar_text(find_member(document, root, "scene_path")), &run->scene_path))
		return false;
	run->scene = copy_between(text, length, scene);
	const char *fps =
		scalar_text(find_member(document, find_member(document, scene, "time"), "fps"));
	run->fps = fps ? strtod(fps, NULL) : 0.0;
	return run->version && run->git && run->scene &&
	       read_frames(document, find_member(document, root, "frames"), run);
}

bool run_json_read(const char *path, struct published_run *run)
{
	char reason[FILE_READ_REASON];
	size_t length;
	yaml_parser_t parser;
	yaml_document_t document;
	bool ok = false;
	*run = (struct published_run){0};
	char *text = file_read(path, MOST_BYTES, &length, reason);
	if (!text)
		return file_refuse(path, reason);
	/* JSON is YAML. */
	errno = 0;
	if (yaml_parser_initialize(&parser)) {
		yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
		if (yaml_parser_load(&parser, &document)) {
			ok = read_document(&document, text, length, run);
			yaml_document_delete(&document);
		}
		yaml_parser_delete(&parser);
	}
	const bool memory_short = !ok && errno == ENOMEM;
	free(text);
	if (!ok)
		published_run_free(run);
	if (memory_short)
		message_error("'%s' does not fit into memory", path);
	else if (!ok)
		message_error("'%s' is not a run.json of freshet", path);
	errno = memory_short ? ENOMEM : 0;
	return ok;
}
