/* The echo of a scene.  Plain keys are written by their rows, here is what is told in a form of its
 * own, and in which order. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forces/scene_forces.h"
#include "json_writer.h"
#include "message.h"
#include "scene_key_values.h"
#include "scene_shape.h"
#include "sources/scene_sources.h"

/* A mapping of plain keys. */
static void write_section(struct json_writer *json, const struct scene *scene, const char *name,
			  enum scene_section section, const void *from)
{
	json_begin_object(json, name);
	scene_keys_write(json, scene, section, KEY_ALL_KINDS, from);
	json_end_object(json);
}

/* A mapping of `output`, if it was given and the method has it. */
static void write_output_section(struct json_writer *json, const struct scene *scene,
				 const char *name, bool given)
{
	const struct scene_key *key = scene_key(SECTION_OUTPUT, name);
	if (given && scene_key_belongs(key, scene->method))
		write_section(json, scene, name, key->inside, scene);
}

/* Unless nothing rubs at walls. */
static void write_wall_law(struct json_writer *json, const struct scene *scene,
			   const struct scene_wall_law *law)
{
	if (law->kind == WALL_LAW_NONE && scene->wall_law.kind == WALL_LAW_NONE)
		return;
	if (law->kind != WALL_LAW_ROUGH) {
		json_string(json, "wall_law", law->kind == WALL_LAW_SMOOTH ? "smooth" : "none");
		return;
	}
	json_begin_object(json, "wall_law");
	json_number(json, "roughness", law->roughness);
	json_end_object(json);
}

static void write_domain(struct json_writer *json, const struct scene *scene)
{
	json_begin_object(json, "domain");
	scene_write_vector(json, "size", scene->size, scene->dim);
	double cells[3];
	for (int i = 0; i < 3; i++)
		cells[i] = scene->cells[i];
	scene_write_vector(json, "cells", cells, scene->dim);
	json_begin_object(json, "walls");
	const struct scene_key *wall = scene_sections[SECTION_WALLS]->keys;
	for (int side = 0; side < 2 * scene->dim; side++, wall++)
		json_string(json, wall->name, wall->words[scene->open[side]]);
	json_end_object(json);
	write_wall_law(json, scene, &scene->wall_law);
	if (scene->side_walls > 0.0)
		json_number(json, "side_walls", scene->side_walls);
	json_end_object(json);
}

