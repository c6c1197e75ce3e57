/* Where liquid flows out, or in and out under a pressure. */
#include <stdlib.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "sources/scene_openings.h"

static const struct scene_opening_kind outflows = {"outflow", SECTION_OUTFLOWS};

/* What drives it: exactly one of three keys. */
static const char *const drives[] = {[OUTFLOW_PRESSURE] = "pressure",
				     [OUTFLOW_HYDROSTATIC] = "hydrostatic",
				     [OUTFLOW_VELOCITY] = "velocity"};

static void read_drive(struct scene_reader *reader, const struct scene_node *entry,
		       struct scene_outflow *outflow)
{
	char path[SCENE_NODE_PATH];
	double *const values[] = {&outflow->pressure, &outflow->level, &outflow->velocity};
	int given = 0;
	for (int kind = 0; kind < 3; kind++) {
		if (!scene_node_get(entry, drives[kind]))
			continue;
		scene_key_number(reader, entry, SECTION_OUTFLOWS, drives[kind], values[kind]);
		outflow->kind = (enum scene_outflow_kind)kind;
		given++;
	}
	if (given != 1)
		scene_node_error(&reader->errors, entry,
				 "'%s' must have one of 'pressure', 'hydrostatic' and 'velocity', "
				 "and has %d of them",
				 scene_node_path(entry, path), given);
	else if (outflow->kind == OUTFLOW_VELOCITY && !(outflow->velocity > 0.0) &&
		 reader->errors.count == 0)
		scene_opening_report(reader, scene_node_get(entry, "velocity"), &outflows,
				     outflow->part.name, "takes liquid out with a speed of",
				     outflow->velocity, "more than 0 m/s");
}

static void read_outflow(struct scene_reader *reader, const struct scene_node *entry, size_t index)
{
	struct scene *scene = reader->scene;
	struct scene_outflow *outflow = &scene->outflows[index];
	if (!scene_keys_check(reader, entry, SECTION_OUTFLOWS))
		return;
	const int errors = reader->errors.count;
	scene_opening_read(reader, entry, &outflows, index, &outflow->part);
	read_drive(reader, entry, outflow);
	if (reader->dim == 0 || reader->errors.count > errors)
		return;
	scene_opening_check(reader, entry, &outflows, &outflow->part);
	for (size_t i = 0; i < scene->inflow_count; i++)
		scene_opening_refuse_overlap(reader, entry, &scene->inflows[i].part, "inflow",
					     &outflow->part, outflows.one);
	for (size_t i = 0; i < index; i++)
		scene_opening_refuse_overlap(reader, entry, &scene->outflows[i].part, outflows.one,
					     &outflow->part, outflows.one);
}

void scene_read_outflows(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_source_list(reader, root, "outflows");
	if (!list)
		return;
	scene->outflows = calloc(list->count, sizeof(*scene->outflows));
	if (!scene->outflows) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->outflow_count = list->count;
	for (size_t i = 0; i < list->count; i++)
		read_outflow(reader, list->children[i], i);
}
