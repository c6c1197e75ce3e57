/* A mesh as a Wavefront OBJ file: v, vn, f, in 2D v and l; text, no velocities. */
#include <stdio.h>

#include "mesh_formats.h"
#include "number.h"
#include "version.h"

#define HEADER_BYTES 512
/* A number takes at most 15 characters with its blank ("-1.23456789e-10 "), a vertex number 10. */
#define OBJ_LINE_BYTES 80

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

static void write_obj(struct file_stream *stream, const struct mesh_file *file)
{
	const struct mesh *mesh = &file->mesh;
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

const struct mesh_format mesh_format_obj = {write_obj, 150, NULL};
