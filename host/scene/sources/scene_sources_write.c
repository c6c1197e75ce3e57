/* The echo of what comes in and goes out. */
#include "keys/scene_key_values.h"
#include "scene_shape.h"
#include "sources/scene_sources.h"

static void write_part(struct json_writer *json, const struct scene *scene,
		       const struct scene_opening *part)
{
	const char *const *sides = scene_key(SECTION_INFLOWS, "wall")->words;
	json_string(json, "name", part->name);
	json_string(json, "wall", sides[part->wall]);
	json_begin_object(json, "box");
	scene_write_vector(json, "min", part->low, scene->dim);
	scene_write_vector(json, "max", part->high, scene->dim);
	json_end_object(json);
}

static void write_inflows(struct json_writer *json, const struct scene *scene)
{
	if (scene->inflow_count == 0)
		return;
	json_begin_array(json, "inflows");
	for (size_t i = 0; i < scene->inflow_count; i++) {
		const struct scene_inflow *inflow = &scene->inflows[i];
		json_begin_object(json, NULL);
		write_part(json, scene, &inflow->part);
		scene_keys_write(json, scene, SECTION_INFLOWS, KEY_ALL_KINDS, inflow);
		json_string(json, "liquid", scene->liquids[inflow->part.liquid].name);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_outflows(struct json_writer *json, const struct scene *scene)
{
	if (scene->outflow_count == 0)
		return;
	json_begin_array(json, "outflows");
	for (size_t i = 0; i < scene->outflow_count; i++) {
		const struct scene_outflow *outflow = &scene->outflows[i];
		json_begin_object(json, NULL);
		write_part(json, scene, &outflow->part);
		if (outflow->kind == OUTFLOW_PRESSURE)
			json_number(json, "pressure", outflow->pressure);
		else if (outflow->kind == OUTFLOW_HYDROSTATIC)
			json_number(json, "hydrostatic", outflow->level);
		else
			json_number(json, "velocity", outflow->velocity);
		json_string(json, "liquid", scene->liquids[outflow->part.liquid].name);
		json_end_object(json);
	}
	json_end_array(json);
}

static bool write_emitters(struct json_writer *json, const struct scene *scene)
{
	bool good = true;
	if (scene->emitter_count == 0)
		return true;
	json_begin_array(json, "emitters");
	for (size_t i = 0; i < scene->emitter_count; i++) {
		const struct scene_emitter *emitter = &scene->emitters[i];
		json_begin_object(json, NULL);
		json_string(json, "name", emitter->name);
		good &= scene_shape_write(json, &emitter->shape, scene->dim);
		scene_keys_write(json, scene, SECTION_EMITTERS, KEY_ALL_KINDS, emitter);
		json_string(json, "liquid", scene->liquids[emitter->liquid].name);
		json_end_object(json);
	}
	json_end_array(json);
	return good;
}

static bool write_drains(struct json_writer *json, const struct scene *scene)
{
	bool good = true;
	if (scene->drain_count == 0)
		return true;
	json_begin_array(json, "drains");
	for (size_t i = 0; i < scene->drain_count; i++) {
		const struct scene_drain *drain = &scene->drains[i];
		json_begin_object(json, NULL);
		json_string(json, "name", drain->name);
		good &= scene_shape_write(json, &drain->shape, scene->dim);
		scene_keys_write(json, scene, SECTION_DRAINS, KEY_ALL_KINDS, drain);
		json_end_object(json);
	}
	json_end_array(json);
	return good;
}

bool scene_sources_write(struct json_writer *json, const struct scene *scene)
{
	write_inflows(json, scene);
	write_outflows(json, scene);
	const bool emitters = write_emitters(json, scene);
	return write_drains(json, scene) && emitters;
}
