/* What fills the box: liquids and solids. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "scene_shape.h"

/* Told apart by most colour-blind people too (after Okabe & Ito 2008), blue first: water. */
static const uint8_t palette[][3] = {
	{43, 127, 255},	 {230, 159, 0},	 {0, 158, 115},	 {213, 94, 0},
	{204, 121, 167}, {240, 228, 66}, {86, 180, 233}, {120, 120, 120},
};

/* One value serves the whole scene: an entry of `liquids` may repeat it, not change it. */
static void refuse_changes(struct scene_reader *reader, const struct scene_node *mapping,
			   const struct scene *own, unsigned kinds)
{
	char path[SCENE_NODE_PATH];
	for (const struct scene_key *row = scene_sections[SECTION_LIQUIDS]->keys; row->name;
	     row++) {
		if (row->kind != KEY_AS_LIQUID || !(row->flags & KEY_ONE_VALUE))
			continue;
		const struct scene_key *key = scene_key(SECTION_LIQUID, row->name);
		const struct scene_node *node = scene_node_get(mapping, key->name);
		if (kinds & KEY_KIND(key->kind) && node &&
		    !scene_key_is_same(key, own, reader->scene))
			scene_node_error(
				&reader->errors, node,
				"'%s' differs from 'liquid.%s': liquids that differ in it are not "
				"supported yet",
				scene_node_path(node, path), key->name);
	}
}

/* What an entry says itself in place of `liquid`. */
static void read_own(struct scene_reader *reader, const struct scene_node *node,
		     struct scene_liquid *liquid)
{
	struct scene own = *reader->scene;
	scene_keys_read_given(reader, node, SECTION_LIQUID, &own);
	scene_keys_copy_own(&own, liquid);
	const unsigned numbers = KEY_KIND(KEY_NUMBER), words = KEY_KIND(KEY_WORD);
	refuse_changes(reader, node, &own, numbers);
	refuse_changes(reader, node, &own, words);
	refuse_changes(reader, node, &own, ~(numbers | words));
}

void scene_read_name(struct scene_reader *reader, const struct scene_node *mapping,
		     const char *kind, size_t index, char **name)
{
	char text[40];
	snprintf(text, sizeof(text), "%s %zu", kind, index);
	*name = scene_copy_text(text);
	if (!*name)
		scene_error_memory(&reader->errors);
	scene_value_text(reader, mapping, "name", name);
}

/* Of the shape's bounding box: its finite parts, clipped to the domain. */
static void find_pivot(const struct scene *scene, const struct scene_bounds *bounds,
		       struct scene_liquid *liquid)
{
	double square = 0;
	for (int i = 0; i < scene->dim; i++) {
		const double low = fmin(fmax(bounds->low[i], 0), scene->size[i]);
		const double high = fmin(fmax(bounds->high[i], 0), scene->size[i]);
		liquid->low[i] = low;
		liquid->high[i] = high;
		liquid->pivot[i] = 0.5 * (low + high);
		square += (high - low) * (high - low);
	}
	liquid->reach = 0.5 * sqrt(square);
}

/* What points fill is known once their file is read; what is told of a scene without it must be the
 * same: they may be anywhere. */
static struct scene_bounds bounds_of_points(const struct scene *scene)
{
	struct scene_bounds all = {{0}, {0}};
	for (int i = 0; i < scene->dim; i++)
		all.high[i] = scene->size[i];
	return all;
}

static void read_liquid(struct scene_reader *reader, const struct scene_node *node, size_t index,
			bool has_sources, struct scene_liquid *liquid)
{
	if (!scene_keys_check(reader, node, SECTION_LIQUIDS))
		return;
	scene_read_name(reader, node, "liquid", index, &liquid->name);
	struct scene_bounds bounds;
	/* What comes in need not be there at the start. */
	scene_read_points(reader, node, &liquid->points);
	const bool absent =
		(has_sources || scene_node_get(node, "points")) && !scene_shape_given(node);
	if (!absent && scene_shape_read(reader, node, false, &liquid->shape, &bounds) &&
	    reader->dim != 0)
		find_pivot(reader->scene, &bounds, liquid);
	if (liquid->points.file) {
		bounds = bounds_of_points(reader->scene);
		find_pivot(reader->scene, &bounds, liquid);
	}
	scene_keys_read(reader, node, SECTION_LIQUIDS, KEY_ALL_KINDS, liquid);
	const struct scene_key *key = scene_key(SECTION_LIQUIDS, "angular_velocity");
	const struct scene_node *turn = scene_node_get(node, key->name);
	if (turn && reader->dim == 3)
		scene_vector_read(reader, turn, key->low, key->high, liquid->angular_velocity);
	else if (turn && reader->dim == 2)
		scene_number_read(reader, turn, key->low, key->high, &liquid->angular_velocity[2]);
	memcpy(liquid->color, palette[index % (sizeof(palette) / sizeof(*palette))], 3);
	scene_value_color(reader, node, "color", liquid->color);
	read_own(reader, node, liquid);
}

