/* The reader of scenes: the bytes up to the first NUL are the file, each text behind it is a --set.
 * A scene that is taken must survive being written and read again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "scene.h"
#include "scene_compare.h"
#include "shape.h"

#define MOST_SETS 8

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	return 0;
}

static void check_shape(int dim, const struct shape_program *shape)
{
	for (int i = -1; i < 3; i++) {
		const f32 x = (f32)i * 0.37f;
		const f32 distance = shape_distance(dim, shape->ops, (int)shape->op_count,
						    shape->points, x, 0.3f, dim == 3 ? x : 0.0f);
		fuzz_expect(!isnan(distance), "a shape has a distance");
	}
}

static void check_scene(const struct scene *scene)
{
	struct scene_differences differences;
	char *text = scene_to_json(scene, 0);
	fuzz_expect(text != NULL, "a scene can be written");
	struct scene *again = scene_read_text(text, strlen(text), scene->path);
	fuzz_expect(again != NULL, "a written scene can be read");
	char *twice = scene_to_json(again, 0);
	fuzz_expect(twice && strcmp(text, twice) == 0, "a written scene is the same scene");
	fuzz_expect(scene_compare(text, twice, &differences) && differences.count == 0,
		    "a scene does not differ from itself");
	for (size_t i = 0; i < scene->liquid_count; i++)
		check_shape(scene->dim, &scene->liquids[i].shape);
	for (size_t i = 0; i < scene->solid_count; i++)
		check_shape(scene->dim, &scene->solids[i].shape);
	free(twice);
	free(text);
	scene_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *sets[MOST_SETS];
	size_t count = 0;
	char *text = malloc(size + 1);
	fuzz_expect(text != NULL, "there is memory");
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	const size_t length = strlen(text);
	for (size_t at = length + 1; at < size && count < MOST_SETS; at += strlen(text + at) + 1)
		sets[count++] = text + at;
	struct scene *scene = scene_read(fuzz_file(text, length), sets, count);
	if (scene)
		check_scene(scene);
	scene_free(scene);
	free(text);
	return 0;
}
