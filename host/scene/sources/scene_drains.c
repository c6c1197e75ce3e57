/* Where liquid vanishes. */
#include <stdlib.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "scene_shape.h"

static void read_drain(struct scene_reader *reader, const struct scene_node *entry, size_t index)
{
	struct scene_drain *drain = &reader->scene->drains[index];
	struct scene_bounds bounds;
	char path[SCENE_NODE_PATH];
	if (!scene_keys_check(reader, entry, SECTION_DRAINS))
		return;
	scene_read_name(reader, entry, "drain", index, &drain->name);
	scene_shape_read(reader, entry, false, &drain->shape, &bounds);
	if (drain->shape.mesh_count > 0)
		scene_node_error(&reader->errors, entry, "'%s' is a mesh (only other shapes drain)",
				 scene_node_path(entry, path));
	scene_keys_read(reader, entry, SECTION_DRAINS, KEY_ALL_KINDS, drain);
	const struct scene_node *rate = scene_node_get(entry, "rate");
	if (rate && !(drain->rate > 0.0) && reader->errors.count == 0)
		scene_node_error(&reader->errors, rate,
				 "'%s' must be more than 0 (without it, all that comes in is gone)",
				 scene_node_path(rate, path));
}

void scene_read_drains(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_value_list(reader, root, "drains");
	if (!list || list->count == 0)
		return;
	const double most = scene_key(SECTION_ROOT, "drains")->high;
	if ((double)list->count > most) {
		scene_node_error(&reader->errors, list, "'drains' has %zu entries (at most %.0f)",
				 list->count, most);
		return;
	}
	scene->drains = calloc(list->count, sizeof(*scene->drains));
	if (!scene->drains) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->drain_count = list->count;
	for (size_t i = 0; i < list->count; i++)
		read_drain(reader, list->children[i], i);
}
