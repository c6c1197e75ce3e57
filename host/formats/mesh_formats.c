#include "mesh_formats.h"

#define ROW(KIND, name) &mesh_format_##name,
const struct mesh_format *const mesh_formats[MESH_FORMAT_COUNT] = {MESH_FORMATS(ROW)};

int mesh_write(const char *path, const struct mesh_file *file)
{
	struct file_stream stream;
	file_stream_open(&stream, path);
	mesh_formats[file->scene->output.mesh_format]->write(&stream, file);
	return file_stream_finish(&stream);
}
