#include "write_mesh.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "file_stream.h"
#include "number.h"
#include "version.h"

#define VERTEX_BYTES (9 * sizeof(f32))
#define HEADER_BYTES 512
/* A number takes at most 15 characters with its blank ("-1.23456789e-10 "), a vertex number 10. */
#define OBJ_LINE_BYTES 80

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

int write_mesh(const char *path, const struct mesh *mesh, enum scene_mesh_format format)
{
	struct file_stream stream;
	file_stream_open(&stream, path);
	if (format == MESH_PLY)
		write_ply(&stream, mesh);
	else
		write_obj(&stream, mesh);
	return file_stream_finish(&stream);
}
