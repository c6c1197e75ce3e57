#include "mesh_files.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"
#include "number.h"
#include "version.h"

#define VERTEX_BYTES (9 * sizeof(f32))
#define FACE_BYTES (1 + 3 * sizeof(u32))
#define HEADER_BYTES 512
/* A number takes at most 15 characters with its blank ("-1.23456789e-10 "), a vertex number 10. */
#define OBJ_VERTEX_BYTES (2 * (3 + 3 * 16 + 1))
#define OBJ_FACE_BYTES (2 + 3 * (2 * 10 + 3) + 1)

/* A file in memory.  Its parts are never longer than what was asked for. */
struct text {
	char *bytes;
	size_t length;
};

static bool is_little_endian(void)
{
	const u32 one = 1;
	unsigned char first;
	memcpy(&first, &one, 1);
	return first == 1;
}

static bool make_ply(struct text *text, const struct mesh *mesh)
{
	const size_t vertices = VERTEX_BYTES * (size_t)mesh->vertices;
	text->bytes = malloc(HEADER_BYTES + vertices + FACE_BYTES * (size_t)mesh->triangles);
	if (!text->bytes)
		return message_error("out of memory for a mesh of %u triangles", mesh->triangles);
	const int header =
		snprintf(text->bytes, HEADER_BYTES,
			 "ply\nformat %s 1.0\ncomment freshet " FRESHET_VERSION
			 ", metres, metres per second\nelement vertex %u\n"
			 "property float x\nproperty float y\nproperty float z\n"
			 "property float nx\nproperty float ny\nproperty float nz\n"
			 "property float vx\nproperty float vy\nproperty float vz\n"
			 "element face %u\nproperty list uchar int vertex_indices\nend_header\n",
			 is_little_endian() ? "binary_little_endian" : "binary_big_endian",
			 mesh->vertices, mesh->triangles);
	char *to = text->bytes + header;
	if (mesh->vertices)
		memcpy(to, mesh->vertex, vertices);
	to += vertices;
	for (size_t t = 0; t < mesh->triangles; t++, to += FACE_BYTES) {
		*to = 3;
		memcpy(to + 1, mesh->triangle + 3 * t, FACE_BYTES - 1);
	}
	text->length = (size_t)(to - text->bytes);
	return true;
}

static char *add_vector(char *to, const char *key, const f32 *vector)
{
	char number[NUMBER_TEXT];
	to += sprintf(to, "%s", key);
	for (int a = 0; a < 3; a++)
		to += sprintf(to, " %s", number_from_float((double)vector[a], number));
	*to++ = '\n';
	return to;
}

static bool make_obj(struct text *text, const struct mesh *mesh)
{
	text->bytes = malloc(HEADER_BYTES + OBJ_VERTEX_BYTES * (size_t)mesh->vertices +
			     OBJ_FACE_BYTES * (size_t)mesh->triangles);
	if (!text->bytes)
		return message_error("out of memory for a mesh of %u triangles", mesh->triangles);
	char *to = text->bytes;
	to += sprintf(to,
		      "# freshet " FRESHET_VERSION ", metres: %u vertices, %u triangles\no "
		      "liquid\n",
		      mesh->vertices, mesh->triangles);
	for (size_t v = 0; v < mesh->vertices; v++)
		to = add_vector(to, "v", mesh->vertex + 9 * v);
	for (size_t v = 0; v < mesh->vertices; v++)
		to = add_vector(to, "vn", mesh->vertex + 9 * v + 3);
	for (size_t t = 0; t < mesh->triangles; t++) {
		*to++ = 'f';
		for (int c = 0; c < 3; c++) {
			/* Numbers count from 1. */
			const u32 number = mesh->triangle[3 * t + (size_t)c] + 1;
			to += sprintf(to, " %u//%u", number, number);
		}
		*to++ = '\n';
	}
	text->length = (size_t)(to - text->bytes);
	return true;
}

void mesh_file_name(int frame, enum scene_mesh_format format, char name[MESH_NAME])
{
	snprintf(name, MESH_NAME, "mesh_%06d.%s", frame, format == MESH_PLY ? "ply" : "obj");
}

bool mesh_file_write(const char *directory, int frame, enum scene_mesh_format format,
		     const struct mesh *mesh)
{
	struct text text = {0};
	char name[MESH_NAME];
	const bool ply = format == MESH_PLY;
	mesh_file_name(frame, format, name);
	const bool ok = (ply ? make_ply(&text, mesh) : make_obj(&text, mesh)) &&
			file_write_atomic(directory, name, text.bytes, text.length);
	free(text.bytes);
	return ok;
}

/* ---- of a run --------------------------------------------------------------------------- */

bool mesh_output_init(struct mesh_output *output, const struct sim *sim)
{
	return !sim->scene->output.mesh || surface_init(&output->surface, sim);
}

bool mesh_output_open(struct mesh_output *output, const struct output *run)
{
	output->directory = output_subdirectory(run, MESH_DIRECTORY);
	return output->directory != NULL;
}

bool mesh_output_frame(struct mesh_output *output, struct sim *sim)
{
	const struct scene *scene = sim->scene;
	struct mesh mesh;
	if (!scene->output.mesh || sim->frame % scene->output.mesh_every != 0)
		return true;
	if (!surface_update(&output->surface, sim) || !surface_mesh(&output->surface, sim, &mesh))
		return false;
	const bool ok =
		mesh_file_write(output->directory, sim->frame, scene->output.mesh_format, &mesh);
	mesh_free(&mesh);
	return ok;
}

void mesh_output_release(struct mesh_output *output, struct clx *cl)
{
	if (cl)
		surface_finish(&output->surface, cl);
	output->surface = (struct surface){0};
}

void mesh_output_finish(struct mesh_output *output, struct clx *cl)
{
	mesh_output_release(output, cl);
	free(output->directory);
	*output = (struct mesh_output){0};
}
