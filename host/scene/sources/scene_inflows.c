/* Where liquid comes in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"

static const char axis_names[] = "xyz";

static void report(struct scene_reader *reader, const struct scene_node *node,
		   const struct scene_inflow *inflow, const char *what, double value,
		   const char *allowed)
{
	char quote[SCENE_QUOTE];
	scene_node_error(&reader->errors, node, "inflow '%s' %s %.6g (%s)",
			 scene_quote(inflow->name ? inflow->name : "", quote), what, value,
			 allowed);
}

/* The corners given, clipped to the domain; all of it by default. */
static void read_box(struct scene_reader *reader, const struct scene_node *entry,
		     struct scene_inflow *inflow)
{
	const struct scene *scene = reader->scene;
	const enum scene_section section =
		(enum scene_section)(SECTION_PRIMITIVES + (int)SHAPE_BOX);
	const struct scene_node *box = scene_value_mapping(reader, entry, "box", section);
	memcpy(inflow->high, scene->size, sizeof(inflow->high));
	scene_key_vector(reader, box, section, "min", inflow->low);
	scene_key_vector(reader, box, section, "max", inflow->high);
	for (int a = 0; a < scene->dim; a++) {
		inflow->low[a] = fmax(inflow->low[a], 0.0);
		inflow->high[a] = fmin(inflow->high[a], scene->size[a]);
	}
}

/* It must be wide enough for the grid to see it. */
static void check_width(struct scene_reader *reader, const struct scene_node *entry,
			const struct scene_inflow *inflow)
{
	const struct scene *scene = reader->scene;
	for (int a = 0; a < scene->dim; a++) {
		const double cells = fmax(0.0, inflow->high[a] - inflow->low[a]) / scene->h;
		char allowed[] = "of cells along x: at least 1";
		allowed[15] = axis_names[a];
		/* A box of one cell is as wide as it can be. */
		if (a != (int)inflow->wall / 2 && cells < 1.0 - 1e-6)
			report(reader, entry, inflow, "has a width, in the box, of", cells,
			       allowed);
	}
}

static void check_velocity(struct scene_reader *reader, const struct scene_node *entry,
			   const struct scene_inflow *inflow)
{
	const int axis = (int)inflow->wall / 2;
	const double inward = inflow->velocity[axis] * (inflow->wall % 2 ? -1.0 : 1.0);
	if (!(inward > 0.0))
		report(reader, scene_node_get(entry, "velocity"), inflow,
		       "goes into the box with a velocity, across its wall, of", inward,
		       "more than 0 m/s");
}

static void read_wall(struct scene_reader *reader, const struct scene_node *entry,
		      struct scene_inflow *inflow)
{
	const struct scene_node *node = scene_node_get(entry, "wall");
	char path[SCENE_NODE_PATH];
	int wall = 0;
	if (!node) {
		scene_value_missing(reader, entry, "wall");
	} else if (scene_key_word(reader, entry, SECTION_INFLOWS, "wall", &wall)) {
		inflow->wall = (enum wall_side)wall;
		if (reader->dim != 0 && wall / 2 >= reader->dim)
			scene_node_error(&reader->errors, node,
					 "'%s: %s' has no meaning in a 2D scene",
					 scene_node_path(node, path), node->text);
		else if (reader->scene->open[wall])
			scene_node_error(
				&reader->errors, node,
				"'%s: %s' is an open wall (an inflow is a part of a closed "
				"one)",
				scene_node_path(node, path), node->text);
	}
}

static void read_liquid(struct scene_reader *reader, const struct scene_node *entry,
			struct scene_inflow *inflow)
{
	const struct scene *scene = reader->scene;
	const struct scene_node *node = scene_node_get(entry, "liquid");
	char *name = NULL, path[SCENE_NODE_PATH], quote[SCENE_QUOTE];
	if (!scene_value_text(reader, entry, "liquid", &name)) {
		if (scene->liquid_count == 0)
			scene_node_error(
				&reader->errors, entry,
				"an inflow needs a liquid: list it in 'liquids' (without a "
				"shape it is not there at the start)");
		free(name);
		return;
	}
	size_t l = 0;
	while (l < scene->liquid_count &&
	       !(scene->liquids[l].name && strcmp(scene->liquids[l].name, name) == 0))
		l++;
	if (l < scene->liquid_count)
		inflow->liquid = l;
	else
		scene_node_error(&reader->errors, node, "'%s' names no entry of 'liquids': '%s'",
				 scene_node_path(node, path), scene_quote(name, quote));
	free(name);
}

