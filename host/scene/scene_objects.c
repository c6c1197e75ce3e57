/* What fills the box: liquids and solids. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_parts.h"
#include "scene_shape.h"

#define MAX_LIQUIDS 64
#define MAX_SPEED 1e6

static const char *const transfers[] = {"flip", "pic", "apic", NULL};

/* Told apart by most colour-blind people too (after Okabe & Ito 2008), blue first: water. */
static const uint8_t palette[][3] = {
	{43, 127, 255},	 {230, 159, 0},	 {0, 158, 115},	 {213, 94, 0},
	{204, 121, 167}, {240, 228, 66}, {86, 180, 233}, {120, 120, 120},
};

/* What `liquid` says: defaults for all entries. */
struct liquid_defaults {
	double density, jitter, flip_ratio;
	int particles_per_cell, transfer;
	int64_t seed;
};

static void read_properties(struct scene_reader *reader, const struct scene_node *mapping,
			    struct liquid_defaults *properties)
{
	scene_value_number(reader, mapping, "density", 1e-3, 1e6, &properties->density);
	scene_value_int(reader, mapping, "particles_per_cell", 1, 64,
			&properties->particles_per_cell);
	scene_value_number(reader, mapping, "jitter", 0, 1, &properties->jitter);
	scene_value_integer(reader, mapping, "seed", 0, UINT32_MAX, &properties->seed);
	scene_value_choice(reader, mapping, "transfer", transfers, &properties->transfer);
	scene_value_number(reader, mapping, "flip_ratio", 0, 1, &properties->flip_ratio);
}

/* One value serves the whole scene: an entry of `liquids` may repeat it, not change it. */
static void refuse_change(struct scene_reader *reader, const struct scene_node *mapping,
			  const char *key, bool same)
{
	char path[SCENE_NODE_PATH];
	const struct scene_node *node = scene_node_get(mapping, key);
	if (node && !same)
		scene_node_error(&reader->errors, node,
				 "'%s' differs from 'liquid.%s': liquids that differ in it are not "
				 "supported yet",
				 scene_node_path(node, path), key);
}

static bool same_number(double a, double b)
{
	return !(a < b) && !(a > b);
}

/* The name given, or "liquid 0" and so on. */
static void read_name(struct scene_reader *reader, const struct scene_node *mapping,
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
		liquid->pivot[i] = 0.5 * (low + high);
		square += (high - low) * (high - low);
	}
	liquid->reach = 0.5 * sqrt(square);
}

static void read_liquid(struct scene_reader *reader, const struct scene_node *node, size_t index,
			const struct liquid_defaults *defaults, struct scene_liquid *liquid)
{
	if (!scene_keys_check(reader, node, SECTION_LIQUIDS))
		return;
	read_name(reader, node, "liquid", index, &liquid->name);
	struct scene_bounds bounds;
	if (scene_shape_read(reader, node, false, &liquid->shape, &bounds) && reader->dim != 0)
		find_pivot(reader->scene, &bounds, liquid);
	scene_value_vector(reader, node, "velocity", -MAX_SPEED, MAX_SPEED, liquid->velocity);
	const struct scene_node *turn = scene_node_get(node, "angular_velocity");
	if (turn && reader->dim == 3)
		scene_vector_read(reader, turn, -MAX_SPEED, MAX_SPEED, liquid->angular_velocity);
	else if (turn && reader->dim == 2)
		scene_number_read(reader, turn, -MAX_SPEED, MAX_SPEED,
				  &liquid->angular_velocity[2]);
	memcpy(liquid->color, palette[index % (sizeof(palette) / sizeof(*palette))], 3);
	scene_value_color(reader, node, "color", liquid->color);

	struct liquid_defaults own = *defaults;
	read_properties(reader, node, &own);
	liquid->jitter = own.jitter;
	liquid->seed = (uint32_t)own.seed;
	refuse_change(reader, node, "density", same_number(own.density, defaults->density));
	refuse_change(reader, node, "flip_ratio",
		      same_number(own.flip_ratio, defaults->flip_ratio));
	refuse_change(reader, node, "transfer", own.transfer == defaults->transfer);
	refuse_change(reader, node, "particles_per_cell",
		      own.particles_per_cell == defaults->particles_per_cell);
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

void scene_read_liquids(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	struct liquid_defaults defaults = {
		.density = 1000,
		.particles_per_cell = reader->dim == 3 ? 8 : 4,
		.jitter = 1,
		.seed = 1,
		.transfer = TRANSFER_FLIP,
		.flip_ratio = 0.97,
	};
	read_properties(reader, scene_value_mapping(reader, root, "liquid", SECTION_LIQUID),
			&defaults);
	scene->density = defaults.density;
	scene->particles_per_cell = defaults.particles_per_cell;
	scene->jitter = defaults.jitter;
	scene->seed = (uint32_t)defaults.seed;
	scene->transfer = (enum scene_transfer)defaults.transfer;
	scene->flip_ratio = defaults.flip_ratio;

	const struct scene_node *list = scene_value_list(reader, root, "liquids");
	if (!list || list->count == 0)
		return;
	if (list->count > MAX_LIQUIDS) {
		scene_node_error(&reader->errors, list, "'liquids' has %zu entries (at most %d)",
				 list->count, MAX_LIQUIDS);
		return;
	}
	scene->liquids = calloc(list->count, sizeof(*scene->liquids));
	if (!scene->liquids) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->liquid_count = list->count;
	for (size_t i = 0; i < list->count; i++) {
		read_liquid(reader, list->children[i], i, &defaults, &scene->liquids[i]);
		refuse_repeated(reader, list->children[i], i);
	}
}

void scene_read_solids(struct scene_reader *reader, const struct scene_node *root)
{
	static const char *const slips[] = {"free", "none", NULL};
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_value_list(reader, root, "solids");
	if (!list || list->count == 0)
		return;
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
		read_name(reader, node, "solid", i, &solid->name);
		struct scene_bounds bounds;
		scene_shape_read(reader, node, true, &solid->shape, &bounds);
		int slip = 0;
		scene_value_choice(reader, node, "slip", slips, &slip);
		solid->free_slip = slip == 0;
	}
}
