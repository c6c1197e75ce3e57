/* Points that a liquid starts with: which file, and what it must be. */
#include <stdlib.h>
#include <string.h>

#include "keys/scene_file_path.h"
#include "keys/scene_key_values.h"
#include "output_kinds.h"
#include "scene_parts.h"
#include "scene_shape.h"

static bool has_format(const char *file)
{
	const char *ending = strrchr(file, '.');
	for (int f = 0; ending && f < PARTICLE_FORMAT_COUNT; f++)
		if (strcmp(ending + 1, particle_format_names[f]) == 0)
			return true;
	return false;
}

static void read_hash(struct scene_reader *reader, const struct scene_node *hash,
		      struct scene_points *points)
{
	char path[SCENE_NODE_PATH];
	if (hash->kind != SCENE_SCALAR || strlen(hash->text) != 16 ||
	    strspn(hash->text, "0123456789abcdef") != 16) {
		scene_node_error(&reader->errors, hash, "'%s' must be 16 hexadecimal digits",
				 scene_node_path(hash, path));
		return;
	}
	points->has_hash = true;
	points->hash = strtoull(hash->text, NULL, 16);
}

void scene_read_points(struct scene_reader *reader, const struct scene_node *entry,
		       struct scene_points *points)
{
	char path[SCENE_NODE_PATH];
	if (!scene_node_get(entry, "points"))
		return;
	const struct scene_node *mapping =
		scene_value_mapping(reader, entry, "points", SECTION_POINTS);
	if (!mapping)
		return;
	const struct scene_node *file = scene_node_get(mapping, "file");
	const struct scene_node *hash = scene_node_get(mapping, "hash");
	if (hash)
		read_hash(reader, hash, points);
	if (scene_shape_given(entry))
		scene_node_error(&reader->errors, mapping,
				 "'%s' stands beside a shape (a liquid has one of them)",
				 scene_node_path(mapping, path));
	if (!file) {
		scene_value_missing(reader, mapping, "file");
	} else if (file->kind != SCENE_SCALAR || scene_node_is_null(file) || !file->text[0]) {
		scene_node_error(&reader->errors, file, "'%s' must be the name of a file",
				 scene_node_path(file, path));
	} else if (!scene_file_is_name(file->text)) {
		scene_node_error(&reader->errors, file,
				 "'%s' is too long or has control characters",
				 scene_node_path(file, path));
	} else if (!has_format(file->text)) {
		scene_node_error(&reader->errors, file, "'%s' must end in .vtkhdf, .ply or .geo",
				 scene_node_path(file, path));
	} else {
		points->line = file->line;
		points->column = file->column;
		points->file = scene_file_path(reader, file->text);
		if (!points->file)
			scene_error_memory(&reader->errors);
	}
}