/* The cells, along an axis, that a box touches. */
static void cells_touched(const struct scene *scene, const struct scene_inflow *inflow, int axis,
			  double *first, double *end)
{
	*first = floor(inflow->low[axis] / scene->h + 1e-6);
	*end = ceil(inflow->high[axis] / scene->h - 1e-6);
}

/* Two on the same wall must not share a face of the grid: each has one velocity. */
static void refuse_overlap(struct scene_reader *reader, const struct scene_node *entry,
			   size_t index)
{
	const struct scene *scene = reader->scene;
	const struct scene_inflow *new = &scene->inflows[index];
	for (size_t i = 0; i < index; i++) {
		const struct scene_inflow *old = &scene->inflows[i];
		bool apart = old->wall != new->wall || !old->name || !new->name;
		for (int a = 0; a < scene->dim; a++) {
			double first[2], end[2];
			cells_touched(scene, old, a, &first[0], &end[0]);
			cells_touched(scene, new, a, &first[1], &end[1]);
			apart = apart || (a != (int)new->wall / 2 &&
					  (end[0] <= first[1] || end[1] <= first[0]));
		}
		if (!apart)
			scene_node_error(&reader->errors, entry,
					 "inflows '%s' and '%s' share cells of their wall",
					 old->name, new->name);
	}
}

/* What is neither there at the start nor comes in is a mistake. */
static void refuse_absent(struct scene_reader *reader, const struct scene_node *root)
{
	const struct scene *scene = reader->scene;
	const struct scene_node *list = scene_node_get(root, "liquids");
	char path[SCENE_NODE_PATH];
	for (size_t l = 0; l < scene->liquid_count && reader->errors.count == 0; l++) {
		bool named = scene->liquids[l].shape.op_count > 0;
		for (size_t i = 0; i < scene->inflow_count; i++)
			named = named || scene->inflows[i].liquid == l;
		if (!named)
			scene_node_error(&reader->errors, list->children[l],
					 "'%s' has no shape, and no inflow brings it",
					 scene_node_path(list->children[l], path));
	}
}

static void read_inflow(struct scene_reader *reader, const struct scene_node *entry, size_t index)
{
	struct scene_inflow *inflow = &reader->scene->inflows[index];
	if (!scene_keys_check(reader, entry, SECTION_INFLOWS))
		return;
	const int errors = reader->errors.count;
	scene_read_name(reader, entry, "inflow", index, &inflow->name);
	read_wall(reader, entry, inflow);
	read_box(reader, entry, inflow);
	scene_keys_read(reader, entry, SECTION_INFLOWS, KEY_ALL_KINDS, inflow);
	read_liquid(reader, entry, inflow);
	if (!scene_node_get(entry, "velocity"))
		scene_value_missing(reader, entry, "velocity");
	if (reader->dim == 0 || reader->errors.count > errors)
		return;
	check_velocity(reader, entry, inflow);
	check_width(reader, entry, inflow);
	if (scene_node_get(entry, "stop") && !(inflow->stop > inflow->start))
		report(reader, scene_node_get(entry, "stop"), inflow, "stops at", inflow->stop,
		       "after its start");
	refuse_overlap(reader, entry, index);
}

void scene_read_inflows(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_value_list(reader, root, "inflows");
	if (!list || list->count == 0)
		return;
	const double most = scene_key(SECTION_ROOT, "inflows")->high;
	if ((double)list->count > most) {
		scene_node_error(&reader->errors, list, "'inflows' has %zu entries (at most %.0f)",
				 list->count, most);
		return;
	}
	scene->inflows = calloc(list->count, sizeof(*scene->inflows));
	if (!scene->inflows) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->inflow_count = list->count;
	for (size_t i = 0; i < list->count; i++)
		read_inflow(reader, list->children[i], i);
	refuse_absent(reader, root);
}
