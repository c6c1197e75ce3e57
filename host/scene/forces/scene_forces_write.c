/* The echo of force fields. */
#include "keys/scene_key_values.h"
#include "scene_forces.h"
#include "scene_shape.h"

static void write_keys(struct json_writer *json, const struct scene *scene, const char *name,
		       enum scene_section section, const struct scene_vector_key *keys,
		       size_t count)
{
	json_begin_array(json, name);
	for (size_t i = 0; i < count; i++) {
		json_begin_object(json, NULL);
		json_number(json, "time", keys[i].time);
		if (section == SECTION_FORCE_TIME)
			json_number(json, "factor", keys[i].value[0]);
		else
			scene_write_vector(json, "acceleration", keys[i].value, scene->dim);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_kind(struct json_writer *json, const struct scene *scene,
		       const struct scene_force *force)
{
	const char *word = scene_force_word(force->kind);
	if (force->kind == FORCE_CUSTOM) {
		if (force->acceleration_count == 1 && !(force->accelerations[0].time > 0))
			scene_write_vector(json, word, force->accelerations[0].value, scene->dim);
		else
			write_keys(json, scene, word, SECTION_FORCE_CUSTOM, force->accelerations,
				   force->acceleration_count);
		return;
	}
	json_begin_object(json, word);
	if (force->kind == FORCE_VORTEX && scene->dim == 3)
		scene_write_vector(json, "axis", force->axis, 3);
	scene_keys_write(json, scene, (enum scene_section)scene_force_section(force->kind),
			 KEY_ALL_KINDS, force);
	json_end_object(json);
}

bool scene_forces_write(struct json_writer *json, const struct scene *scene)
{
	bool good = true;
	if (scene->force_count == 0)
		return true;
	json_begin_array(json, "forces");
	for (size_t i = 0; i < scene->force_count; i++) {
		const struct scene_force *force = &scene->forces[i];
		json_begin_object(json, NULL);
		json_string(json, "name", force->name);
		write_kind(json, scene, force);
		good &= force->shape.op_count == 0 ||
			scene_shape_write(json, &force->shape, scene->dim);
		scene_keys_write(json, scene, SECTION_FORCES, KEY_ALL_KINDS, force);
		if (force->factor_count > 0)
			write_keys(json, scene, "time", SECTION_FORCE_TIME, force->factors,
				   force->factor_count);
		json_end_object(json);
	}
	json_end_array(json);
	return good;
}
