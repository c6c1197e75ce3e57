#include "mesh_formats.h"

#define ROW(KIND, name) &mesh_format_##name,
const struct mesh_format *const mesh_formats[MESH_FORMAT_COUNT] = {MESH_FORMATS(ROW)};

int mesh_write(const char *path, const struct mesh *mesh, enum scene_mesh_format format)
{
	struct file_stream stream;
	file_stream_open(&stream, path);
	mesh_formats[format]->write(&stream, mesh);
	return file_stream_finish(&stream);
}
