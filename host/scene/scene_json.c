#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "message.h"
#include "number.h"
#include "scene.h"
#include "scene_shape.h"

static const char *open_or_closed(bool open)
{
	return open ? "open" : "closed";
}

/* "[a, b]": vectors read better on one line. */
static void write_vector(struct json_writer *json, const char *key, const double *value, int count)
{
	char text[4 * NUMBER_TEXT] = "[", number[NUMBER_TEXT];
	for (int i = 0; i < count; i++) {
		strcat(text, i > 0 ? ", " : "");
		strcat(text, number_from_double(value[i], number));
	}
	strcat(text, "]");
	json_raw(json, key, text);
}

static void write_domain(struct json_writer *json, const struct scene *scene)
{
	static const char *const sides[] = {"x-", "x+", "y-", "y+", "z-", "z+"};
	json_begin_object(json, "domain");
	write_vector(json, "size", scene->size, scene->dim);
	double cells[3];
	for (int i = 0; i < 3; i++)
		cells[i] = scene->cells[i];
	write_vector(json, "cells", cells, scene->dim);
	json_begin_object(json, "walls");
	for (int side = 0; side < 2 * scene->dim; side++)
		json_string(json, sides[side], open_or_closed(scene->open[side]));
	json_end_object(json);
	json_end_object(json);
}

static void write_time(struct json_writer *json, const struct scene *scene)
{
	json_begin_object(json, "time");
	json_integer(json, "frames", scene->time.frames);
	json_number(json, "fps", scene->time.fps);
	json_number(json, "cfl", scene->time.cfl);
	json_number(json, "max_dt", scene->time.max_dt);
	if (scene->time.dt > 0)
		json_number(json, "dt", scene->time.dt);
	json_end_object(json);
}

