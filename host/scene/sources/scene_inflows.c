/* Where liquid comes in. */
#include <stdlib.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "sources/scene_openings.h"

static const struct scene_opening_kind inflows = {"inflow", SECTION_INFLOWS};

static void check_velocity(struct scene_reader *reader, const struct scene_node *entry,
			   const struct scene_inflow *inflow)
{
	const int axis = (int)inflow->part.wall / 2;
	const double inward = inflow->velocity[axis] * (inflow->part.wall % 2 ? -1.0 : 1.0);
	if (!(inward > 0.0))
		scene_opening_report(reader, scene_node_get(entry, "velocity"), &inflows,
				     inflow->part.name,
				     "goes into the box with a velocity, across its wall, of",
				     inward, "more than 0 m/s");
}

static void read_inflow(struct scene_reader *reader, const struct scene_node *entry, size_t index)
{
	struct scene *scene = reader->scene;
	struct scene_inflow *inflow = &scene->inflows[index];
	if (!scene_keys_check(reader, entry, SECTION_INFLOWS))
		return;
	const int errors = reader->errors.count;
	scene_opening_read(reader, entry, &inflows, index, &inflow->part);
	scene_keys_read(reader, entry, SECTION_INFLOWS, KEY_ALL_KINDS, inflow);
	if (!scene_node_get(entry, "velocity"))
		scene_value_missing(reader, entry, "velocity");
	if (reader->dim == 0 || reader->errors.count > errors)
		return;
	check_velocity(reader, entry, inflow);
	scene_opening_check(reader, entry, &inflows, &inflow->part);
	if (scene_node_get(entry, "stop") && !(inflow->stop > inflow->start))
		scene_opening_report(reader, scene_node_get(entry, "stop"), &inflows,
				     inflow->part.name, "stops at", inflow->stop,
				     "after its start");
	for (size_t i = 0; i < index; i++)
		scene_opening_refuse_overlap(reader, entry, &scene->inflows[i].part, inflows.one,
					     &inflow->part, inflows.one);
}

void scene_read_inflows(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_source_list(reader, root, "inflows");
	if (!list)
		return;
	scene->inflows = calloc(list->count, sizeof(*scene->inflows));
	if (!scene->inflows) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->inflow_count = list->count;
	for (size_t i = 0; i < list->count; i++)
		read_inflow(reader, list->children[i], i);
}

void scene_check_liquids(struct scene_reader *reader, const struct scene_node *root)
{
	const struct scene *scene = reader->scene;
	const struct scene_node *list = scene_node_get(root, "liquids");
	char path[SCENE_NODE_PATH];
	for (size_t l = 0; l < scene->liquid_count && reader->errors.count == 0; l++) {
		bool named = scene->liquids[l].shape.op_count > 0 || scene->liquids[l].points.file;
		for (size_t i = 0; i < scene->inflow_count; i++)
			named = named || scene->inflows[i].part.liquid == l;
		for (size_t i = 0; i < scene->outflow_count; i++)
			named = named || scene->outflows[i].part.liquid == l;
		for (size_t i = 0; i < scene->emitter_count; i++)
			named = named || scene->emitters[i].liquid == l;
		if (!named)
			scene_node_error(&reader->errors, list->children[l],
					 "'%s' has no shape, and no inflow, outflow or emitter "
					 "brings it",
					 scene_node_path(list->children[l], path));
	}
}