/* Names tell liquids apart, in the end report and where they are read. */
static void refuse_repeated(struct scene_reader *reader, const struct scene_node *entry,
			    size_t index)
{
	const struct scene_liquid *liquids = reader->scene->liquids;
	const struct scene_node *node = scene_node_get(entry, "name");
	const char *name = liquids[index].name;
	char quote[SCENE_QUOTE], path[SCENE_NODE_PATH];
	for (size_t i = 0; i < index && name; i++)
		if (liquids[i].name && strcmp(liquids[i].name, name) == 0) {
			scene_node_error(&reader->errors, node ? node : entry,
					 "'%s' is called '%s' as 'liquids.%zu' is",
					 scene_node_path(entry, path), scene_quote(name, quote), i);
			return;
		}
}

static bool has_entries(const struct scene_node *root, const char *name)
{
	const struct scene_node *list = scene_node_get(root, name);
	return list && list->kind == SCENE_LIST && list->count > 0;
}

void scene_read_liquids(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	scene_keys_read(reader, scene_value_mapping(reader, root, "liquid", SECTION_LIQUID),
			SECTION_LIQUID, KEY_ALL_KINDS, scene);

	const bool has_sources = has_entries(root, "inflows") || has_entries(root, "outflows") ||
				 has_entries(root, "emitters");
	const struct scene_node *list = scene_value_list(reader, root, "liquids");
	if (!list || list->count == 0)
		return;
	const double most = scene_key(SECTION_ROOT, "liquids")->high;
	if ((double)list->count > most) {
		scene_node_error(&reader->errors, list, "'liquids' has %zu entries (at most %.0f)",
				 list->count, most);
		return;
	}
	scene->liquids = calloc(list->count, sizeof(*scene->liquids));
	if (!scene->liquids) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->liquid_count = list->count;
	for (size_t i = 0; i < list->count; i++) {
		read_liquid(reader, list->children[i], i, has_sources, &scene->liquids[i]);
		refuse_repeated(reader, list->children[i], i);
	}
}

void scene_read_solids(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_value_list(reader, root, "solids");
	if (!list || list->count == 0)
		return;
	if (scene->liquid_surface == LIQUID_SURFACE_SPHERES)
		scene_key_error(&reader->errors, list,
				"'solids' is not supported with 'liquid.surface: spheres' yet");
	scene->solids = calloc(list->count, sizeof(*scene->solids));
	if (!scene->solids) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->solid_count = list->count;
	for (size_t i = 0; i < list->count; i++) {
		const struct scene_node *node = list->children[i];
		struct scene_solid *solid = &scene->solids[i];
		if (!scene_keys_check(reader, node, SECTION_SOLIDS))
			continue;
		scene_read_name(reader, node, "solid", i, &solid->name);
		struct scene_bounds bounds;
		if (scene_shape_read(reader, node, true, &solid->shape, &bounds)) {
			memcpy(solid->low, bounds.low, sizeof(solid->low));
			memcpy(solid->high, bounds.high, sizeof(solid->high));
		}
		int slip = 0;
		scene_key_word(reader, node, SECTION_SOLIDS, "slip", &slip);
		solid->free_slip = slip == 0;
		solid->wall_law = scene->wall_law;
		scene_read_wall_law(reader, node, &solid->wall_law);
		scene_read_solid_motion(reader, node, solid);
	}
}

bool scene_has_affine(const struct scene *scene)
{
	bool has = scene->liquid_count == 0 && scene->transfer == TRANSFER_APIC;
	for (size_t l = 0; l < scene->liquid_count; l++)
		has = has || scene->liquids[l].transfer == TRANSFER_APIC;
	return has;
}

bool scene_transfers_agree(const struct scene *scene)
{
	for (size_t l = 0; l < scene->liquid_count; l++)
		if (scene->liquids[l].transfer != scene->transfer ||
		    fabs(scene->liquids[l].flip_ratio - scene->flip_ratio) > 0.0)
			return false;
	return true;
}

bool scene_mesh_at(const struct scene *scene, size_t index, struct scene_mesh *mesh)
{
	for (size_t i = 0; i < scene->liquid_count + scene->solid_count; i++) {
		const bool liquid = i < scene->liquid_count;
		const struct scene_liquid *l = scene->liquids + (liquid ? i : 0);
		const struct scene_solid *s =
			scene->solids + (liquid ? 0 : i - scene->liquid_count);
		const struct shape_program *shape = liquid ? &l->shape : &s->shape;
		if (index < shape->mesh_count) {
			*mesh = (struct scene_mesh){&shape->meshes[index],
						    liquid	    ? "liquid"
						    : s->body.given ? "body"
								    : "solid",
						    liquid ? l->name : s->name};
			return true;
		}
		index -= shape->mesh_count;
	}
	return false;
}
