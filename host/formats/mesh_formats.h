/*
 * A mesh as a file that other programs read.
 *
 * PLY, binary in the machine's byte order: vertices x y z nx ny nz vx vy vz (float; m, unit normal,
 * m/s), faces as lists of three vertex numbers, in 2D edges vertex1 vertex2: 36 bytes per vertex,
 * 13 per triangle, 8 per edge.
 * OBJ: v, vn, f, in 2D v and l; text, no velocities.  An empty mesh gives a valid file without
 * faces.
 *
 * A row for each of MESH_FORMATS (output_kinds.h), in a file of meshes/.
 */
#ifndef FRESHET_MESH_FORMATS_H
#define FRESHET_MESH_FORMATS_H

#include "file_stream.h"
#include "scene.h"
#include "surface.h"

struct mesh_format {
	void (*write)(struct file_stream *stream, const struct mesh *mesh);
	int vertex_bytes; /* of the file per vertex, about */
};

#define MESH_FORMAT_ROW(KIND, name) extern const struct mesh_format mesh_format_##name;
MESH_FORMATS(MESH_FORMAT_ROW)
extern const struct mesh_format *const mesh_formats[MESH_FORMAT_COUNT];

/* Writes the file `path`: 0 or an errno value.  Silent. */
int mesh_write(const char *path, const struct mesh *mesh, enum scene_mesh_format format);

#endif
