/* How liquid rubs at walls and solids. */
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"

static void read_roughness(struct scene_reader *reader, const struct scene_node *node,
			   struct scene_wall_law *law)
{
	const double h = reader->scene->h;
	char path[SCENE_NODE_PATH];
	if (!scene_keys_check(reader, node, SECTION_WALL_LAW))
		return;
	if (!scene_node_get(node, "roughness")) {
		scene_value_missing(reader, node, "roughness");
		return;
	}
	law->kind = WALL_LAW_ROUGH;
	/* The law holds above the grains; the nearest samples are a quarter of a cell away. */
	if (scene_key_read(reader, node, SECTION_WALL_LAW, "roughness", law) && h > 0 &&
	    law->roughness > h)
		scene_node_error(&reader->errors, scene_node_get(node, "roughness"),
				 "'%s' is %.6g m, more than a cell of %.6g m: such walls are the "
				 "shape of solids",
				 scene_node_path(scene_node_get(node, "roughness"), path),
				 law->roughness, h);
}

void scene_read_wall_law(struct scene_reader *reader, const struct scene_node *mapping,
			 struct scene_wall_law *law)
{
	const struct scene_node *node = scene_node_get(mapping, "wall_law");
	char path[SCENE_NODE_PATH], description[SCENE_DESCRIPTION];
	if (!node)
		return;
	law->roughness = 0.0;
	if (node->kind == SCENE_MAPPING)
		read_roughness(reader, node, law);
	else if (node->kind == SCENE_SCALAR && strcmp(node->text, "none") == 0)
		law->kind = WALL_LAW_NONE;
	else if (node->kind == SCENE_SCALAR && strcmp(node->text, "smooth") == 0)
		law->kind = WALL_LAW_SMOOTH;
	else
		scene_node_error(&reader->errors, node,
				 "'%s' must be none, smooth or {roughness: METRES}, not %s",
				 scene_node_path(node, path), scene_describe(node, description));
}

void scene_read_side_walls(struct scene_reader *reader, const struct scene_node *domain)
{
	struct scene *scene = reader->scene;
	const struct scene_node *node = scene_node_get(domain, "side_walls");
	if (!scene_key_number(reader, domain, SECTION_DOMAIN, "side_walls", &scene->side_walls))
		return;
	if (reader->dim == 3)
		scene_key_error(&reader->errors, node,
				"'domain.side_walls' has no meaning in a 3D scene");
	else if (scene->wall_law.kind == WALL_LAW_NONE)
		scene_key_error(&reader->errors, node,
				"'domain.side_walls' needs 'domain.wall_law': how they rub");
	else if (scene->wall_law.roughness > 0.5 * scene->side_walls)
		scene_node_error(&reader->errors, node,
				 "'domain.side_walls' is %.6g m, less than twice the roughness of "
				 "%.6g m",
				 scene->side_walls, scene->wall_law.roughness);
}

bool scene_has_friction(const struct scene *scene)
{
	bool has = scene->wall_law.kind != WALL_LAW_NONE;
	for (size_t n = 0; n < scene->solid_count; n++)
		has = has || scene->solids[n].wall_law.kind != WALL_LAW_NONE;
	return has;
}
