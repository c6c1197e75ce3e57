#include "mesh_files.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "file_queue.h"
#include "file_stream.h"
#include "message.h"
#include "number.h"
#include "version.h"

#define VERTEX_BYTES (9 * sizeof(f32))
#define HEADER_BYTES 512
/* A number takes at most 15 characters with its blank ("-1.23456789e-10 "), a vertex number 10. */
#define OBJ_LINE_BYTES 80

/* In the background: a mesh and how to write it. */
struct mesh_file {
	struct mesh mesh;
	enum scene_mesh_format format;
};

static bool is_little_endian(void)
{
	const u32 one = 1;
	unsigned char first;
	memcpy(&first, &one, 1);
	return first == 1;
}

static void write_ply(struct file_stream *stream, const struct mesh *mesh)
{
	char header[HEADER_BYTES];
	/* Edges have two properties, triangles a list with its length in front. */
	const bool edges = mesh->corners == 2;
	const size_t length = mesh->corners * sizeof(u32);
	snprintf(header, sizeof(header),
		 "ply\nformat %s 1.0\ncomment freshet " FRESHET_VERSION
		 ", metres, metres per second\nelement vertex %u\n"
		 "property float x\nproperty float y\nproperty float z\n"
		 "property float nx\nproperty float ny\nproperty float nz\n"
		 "property float vx\nproperty float vy\nproperty float vz\n"
		 "element %s %u\n%send_header\n",
		 is_little_endian() ? "binary_little_endian" : "binary_big_endian", mesh->vertices,
		 edges ? "edge" : "face", mesh->faces,
		 edges ? "property int vertex1\nproperty int vertex2\n"
		       : "property list uchar int vertex_indices\n");
	file_stream_text(stream, header);
	file_stream_write(stream, mesh->vertex, VERTEX_BYTES * (size_t)mesh->vertices);
	if (edges) {
		file_stream_write(stream, mesh->face, length * mesh->faces);
		return;
	}
	for (size_t f = 0; f < mesh->faces; f++) {
		file_stream_write(stream, "\3", 1);
		file_stream_write(stream, mesh->face + mesh->corners * f, length);
	}
}

static void write_vector(struct file_stream *stream, const char *key, const f32 *vector)
{
	char number[NUMBER_TEXT], *line = file_stream_room(stream, OBJ_LINE_BYTES), *to = line;
	if (!line)
		return;
	to += sprintf(to, "%s", key);
	for (int a = 0; a < 3; a++)
		to += sprintf(to, " %s", number_from_float((double)vector[a], number));
	*to++ = '\n';
	file_stream_advance(stream, (size_t)(to - line));
}

/* Numbers count from 1; lines take no normals. */
static void write_face(struct file_stream *stream, const struct mesh *mesh, const u32 *corner)
{
	char *line = file_stream_room(stream, OBJ_LINE_BYTES), *to = line;
	if (!line)
		return;
	*to++ = mesh->corners == 2 ? 'l' : 'f';
	for (u32 c = 0; c < mesh->corners; c++)
		to += mesh->corners == 2 ? sprintf(to, " %u", corner[c] + 1)
					 : sprintf(to, " %u//%u", corner[c] + 1, corner[c] + 1);
	*to++ = '\n';
	file_stream_advance(stream, (size_t)(to - line));
}

static void write_obj(struct file_stream *stream, const struct mesh *mesh)
{
	char header[HEADER_BYTES];
	snprintf(header, sizeof(header),
		 "# freshet " FRESHET_VERSION ", metres: %u vertices, %u %s\no liquid\n",
		 mesh->vertices, mesh->faces, mesh->corners == 2 ? "edges" : "triangles");
	file_stream_text(stream, header);
	for (size_t v = 0; v < mesh->vertices; v++)
		write_vector(stream, "v", mesh->vertex + 9 * v);
	for (size_t v = 0; v < mesh->vertices && mesh->corners == 3; v++)
		write_vector(stream, "vn", mesh->vertex + 9 * v + 3);
	for (size_t f = 0; f < mesh->faces; f++)
		write_face(stream, mesh, mesh->face + mesh->corners * f);
}

void mesh_file_name(int frame, enum scene_mesh_format format, char name[MESH_NAME])
{
	snprintf(name, MESH_NAME, "mesh_%06d.%s", frame, format == MESH_PLY ? "ply" : "obj");
}

static int write_file(const char *path, void *data)
{
	const struct mesh_file *file = data;
	struct file_stream stream;
	file_stream_open(&stream, path);
	if (file->format == MESH_PLY)
		write_ply(&stream, &file->mesh);
	else
		write_obj(&stream, &file->mesh);
	return file_stream_finish(&stream);
}

static void free_file(void *data)
{
	struct mesh_file *file = data;
	if (file)
		mesh_free(&file->mesh);
	free(file);
}

/* ---- of a run --------------------------------------------------------------------------- */

bool mesh_output_init(struct mesh_output *output, const struct sim *sim)
{
	return !sim->scene->output.mesh || surface_init(&output->surface, sim);
}

bool mesh_output_open(struct mesh_output *output, const struct scene *scene,
		      const struct output *run)
{
	if (!scene->output.mesh)
		return true;
	output->directory = output_subdirectory(run, MESH_DIRECTORY);
	output->queue = output->directory ? file_queue_create() : NULL;
	return output->queue != NULL;
}

static bool queue_mesh(struct mesh_output *output, struct sim *sim, struct mesh_file *file)
{
	char name[MESH_NAME];
	file->format = sim->scene->output.mesh_format;
	if (!surface_update(&output->surface, sim) ||
	    !surface_mesh(&output->surface, sim, &file->mesh)) {
		free_file(file);
		return false;
	}
	mesh_file_name(sim->frame, file->format, name);
	char *path = file_join(output->directory, name);
	if (!path) {
		free_file(file);
		return false;
	}
	return file_queue_submit(output->queue,
				 &(struct file_job){path, file, write_file, free_file});
}

bool mesh_output_frame(struct mesh_output *output, struct sim *sim)
{
	if (!output->queue || sim->frame % sim->scene->output.mesh_every != 0)
		return true;
	struct mesh_file *file = calloc(1, sizeof(*file));
	return file ? queue_mesh(output, sim, file) : message_error("out of memory");
}

bool mesh_output_wait(struct mesh_output *output)
{
	return !output->queue || file_queue_wait(output->queue);
}

bool mesh_output_close(struct mesh_output *output)
{
	const bool ok = file_queue_finish(output->queue);
	output->queue = NULL;
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
	mesh_output_close(output);
	mesh_output_release(output, cl);
	free(output->directory);
	*output = (struct mesh_output){0};
}