static void write_gravity(struct json_writer *json, const struct scene *scene)
{
	const struct scene_gravity_key *keys = scene->gravity;
	if (scene->gravity_count == 1 && !(keys[0].time > 0)) {
		write_vector(json, "gravity", keys[0].g, scene->dim);
		return;
	}
	json_begin_array(json, "gravity");
	for (size_t i = 0; i < scene->gravity_count; i++) {
		json_begin_object(json, NULL);
		json_number(json, "time", keys[i].time);
		write_vector(json, "g", keys[i].g, scene->dim);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_motion_keys(struct json_writer *json, const struct scene *scene)
{
	const struct scene_motion *motion = &scene->motion;
	json_begin_array(json, "motion");
	for (size_t i = 0; i < motion->key_count; i++) {
		const struct scene_motion_key *key = &motion->keys[i];
		json_begin_object(json, NULL);
		json_number(json, "time", key->time);
		if (motion->turn_keys != MOTION_KEYS_NONE)
			json_number(json,
				    motion->turn_keys == MOTION_KEYS_PLACE ? "angle"
									   : "angular_velocity",
				    key->value[0]);
		if (motion->shift_keys != MOTION_KEYS_NONE)
			write_vector(json,
				     motion->shift_keys == MOTION_KEYS_PLACE ? "position"
									     : "velocity",
				     &key->value[1], scene->dim);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_oscillation(struct json_writer *json, const char *key,
			      const struct scene_oscillation *o, int components)
{
	json_begin_object(json, key);
	if (components == 1)
		json_number(json, "amplitude", o->amplitude[0]);
	else
		write_vector(json, "amplitude", o->amplitude, components);
	json_number(json, "frequency", o->frequency);
	json_number(json, "phase", o->phase);
	json_number(json, "ramp", o->ramp);
	json_end_object(json);
}

static void write_motion(struct json_writer *json, const struct scene *scene)
{
	const struct scene_motion *motion = &scene->motion;
	if (!motion->given)
		return;
	json_begin_object(json, "frame");
	write_vector(json, "center", motion->center, scene->dim);
	if (scene->dim == 3)
		write_vector(json, "axis", motion->axis, 3);
	if (motion->key_count > 0)
		write_motion_keys(json, scene);
	write_oscillation(json, "roll", &motion->roll, 1);
	write_oscillation(json, "sway", &motion->sway, scene->dim);
	json_end_object(json);
}

static void write_liquid_defaults(struct json_writer *json, const struct scene *scene)
{
	static const char *const transfers[] = {"flip", "pic", "apic"};
	json_begin_object(json, "liquid");
	json_number(json, "density", scene->density);
	json_integer(json, "particles_per_cell", scene->particles_per_cell);
	json_number(json, "jitter", scene->jitter);
	json_integer(json, "seed", scene->seed);
	json_string(json, "transfer", transfers[scene->transfer]);
	json_number(json, "flip_ratio", scene->flip_ratio);
	json_end_object(json);
}

const char *scene_solver_name(enum scene_solver solver)
{
	static const char *const names[] = {"mgpcg",  "multigrid",    "cg",
					    "jacobi", "gauss-seidel", "pcg-ic"};
	return names[solver];
}

static void write_solver(struct json_writer *json, const struct scene *scene)
{
	static const char *const advections[] = {"rk1", "rk2", "rk3", "rk4"};
	static const char *const drifts[] = {"position", "density", "none"};
	json_begin_object(json, "solver");
	json_string(json, "pressure", scene_solver_name(scene->solver.pressure));
	json_number(json, "tolerance", scene->solver.tolerance);
	json_integer(json, "max_iterations", scene->solver.max_iterations);
	json_integer(json, "sweeps", scene->solver.sweeps);
	json_integer(json, "v_cycles", scene->solver.v_cycles);
	json_integer(json, "full_cycles", scene->solver.full_cycles);
	json_number(json, "over_relaxation", scene->solver.over_relaxation);
	json_string(json, "advection", advections[scene->solver.advection]);
	json_string(json, "drift", drifts[scene->solver.drift]);
	json_boolean(json, "separation", scene->solver.separation);
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
		good &= scene_shape_write(json, &liquid->shape, scene->dim);
		write_vector(json, "velocity", liquid->velocity, scene->dim);
		if (scene->dim == 2)
			json_number(json, "angular_velocity", liquid->angular_velocity[2]);
		else
			write_vector(json, "angular_velocity", liquid->angular_velocity, 3);
		snprintf(color, sizeof(color), "#%02x%02x%02x", (unsigned)liquid->color[0],
			 (unsigned)liquid->color[1], (unsigned)liquid->color[2]);
		json_string(json, "color", color);
		json_number(json, "jitter", liquid->jitter);
		json_integer(json, "seed", liquid->seed);
		json_end_object(json);
	}
	json_end_array(json);
	return good;
}

static bool write_solids(struct json_writer *json, const struct scene *scene)
{
	bool good = true;
	json_begin_array(json, "solids");
	for (size_t i = 0; i < scene->solid_count; i++) {
		const struct scene_solid *solid = &scene->solids[i];
		json_begin_object(json, NULL);
		json_string(json, "name", solid->name);
		good &= scene_shape_write(json, &solid->shape, scene->dim);
		json_string(json, "slip", solid->free_slip ? "free" : "none");
		json_end_object(json);
	}
	json_end_array(json);
	return good;
}

static void write_probes(struct json_writer *json, const struct scene *scene)
{
	static const char *const quantities[] = {"pressure", "velocity", "height", "front"};
	json_begin_array(json, "probes");
	for (size_t i = 0; i < scene->output.probe_count; i++) {
		const struct scene_probe *probe = &scene->output.probes[i];
		const double column[2] = {probe->point[0], probe->point[2]};
		json_begin_object(json, NULL);
		json_string(json, "name", probe->name);
		if (probe->quantity == QUANTITY_FRONT)
			json_number(json, "depth", probe->depth);
		else if (probe->quantity == QUANTITY_HEIGHT)
			write_vector(json, "column", column, scene->dim - 1);
		else
			write_vector(json, "point", probe->point, scene->dim);
		json_string(json, "quantity", quantities[probe->quantity]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_data_files(struct json_writer *json, const struct scene *scene)
{
	if (scene->output.particles_every > 0) {
		json_begin_object(json, "particles");
		json_string(json, "format", particle_format_names[scene->output.particles_format]);
		json_integer(json, "every", scene->output.particles_every);
		json_end_object(json);
	}
	if (scene->output.fields_every > 0) {
		json_begin_object(json, "fields");
		json_integer(json, "every", scene->output.fields_every);
		json_begin_array(json, "names");
		for (unsigned i = 0; i < GRID_FIELD_COUNT; i++)
			if (scene->output.fields & 1u << i)
				json_string(json, NULL, grid_field_names[i]);
		json_end_array(json);
		json_end_object(json);
	}
}

static void write_surface(struct json_writer *json, const struct scene *scene)
{
	static const char *const methods[] = {"averaged", "blobs", "anisotropic"};
	json_begin_object(json, "surface");
	json_string(json, "method", methods[scene->output.surface.method]);
	json_integer(json, "resolution", scene->output.surface.resolution);
	json_end_object(json);
	if (!scene->output.mesh)
		return;
	json_begin_object(json, "mesh");
	json_string(json, "format", mesh_format_names[scene->output.mesh_format]);
	json_integer(json, "every", scene->output.mesh_every);
	json_end_object(json);
}

static void write_output(struct json_writer *json, const struct scene *scene)
{
	json_begin_object(json, "output");
	json_boolean(json, "stats", scene->output.stats);
	if (scene->output.png) {
		const double size[2] = {scene->output.png_size[0], scene->output.png_size[1]};
		json_begin_object(json, "png");
		write_vector(json, "size", size, 2);
		json_string(json, "view", picture_view_names[scene->output.png_view]);
		json_integer(json, "every", scene->output.png_every);
		json_begin_object(json, "ranges");
		for (int view = VIEW_SPEED; view <= VIEW_LEVELSET; view++)
			write_vector(json, picture_view_names[view], scene->output.png_range[view],
				     2);
		json_end_object(json);
		json_end_object(json);
	}
	write_surface(json, scene);
	write_data_files(json, scene);
	write_probes(json, scene);
	if (scene->output.checkpoint_every > 0) {
		json_begin_object(json, "checkpoint");
		json_integer(json, "every", scene->output.checkpoint_every);
		json_integer(json, "keep", scene->output.checkpoint_keep);
		json_end_object(json);
	}
	json_end_object(json);
}

static void write_camera(struct json_writer *json, const struct scene *scene)
{
	json_begin_object(json, "camera");
	write_vector(json, "eye", scene->camera.eye, 3);
	write_vector(json, "target", scene->camera.target, 3);
	write_vector(json, "up", scene->camera.up, 3);
	json_number(json, "fov", scene->camera.fov);
	json_end_object(json);
}

char *scene_to_json(const struct scene *scene, int indent)
{
	struct json_writer json = {.depth = indent};
	json_begin_object(&json, NULL);
	json_integer(&json, "version", 1);
	json_string(&json, "name", scene->name);
	write_domain(&json, scene);
	write_time(&json, scene);
	write_gravity(&json, scene);
	write_motion(&json, scene);
	write_liquid_defaults(&json, scene);
	write_solver(&json, scene);
	const bool liquids = write_liquids(&json, scene);
	const bool solids = write_solids(&json, scene);
	write_output(&json, scene);
	if (scene->camera.given)
		write_camera(&json, scene);
	json_end_object(&json);
	size_t length;
	char *text = json_take(&json, &length);
	if (text && !(liquids && solids))
		message_error("out of memory while writing the scene");
	if (!text || !liquids || !solids) {
		free(text);
		return NULL;
	}
	/* The writer starts and ends a line; the caller stands on one already. */
	const size_t start = strcspn(text, "{");
	text[length - 1] = '\0';
	memmove(text, text + start, length - start);
	return text;
}
