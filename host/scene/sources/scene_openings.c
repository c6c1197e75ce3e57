#include "sources/scene_openings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"

static const char axis_names[] = "xyz";

void scene_opening_report(struct scene_reader *reader, const struct scene_node *node,
			  const struct scene_opening_kind *kind, const char *name, const char *what,
			  double value, const char *allowed)
{
	char quote[SCENE_QUOTE];
	scene_node_error(&reader->errors, node, "%s '%s' %s %.6g (%s)", kind->one,
			 scene_quote(name ? name : "", quote), what, value, allowed);
}

/* The corners given, clipped to the domain; all of it by default. */
static void read_box(struct scene_reader *reader, const struct scene_node *entry,
		     struct scene_opening *part)
{
	const struct scene *scene = reader->scene;
	const enum scene_section section =
		(enum scene_section)(SECTION_PRIMITIVES + (int)SHAPE_BOX);
	const struct scene_node *box = scene_value_mapping(reader, entry, "box", section);
	memcpy(part->high, scene->size, sizeof(part->high));
	scene_key_vector(reader, box, section, "min", part->low);
	scene_key_vector(reader, box, section, "max", part->high);
	for (int a = 0; a < scene->dim; a++) {
		part->low[a] = fmax(part->low[a], 0.0);
		part->high[a] = fmin(part->high[a], scene->size[a]);
	}
}

static void read_wall(struct scene_reader *reader, const struct scene_node *entry,
		      const struct scene_opening_kind *kind, struct scene_opening *part)
{
	const struct scene_node *node = scene_node_get(entry, "wall");
	char path[SCENE_NODE_PATH];
	int wall = 0;
	if (!node) {
		scene_value_missing(reader, entry, "wall");
	} else if (scene_key_word(reader, entry, kind->section, "wall", &wall)) {
		part->wall = (enum wall_side)wall;
		if (reader->dim != 0 && wall / 2 >= reader->dim)
			scene_node_error(&reader->errors, node,
					 "'%s: %s' has no meaning in a 2D scene",
					 scene_node_path(node, path), node->text);
		else if (reader->scene->open[wall])
			scene_node_error(
				&reader->errors, node,
				"'%s: %s' is an open wall (an %s is a part of a closed one)",
				scene_node_path(node, path), node->text, kind->one);
	}
}

void scene_source_liquid(struct scene_reader *reader, const struct scene_node *entry,
			 const struct scene_opening_kind *kind, size_t *liquid)
{
	const struct scene *scene = reader->scene;
	const struct scene_node *node = scene_node_get(entry, "liquid");
	char *name = NULL, path[SCENE_NODE_PATH], quote[SCENE_QUOTE];
	if (!scene_value_text(reader, entry, "liquid", &name)) {
		if (scene->liquid_count == 0)
			scene_node_error(&reader->errors, entry,
					 "an %s needs a liquid: list it in 'liquids' (without a "
					 "shape it is not there at the start)",
					 kind->one);
		free(name);
		return;
	}
	size_t l = 0;
	while (l < scene->liquid_count &&
	       !(scene->liquids[l].name && strcmp(scene->liquids[l].name, name) == 0))
		l++;
	if (l < scene->liquid_count)
		*liquid = l;
	else
		scene_node_error(&reader->errors, node, "'%s' names no entry of 'liquids': '%s'",
				 scene_node_path(node, path), scene_quote(name, quote));
	free(name);
}

void scene_opening_read(struct scene_reader *reader, const struct scene_node *entry,
			const struct scene_opening_kind *kind, size_t index,
			struct scene_opening *part)
{
	scene_read_name(reader, entry, kind->one, index, &part->name);
	read_wall(reader, entry, kind, part);
	read_box(reader, entry, part);
	scene_source_liquid(reader, entry, kind, &part->liquid);
}

void scene_opening_check(struct scene_reader *reader, const struct scene_node *entry,
			 const struct scene_opening_kind *kind, const struct scene_opening *part)
{
	const struct scene *scene = reader->scene;
	for (int a = 0; a < scene->dim; a++) {
		const double cells = fmax(0.0, part->high[a] - part->low[a]) / scene->h;
		char allowed[] = "of cells along x: at least 1";
		allowed[15] = axis_names[a];
		/* A box of one cell is as wide as it can be. */
		if (a != (int)part->wall / 2 && cells < 1.0 - 1e-6)
			scene_opening_report(reader, entry, kind, part->name,
					     "has a width, in the box, of", cells, allowed);
	}
}

/* The cells, along an axis, that a box touches. */
static void cells_touched(const struct scene *scene, const struct scene_opening *part, int axis,
			  double *first, double *end)
{
	*first = floor(part->low[axis] / scene->h + 1e-6);
	*end = ceil(part->high[axis] / scene->h - 1e-6);
}

void scene_opening_refuse_overlap(struct scene_reader *reader, const struct scene_node *entry,
				  const struct scene_opening *old, const char *old_kind,
				  const struct scene_opening *part, const char *part_kind)
{
	const struct scene *scene = reader->scene;
	bool apart = old->wall != part->wall || !old->name || !part->name;
	for (int a = 0; a < scene->dim; a++) {
		double first[2], end[2];
		cells_touched(scene, old, a, &first[0], &end[0]);
		cells_touched(scene, part, a, &first[1], &end[1]);
		apart = apart ||
			(a != (int)part->wall / 2 && (end[0] <= first[1] || end[1] <= first[0]));
	}
	if (apart)
		return;
	if (strcmp(old_kind, part_kind) == 0)
		scene_node_error(&reader->errors, entry,
				 "%ss '%s' and '%s' share cells of their wall", part_kind,
				 old->name, part->name);
	else
		scene_node_error(&reader->errors, entry,
				 "%s '%s' and %s '%s' share cells of their wall", old_kind,
				 old->name, part_kind, part->name);
}

const struct scene_node *scene_source_list(struct scene_reader *reader,
					   const struct scene_node *root, const char *name)
{
	const struct scene_node *list = scene_value_list(reader, root, name);
	const double most = scene_key(SECTION_ROOT, name)->high;
	if (!list || list->count == 0)
		return NULL;
	if ((double)list->count <= most)
		return list;
	scene_node_error(&reader->errors, list, "'%s' has %zu entries (at most %.0f)", name,
			 list->count, most);
	return NULL;
}
