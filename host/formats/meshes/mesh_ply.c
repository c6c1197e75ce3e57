/*
 * A mesh as a binary PLY file (Turk, "The PLY Polygon File Format", 1994), in the machine's byte
 * order: vertices x y z nx ny nz vx vy vz (float; m, unit normal, m/s), faces as lists of three
 * vertex numbers, in 2D edges vertex1 vertex2: 36 bytes per vertex, 13 per triangle, 8 per edge.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mesh_formats.h"
#include "version.h"

#define VERTEX_BYTES (9 * sizeof(f32))
#define HEADER_BYTES 512

static bool is_little_endian(void)
{
	const u32 one = 1;
	unsigned char first;
	memcpy(&first, &one, 1);
	return first == 1;
}

static void write_ply(struct file_stream *stream, const struct mesh_file *file)
{
	const struct mesh *mesh = &file->mesh;
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

const struct mesh_format mesh_format_ply = {write_ply, 62, NULL};