static void write_gravity(struct json_writer *json, const struct scene *scene)
{
	const struct scene_vector_key *keys = scene->gravity;
	if (scene->gravity_count == 1 && !(keys[0].time > 0)) {
		scene_write_vector(json, "gravity", keys[0].value, scene->dim);
		return;
	}
	json_begin_array(json, "gravity");
	for (size_t i = 0; i < scene->gravity_count; i++) {
		json_begin_object(json, NULL);
		json_number(json, "time", keys[i].time);
		scene_write_vector(json, "g", keys[i].value, scene->dim);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_motion_keys(struct json_writer *json, const struct scene *scene)
{
	const struct scene_motion *motion = &scene->motion;
	json_begin_array(json, "motion");
	for (size_t i = 0; i < motion->key_count; i++) {
		const struct motion_key *key = &motion->keys[i];
		json_begin_object(json, NULL);
		json_number(json, "time", key->time);
		if (motion->turn_keys != MOTION_KEYS_NONE)
			json_number(json,
				    motion->turn_keys == MOTION_KEYS_PLACE ? "angle"
									   : "angular_velocity",
				    key->value[0]);
		if (motion->shift_keys != MOTION_KEYS_NONE)
			scene_write_vector(json,
					   motion->shift_keys == MOTION_KEYS_PLACE ? "position"
										   : "velocity",
					   &key->value[1], scene->dim);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_motion(struct json_writer *json, const struct scene *scene)
{
	const struct scene_motion *motion = &scene->motion;
	if (!motion->given)
		return;
	json_begin_object(json, "frame");
	scene_keys_write(json, scene, SECTION_MOTION, KEY_ALL_KINDS, scene);
	if (scene->dim == 3)
		scene_write_vector(json, "axis", motion->axis, 3);
	if (motion->key_count > 0)
		write_motion_keys(json, scene);
	if (!scene_key_comes_later(scene_key(SECTION_MOTION, "roll"), scene->method))
		write_section(json, scene, "roll", SECTION_ROLL, &motion->roll);
	write_section(json, scene, "sway", SECTION_SWAY, &motion->sway);
	json_end_object(json);
}

static void write_grid(struct json_writer *json, const struct scene *scene)
{
	json_begin_object(json, "grid");
	scene_keys_write(json, scene, SECTION_GRID, KEY_ALL_KINDS, scene);
	if (scene->grid_surface == GRID_SURFACE_LEVELSET && scene->redistance > 1)
		json_integer(json, "redistance", scene->redistance);
	else if (scene->grid_surface == GRID_SURFACE_LEVELSET)
		json_string(json, "redistance", scene->redistance == 1 ? "step" : "frame");
	json_end_object(json);
}

const char *scene_solver_name(enum scene_solver solver)
{
	return scene_key(SECTION_SOLVER, "pressure")->words[solver];
}

/* Where it is not that of `liquid`. */
static void write_transfer(struct json_writer *json, const struct scene *scene,
			   const struct scene_liquid *liquid)
{
	if (liquid->transfer != scene->transfer)
		json_string(json, "transfer",
			    scene_key(SECTION_LIQUID, "transfer")->words[liquid->transfer]);
	if (fabs(liquid->flip_ratio - scene->flip_ratio) > 0.0)
		json_number(json, "flip_ratio", liquid->flip_ratio);
}

static void write_points(struct json_writer *json, const struct scene_points *points)
{
	char hash[17];
	json_begin_object(json, "points");
	json_string(json, "file", points->file);
	snprintf(hash, sizeof(hash), "%016" PRIx64, points->hash);
	if (points->has_hash)
		json_string(json, "hash", hash);
	json_end_object(json);
}

static bool write_liquids(struct json_writer *json, const struct scene *scene)
{
	bool good = true;
	json_begin_array(json, "liquids");
	for (size_t i = 0; i < scene->liquid_count; i++) {
		const struct scene_liquid *liquid = &scene->liquids[i];
		char color[8];
		json_begin_object(json, NULL);
		json_string(json, "name", liquid->name);
		good &= liquid->shape.op_count == 0 ||
			scene_shape_write(json, &liquid->shape, scene->dim);
		if (liquid->points.file)
			write_points(json, &liquid->points);
		scene_keys_write(json, scene, SECTION_LIQUIDS, ~KEY_KIND(KEY_AS_LIQUID), liquid);
		if (scene->dim == 2)
			json_number(json, "angular_velocity", liquid->angular_velocity[2]);
		else
			scene_write_vector(json, "angular_velocity", liquid->angular_velocity, 3);
		snprintf(color, sizeof(color), "#%02x%02x%02x", (unsigned)liquid->color[0],
			 (unsigned)liquid->color[1], (unsigned)liquid->color[2]);
		if (scene_key_belongs(scene_key(SECTION_LIQUIDS, "color"), scene->method))
			json_string(json, "color", color);
		scene_keys_write(json, scene, SECTION_LIQUIDS, KEY_KIND(KEY_AS_LIQUID), liquid);
		write_transfer(json, scene, liquid);
		json_end_object(json);
	}
	json_end_array(json);
	return good;
}

static void write_solid_motion(struct json_writer *json, const struct scene *scene,
			       const struct scene_solid *solid)
{
	const struct solid_motion *motion = &solid->motion;
	const char *const *words = scene_key(SECTION_SOLIDS, "interpolation")->words;
	json_begin_array(json, "motion");
	for (size_t i = 0; i < motion->key_count; i++) {
		const struct motion_key *key = &motion->keys[i];
		json_begin_object(json, NULL);
		json_number(json, "time", key->time);
		scene_write_vector(json, "translate", key->value + SOLID_SHIFT, scene->dim);
		if (scene->dim == 2)
			json_number(json, "rotate", key->value[SOLID_TURN + 2]);
		else
			scene_write_vector(json, "rotate", key->value + SOLID_TURN, 3);
		json_end_object(json);
	}
	json_end_array(json);
	json_string(json, "interpolation", words[motion->spline]);
	if (!solid->body.given)
		scene_write_vector(json, "center", motion->center, scene->dim);
}

/* `led`: by a motion, which tells its velocity. */
static void write_body(struct json_writer *json, const struct scene *scene,
		       const struct scene_body *body, bool led)
{
	const struct scene_key *key = scene_key(SECTION_BODIES, "lock");
	scene_keys_write(json, scene, SECTION_BODIES, KEY_ALL_KINDS, body);
	if (!led)
		scene_write_vector(json, "velocity", body->velocity, scene->dim);
	if (!led && scene->dim == 2)
		json_number(json, "angular_velocity", body->spin[2]);
	else if (!led)
		scene_write_vector(json, "angular_velocity", body->spin, 3);
	json_begin_array(json, key->name);
	for (unsigned i = 0; key->words[i]; i++)
		if (body->lock >> i & 1u)
			json_string(json, NULL, key->words[i]);
	json_end_array(json);
}

/* Solids, or bodies. */
static bool write_solids(struct json_writer *json, const struct scene *scene, bool bodies)
{
	const char *const *slips = scene_key(SECTION_SOLIDS, "slip")->words;
	bool good = true;
	if (bodies && scene->body_count == 0)
		return true;
	json_begin_array(json, bodies ? "bodies" : "solids");
	for (size_t i = 0; i < scene->solid_count; i++) {
		const struct scene_solid *solid = &scene->solids[i];
		if (solid->body.given != bodies)
			continue;
		json_begin_object(json, NULL);
		json_string(json, "name", solid->name);
		good &= scene_shape_write(json, &solid->shape, scene->dim);
		json_string(json, "slip", slips[solid->free_slip ? 0 : 1]);
		if (bodies)
			write_body(json, scene, &solid->body, solid->motion.key_count > 0);
		else
			write_wall_law(json, scene, &solid->wall_law);
		if (solid->motion.key_count > 0)
			write_solid_motion(json, scene, solid);
		json_end_object(json);
	}
	json_end_array(json);
	return good;
}

static void write_probes(struct json_writer *json, const struct scene *scene)
{
	const char *const *quantities = scene_key(SECTION_PROBES, "quantity")->words;
	json_begin_array(json, "probes");
	for (size_t i = 0; i < scene->output.probe_count; i++) {
		const struct scene_probe *probe = &scene->output.probes[i];
		const double column[2] = {probe->point[0], probe->point[2]};
		json_begin_object(json, NULL);
		json_string(json, "name", probe->name);
		if (probe->quantity == QUANTITY_FRONT)
			scene_keys_write(json, scene, SECTION_PROBES, KEY_ALL_KINDS, probe);
		else if (probe->quantity == QUANTITY_HEIGHT)
			scene_write_vector(json, "column", column, scene->dim - 1);
		else
			scene_write_vector(json, "point", probe->point, scene->dim);
		json_string(json, "quantity", quantities[probe->quantity]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_png(struct json_writer *json, const struct scene *scene)
{
	const char *const *views = scene_key(SECTION_PNG, "view")->words;
	const double size[2] = {scene->output.png_size[0], scene->output.png_size[1]};
	json_begin_object(json, "png");
	scene_write_vector(json, "size", size, 2);
	scene_keys_write(json, scene, SECTION_PNG, KEY_ALL_KINDS, scene);
	json_begin_object(json, "ranges");
	for (int view = VIEW_SPEED; view <= VIEW_LEVELSET; view++)
		scene_write_vector(json, views[view], scene->output.png_range[view], 2);
	json_end_object(json);
	json_end_object(json);
}

static void write_fields(struct json_writer *json, const struct scene *scene)
{
	const char *const *names = scene_key(SECTION_FIELDS, "names")->words;
	json_begin_object(json, "fields");
	scene_keys_write(json, scene, SECTION_FIELDS, KEY_ALL_KINDS, scene);
	json_begin_array(json, "names");
	for (unsigned i = 0; names[i]; i++)
		if (scene->output.fields & 1u << i)
			json_string(json, NULL, names[i]);
	json_end_array(json);
	json_end_object(json);
}

static void write_output(struct json_writer *json, const struct scene *scene)
{
	json_begin_object(json, "output");
	scene_keys_write(json, scene, SECTION_OUTPUT, KEY_ALL_KINDS, scene);
	if (scene->output.png)
		write_png(json, scene);
	write_output_section(json, scene, "surface", true);
	write_output_section(json, scene, "mesh", scene->output.mesh);
	write_output_section(json, scene, "particles", scene->output.particles_every > 0);
	if (scene->output.fields_every > 0)
		write_fields(json, scene);
	write_probes(json, scene);
	write_output_section(json, scene, "checkpoint", scene->output.checkpoint_every > 0);
	json_end_object(json);
}

char *scene_to_json(const struct scene *scene, int indent)
{
	struct json_writer json = {.depth = indent};
	json_begin_object(&json, NULL);
	json_integer(&json, "version", 1);
	json_string(&json, "name", scene->name);
	scene_keys_write(&json, scene, SECTION_ROOT, KEY_ALL_KINDS, scene);
	write_domain(&json, scene);
	write_section(&json, scene, "time", SECTION_TIME, scene);
	write_gravity(&json, scene);
	write_motion(&json, scene);
	write_section(&json, scene, "liquid", SECTION_LIQUID, scene);
	if (scene_key_belongs(scene_key(SECTION_ROOT, "grid"), scene->method))
		write_grid(&json, scene);
	if (scene_key_belongs(scene_key(SECTION_ROOT, "sph"), scene->method))
		write_section(&json, scene, "sph", SECTION_SPH, scene);
	write_section(&json, scene, "solver", SECTION_SOLVER, scene);
	const bool liquids = write_liquids(&json, scene);
	const bool solids = write_solids(&json, scene, false) && write_solids(&json, scene, true);
	const bool sources = scene_sources_write(&json, scene);
	const bool forces = scene_forces_write(&json, scene);
	write_output(&json, scene);
	if (scene->camera.given)
		write_section(&json, scene, "camera", SECTION_CAMERA, scene);
	json_end_object(&json);
	size_t length;
	char *text = json_take(&json, &length);
	if (text && !(liquids && solids && sources && forces))
		message_error("out of memory while writing the scene");
	if (!text || !liquids || !solids || !sources || !forces) {
		free(text);
		return NULL;
	}
	/* The writer starts and ends a line; the caller stands on one already. */
	const size_t start = strcspn(text, "{");
	text[length - 1] = '\0';
	memmove(text, text + start, length - start);
	return text;
}
