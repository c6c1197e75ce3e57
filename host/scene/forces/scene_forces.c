/* Force fields, read from the document. */
#include "scene_forces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "scene_shape.h"

/* Greater accelerations at a core are no numbers of a simulation any more, m/s^2 per m. */
#define MOST_GRADIENT 1e12

static const struct {
	const char *word;
	enum scene_section section;
	const char *needs; /* a key without a default */
} kinds[FORCE_KINDS] = {
	[FORCE_POINT] = {"point", SECTION_FORCE_POINT, "strength"},
	[FORCE_VORTEX] = {"vortex", SECTION_FORCE_VORTEX, "strength"},
	[FORCE_WIND] = {"wind", SECTION_FORCE_WIND, "velocity"},
	[FORCE_DRAG] = {"drag", SECTION_FORCE_DRAG, "rate"},
	[FORCE_CUSTOM] = {"custom", SECTION_FORCE_CUSTOM, NULL},
	[FORCE_VORTICITY] = {"vorticity", SECTION_FORCE_VORTICITY, "strength"},
};
#define KINDS_LISTED "point, vortex, wind, drag, custom, vorticity"

const char *scene_force_word(enum scene_force_kind kind)
{
	return kinds[kind].word;
}

int scene_force_section(enum scene_force_kind kind)
{
	return (int)kinds[kind].section;
}

/* One entry of a list of keys: a time and a value. */
static void read_key(struct scene_reader *reader, const struct scene_node *node,
		     enum scene_section section, const char *value,
		     const struct scene_vector_key *previous, struct scene_vector_key *key)
{
	char path[SCENE_NODE_PATH];
	if (!scene_keys_check(reader, node, section))
		return;
	if (!scene_node_get(node, "time"))
		scene_value_missing(reader, node, "time");
	else if (scene_key_read(reader, node, section, "time", key) && previous &&
		 !(key->time > previous->time))
		scene_node_error(&reader->errors, scene_node_get(node, "time"),
				 "the times of '%s' must increase: %.10g does not follow %.10g",
				 scene_node_path(node->parent, path), key->time, previous->time);
	if (!scene_node_get(node, value))
		scene_value_missing(reader, node, value);
	scene_key_read(reader, node, section, value, key);
}

static struct scene_vector_key *read_keys(struct scene_reader *reader,
					  const struct scene_node *list, enum scene_section section,
					  const char *value, size_t *count)
{
	char path[SCENE_NODE_PATH];
	if (list->count == 0) {
		scene_node_error(&reader->errors, list,
				 "'%s' is empty (it needs an entry with a time)",
				 scene_node_path(list, path));
		return NULL;
	}
	struct scene_vector_key *keys = calloc(list->count, sizeof(*keys));
	if (!keys) {
		scene_error_memory(&reader->errors);
		return NULL;
	}
	*count = list->count;
	for (size_t i = 0; i < list->count; i++)
		read_key(reader, list->children[i], section, value, i > 0 ? &keys[i - 1] : NULL,
			 &keys[i]);
	return keys;
}

static void read_custom(struct scene_reader *reader, const struct scene_node *entry,
			const struct scene_node *node, struct scene_force *force)
{
	if (node->kind == SCENE_LIST && node->count > 0 &&
	    node->children[0]->kind == SCENE_MAPPING) {
		force->accelerations = read_keys(reader, node, SECTION_FORCE_CUSTOM, "acceleration",
						 &force->acceleration_count);
		return;
	}
	force->accelerations = calloc(1, sizeof(*force->accelerations));
	if (!force->accelerations) {
		scene_error_memory(&reader->errors);
		return;
	}
	force->acceleration_count = 1;
	scene_key_vector(reader, entry, SECTION_FORCES, "custom", force->accelerations[0].value);
}

static void read_axis(struct scene_reader *reader, const struct scene_node *node,
		      struct scene_force *force)
{
	const struct scene_key *key = scene_key(SECTION_FORCE_VORTEX, "axis");
	const struct scene_node *given = scene_node_get(node, "axis");
	char path[SCENE_NODE_PATH];
	double axis[3];
	memcpy(axis, key->initial_vector, sizeof(axis));
	if (given && reader->dim == 2)
		scene_key_error(&reader->errors, given,
				"'%s' has no meaning in a 2D scene, where the field turns in its "
				"plane",
				scene_node_path(given, path));
	else if (given)
		scene_vector_read(reader, given, key->low, key->high, axis);
	if (reader->dim == 2)
		axis[0] = axis[1] = 0.0, axis[2] = 1.0;
	const double square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
	/* A unit vector stays as it is, so that a scene's echo gives the same scene. */
	const double length = fabs(square - 1.0) < 1e-12 ? 1.0 : sqrt(square);
	if (!(length > 1e-9)) {
		scene_node_error(&reader->errors, given, "'%s' must be longer than 1e-9",
				 scene_node_path(given, path));
		return;
	}
	for (int a = 0; a < 3; a++)
		force->axis[a] = axis[a] / length;
}

/* Powers that square roots reach, and no field that is too steep to be a number. */
static void check_power(struct scene_reader *reader, const struct scene_node *node,
			const struct scene_force *force)
{
	const struct scene_node *power = scene_node_get(node, "power");
	const double twice = 2.0 * force->power;
	char path[SCENE_NODE_PATH];
	if (power && (twice < nearbyint(twice) || twice > nearbyint(twice))) {
		scene_node_error(&reader->errors, power,
				 "'%s' must be a multiple of 0.5, not %.10g (-1, -0.5, 0, ... 4)",
				 scene_node_path(power, path), force->power);
		return;
	}
	const double most = fmax(fabs(force->strength), fabs(force->pull));
	if (!(most <= MOST_GRADIENT * scene_force_core(force)))
		scene_node_error(
			&reader->errors, node,
			"'%s' is too strong at its core: an acceleration of %.3g m/s^2 per "
			"metre (at most %g)",
			scene_node_path(node, path), most / scene_force_core(force), MOST_GRADIENT);
}

