/* Where liquid appears inside the box. */
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "scene_shape.h"
#include "sources/scene_openings.h"

static const struct scene_opening_kind emitters = {"emitter", SECTION_EMITTERS};

static void read_emitter(struct scene_reader *reader, const struct scene_node *entry, size_t index)
{
	struct scene_emitter *emitter = &reader->scene->emitters[index];
	struct scene_bounds bounds;
	char path[SCENE_NODE_PATH];
	if (!scene_keys_check(reader, entry, SECTION_EMITTERS))
		return;
	scene_read_name(reader, entry, emitters.one, index, &emitter->name);
	if (scene_shape_read(reader, entry, false, &emitter->shape, &bounds)) {
		memcpy(emitter->low, bounds.low, sizeof(emitter->low));
		memcpy(emitter->high, bounds.high, sizeof(emitter->high));
	}
	if (emitter->shape.mesh_count > 0)
		scene_node_error(&reader->errors, entry, "'%s' is a mesh (only other shapes emit)",
				 scene_node_path(entry, path));
	scene_keys_read(reader, entry, SECTION_EMITTERS, KEY_ALL_KINDS, emitter);
	scene_source_liquid(reader, entry, &emitters, &emitter->liquid);
}

void scene_read_emitters(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_source_list(reader, root, "emitters");
	if (!list)
		return;
	scene->emitters = calloc(list->count, sizeof(*scene->emitters));
	if (!scene->emitters) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->emitter_count = list->count;
	for (size_t i = 0; i < list->count; i++)
		read_emitter(reader, list->children[i], i);
}
