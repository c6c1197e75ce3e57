/*
 * A mesh as a file that other programs read: mesh/mesh_000000.ply.  An empty mesh gives a valid
 * file without faces.  A row for each of MESH_FORMATS (output_kinds.h), in a file of meshes/.
 */
#ifndef FRESHET_MESH_FORMATS_H
#define FRESHET_MESH_FORMATS_H

#include "file_stream.h"
#include "scene.h"
#include "surface.h"

/* What the file of a frame holds. */
struct mesh_file {
	const struct scene *scene;
	int frame;
	struct mesh mesh; /* owned */
};

struct mesh_format {
	void (*write)(struct file_stream *stream, const struct mesh_file *file);
	int vertex_bytes; /* of the file per vertex, about */
	/* Writes the file in `folder` that joins those of frames, every `every`-th of them: 0 or an
	 * errno value; NULL: there is none.  Silent. */
	int (*join)(const char *folder, int every, const struct mesh_file *file);
};

#define MESH_FORMAT_ROW(KIND, name) extern const struct mesh_format mesh_format_##name;
MESH_FORMATS(MESH_FORMAT_ROW)
extern const struct mesh_format *const mesh_formats[MESH_FORMAT_COUNT];

/* Writes the file `path`, in the scene's format: 0 or an errno value.  Silent. */
int mesh_write(const char *path, const struct mesh_file *file);

#endif
