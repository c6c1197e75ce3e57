/* The check of particles that a program gives to the library: what passes is inside the box,
 * outside the solids, finite, and of a liquid that there is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "particles_load.h"
#include "scene.h"
#include "shape.h"

static struct scene *scenes[2];

static struct scene *make_scene(const char *text)
{
	struct scene *scene = scene_read_text(text, strlen(text), "particles");
	fuzz_expect(scene != NULL, "the scene is good");
	return scene;
}

static void free_scenes(void)
{
	scene_free(scenes[0]);
	scene_free(scenes[1]);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	scenes[0] = make_scene(
		"domain: {size: [2, 1], cells: 8}\n"
		"liquids: [{box: {min: [0, 0], max: [1, 1]}}, {sphere: {center: [1, 1], radius: "
		"1}}]\nsolids: [{sphere: {center: [1, 0.5], radius: 0.25}}]\n");
	scenes[1] = make_scene("domain: {size: [1, 1, 1], cells: 8}\nliquid: {transfer: apic}\n"
			       "solids: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]\n");
	atexit(free_scenes);
	return 0;
}

/* The next `count` floats, zeros behind the end; owned by the caller. */
static f32 *take_floats(const uint8_t **data, size_t *size, size_t count)
{
	f32 *values = calloc(count + 1, sizeof(*values));
	fuzz_expect(values != NULL, "there is memory");
	const size_t bytes = *size < count * sizeof(f32) ? *size : count * sizeof(f32);
	if (bytes > 0)
		memcpy(values, *data, bytes);
	*data += bytes;
	*size -= bytes;
	return values;
}

static void check_taken(const struct scene *scene, const struct sim_particles *given)
{
	const size_t d = (size_t)scene->dim;
	const f32 *position = given_values(given, ATTRIBUTE_POSITION);
	const f32 *velocity = given_values(given, ATTRIBUTE_VELOCITY);
	const uint8_t *liquid = given_liquids(given);
	for (size_t p = 0; p < given->count; p++) {
		f32 x[3] = {0.0f, 0.0f, 0.0f};
		for (size_t c = 0; c < d; c++) {
			x[c] = position[p * d + c];
			fuzz_expect(x[c] >= 0.0f && (double)x[c] <= scene->size[c], "in the box");
			fuzz_expect(!velocity || isfinite(velocity[p * d + c]),
				    "finite velocities");
		}
		fuzz_expect(!liquid || liquid[p] < (scene->liquid_count ? scene->liquid_count : 1),
			    "a liquid of the scene");
		const struct shape_program *solid = &scene->solids[0].shape;
		fuzz_expect(shape_distance(scene->dim, solid->ops, (int)solid->op_count,
					   solid->points, x[0], x[1], x[2]) >= 0.0f,
			    "outside the solid");
	}
}

/* A byte of choices, a count, then the values. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const uint8_t choices = data[0];
	const struct scene *scene = scenes[choices & 1];
	const size_t count = data[1] % 32, d = (size_t)scene->dim;
	data += 2;
	size -= 2;
	f32 *position = take_floats(&data, &size, count * d);
	f32 *velocity = choices & 2 ? take_floats(&data, &size, count * d) : NULL;
	f32 *affine = choices & 4 ? take_floats(&data, &size, count * d * d) : NULL;
	f32 *liquid = choices & 8 ? take_floats(&data, &size, count) : NULL;
	const struct sim_particles given = {
		.count = (u32)count,
		.values = {[ATTRIBUTE_POSITION] = choices & 16 ? NULL : position,
			   [ATTRIBUTE_VELOCITY] = velocity,
			   [ATTRIBUTE_AFFINE] = affine,
			   [ATTRIBUTE_LIQUID] = liquid},
	};
	if (particles_load_check(scene, &given))
		check_taken(scene, &given);
	free(position);
	free(velocity);
	free(affine);
	free(liquid);
	return 0;
}