static void read_kind(struct scene_reader *reader, const struct scene_node *entry,
		      struct scene_force *force)
{
	const struct scene *scene = reader->scene;
	const struct scene_node *node = scene_node_get(entry, kinds[force->kind].word);
	if (force->kind == FORCE_CUSTOM) {
		read_custom(reader, entry, node, force);
		return;
	}
	const enum scene_section section = kinds[force->kind].section;
	if (!scene_keys_check(reader, node, section))
		return;
	for (int a = 0; a < scene->dim; a++)
		force->center[a] = 0.5 * scene->size[a];
	force->core = scene->h;
	const int errors = reader->errors.count;
	scene_keys_read(reader, node, section, KEY_ALL_KINDS, force);
	if (!scene_node_get(node, kinds[force->kind].needs))
		scene_value_missing(reader, node, kinds[force->kind].needs);
	if (force->kind == FORCE_VORTEX)
		read_axis(reader, node, force);
	if ((force->kind == FORCE_POINT || force->kind == FORCE_VORTEX) && reader->dim != 0 &&
	    reader->errors.count == errors)
		check_power(reader, node, force);
}

/* The one kind of an entry; false after reporting. */
static bool find_kind(struct scene_reader *reader, const struct scene_node *entry,
		      struct scene_force *force)
{
	char path[SCENE_NODE_PATH];
	const struct scene_node *first = NULL;
	for (size_t i = 0; i < entry->count; i++) {
		const struct scene_node *node = entry->children[i];
		int kind = 0;
		while (kind < FORCE_KINDS && strcmp(node->key, kinds[kind].word) != 0)
			kind++;
		if (kind == FORCE_KINDS)
			continue;
		if (first) {
			scene_key_error(&reader->errors, node,
					"'%s' is a '%s' already: give '%s' an entry of its own",
					scene_node_path(entry, path), first->key, node->key);
			return false;
		}
		first = node;
		force->kind = (enum scene_force_kind)kind;
	}
	if (!first)
		scene_node_error(&reader->errors, entry,
				 "'%s' has no field (one of " KINDS_LISTED ")",
				 scene_node_path(entry, path));
	return first != NULL;
}

static void read_shape(struct scene_reader *reader, const struct scene_node *entry,
		       struct scene_force *force)
{
	const struct scene_node *falloff = scene_node_get(entry, "falloff");
	char path[SCENE_NODE_PATH];
	struct scene_bounds bounds;
	if (!scene_shape_given(entry)) {
		if (falloff && force->falloff > 0.0)
			scene_node_error(&reader->errors, falloff,
					 "'%s' needs a shape, outside which the field fades",
					 scene_node_path(falloff, path));
		return;
	}
	scene_shape_read(reader, entry, true, &force->shape, &bounds);
	if (force->shape.mesh_count > 0)
		scene_node_error(&reader->errors, entry,
				 "'%s' acts in a mesh (only in other shapes)",
				 scene_node_path(entry, path));
}

static void read_factors(struct scene_reader *reader, const struct scene_node *entry,
			 struct scene_force *force)
{
	const struct scene_node *list = scene_value_list(reader, entry, "time");
	const double most = scene_key(SECTION_FORCES, "time")->high;
	char path[SCENE_NODE_PATH];
	if (!list)
		return;
	if ((double)list->count > most) {
		scene_node_error(&reader->errors, list, "'%s' has %zu entries (at most %.0f)",
				 scene_node_path(list, path), list->count, most);
		return;
	}
	force->factors =
		read_keys(reader, list, SECTION_FORCE_TIME, "factor", &force->factor_count);
	const bool slows = force->kind == FORCE_WIND || force->kind == FORCE_DRAG;
	for (size_t i = 0; i < force->factor_count && slows; i++)
		if (force->factors[i].value[0] < 0.0)
			scene_node_error(
				&reader->errors, list->children[i],
				"'%s' has the factor %.6g: that of '%s' must be at least 0",
				scene_node_path(list->children[i], path),
				force->factors[i].value[0], kinds[force->kind].word);
}

static void read_force(struct scene_reader *reader, const struct scene_node *entry, size_t index)
{
	struct scene_force *force = &reader->scene->forces[index];
	const int errors = reader->errors.count;
	if (!scene_keys_check(reader, entry, SECTION_FORCES))
		return;
	scene_read_name(reader, entry, "force", index, &force->name);
	scene_keys_read(reader, entry, SECTION_FORCES, KEY_ALL_KINDS, force);
	read_shape(reader, entry, force);
	/* An unknown key may have been meant for its field. */
	if (reader->errors.count > errors || !find_kind(reader, entry, force))
		return;
	read_kind(reader, entry, force);
	read_factors(reader, entry, force);
}

void scene_read_forces(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_value_list(reader, root, "forces");
	if (!list || list->count == 0)
		return;
	const double most = scene_key(SECTION_ROOT, "forces")->high;
	if ((double)list->count > most) {
		scene_node_error(&reader->errors, list, "'forces' has %zu entries (at most %.0f)",
				 list->count, most);
		return;
	}
	scene->forces = calloc(list->count, sizeof(*scene->forces));
	if (!scene->forces) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->force_count = list->count;
	for (size_t i = 0; i < list->count; i++)
		read_force(reader, list->children[i], i);
}
