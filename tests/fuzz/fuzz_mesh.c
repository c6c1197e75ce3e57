/* Meshes: files as their reader takes them, and triangles as such.  What is taken makes a shape
 * whose values are numbers; what is not has a reason. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "mesh/mesh_file.h"
#include "mesh/mesh_shape.h"
#include "shape.h"

#define RAW 3 /* kind of input that is no file */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	return 0;
}

/* How many vertices, coordinates in eighths or as they are, then triangles, a byte a corner. */
static bool take_surface(const uint8_t *data, size_t size, struct mesh_surface *surface)
{
	if (size < 2)
		return false;
	const bool coarse = data[0] & 1;
	const size_t width = coarse ? 3 : 3 * sizeof(f32);
	size_t vertices = 1 + data[1] % 64;
	data += 2;
	size -= 2;
	vertices = vertices < size / width ? vertices : size / width;
	const size_t corners = size - vertices * width;
	surface->vertices = calloc(3 * vertices + 1, sizeof(*surface->vertices));
	surface->triangles = calloc(corners + 1, sizeof(*surface->triangles));
	fuzz_expect(surface->vertices && surface->triangles, "there is memory");
	for (size_t i = 0; i < 3 * vertices; i++) {
		f32 value = 0.125f * (f32)(data[coarse ? i : 0] % 16);
		if (!coarse)
			memcpy(&value, data + i * sizeof(value), sizeof(value));
		surface->vertices[i] = isfinite(value) ? value : 0.0f;
	}
	data += vertices * width;
	for (size_t i = 0; i < corners && vertices > 0; i++)
		surface->triangles[i] = data[i] % (uint32_t)vertices;
	surface->vertex_count = vertices;
	surface->triangle_count = vertices > 0 ? corners / 3 : 0;
	return true;
}

static void check_shape(struct mesh_surface *surface, const struct mesh_request *request)
{
	struct mesh_shape shape;
	char reason[MESH_SHAPE_REASON] = "";
	size_t count = 0;
	f32 *words = mesh_shape_words(surface, request, &shape, &count, reason);
	fuzz_expect(words || reason[0], "a reason");
	const struct shape_op op = {.kind = SHAPE_MESH, .count = (i32)(count / 2)};
	for (int n = 0; words && n < 64; n++) {
		const f32 p[3] = {0.4f * (f32)(n % 4), 0.37f * (f32)(n / 4 % 4),
				  0.41f * (f32)(n / 16)};
		const struct shape_sample s = shape_mesh(&op, words, p);
		fuzz_expect(isfinite(s.distance), "a distance");
		fuzz_expect(!shape.sheet || s.distance >= 0.0f, "sheets have no inside");
		for (int axis = 0; axis < 3; axis++)
			fuzz_expect(fabsf(s.gradient[axis]) < 1.001f, "a direction");
	}
	free(words);
	mesh_shape_free(&shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const kinds[RAW] = {"obj", "ply", "stl"};
	struct mesh_surface surface = {0};
	char reason[FILE_READ_REASON] = "";
	if (size < 1)
		return 0;
	const struct mesh_request request = {
		.scale = {1, 1, 1}, .kind = data[0] / 4 % 3, .h = 0.25, .size = {1.5, 1, 1}};
	const unsigned kind = data[0] % 4;
	bool taken;
	if (kind == RAW) {
		taken = take_surface(data + 1, size - 1, &surface);
	} else {
		char *bytes = calloc(size, 1);
		fuzz_expect(bytes != NULL, "there is memory");
		memcpy(bytes, data + 1, size - 1);
		taken = mesh_bytes_read(bytes, size - 1, kinds[kind], &surface, reason);
		fuzz_expect(taken || reason[0], "a reason");
		free(bytes);
	}
	if (taken)
		check_shape(&surface, &request);
	mesh_surface_free(&surface);
	return 0;
}
