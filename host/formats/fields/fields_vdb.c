/* Fields as OpenVDB grids, in 3D; refused with the scene where the program is built without. */
#include <errno.h>
#include <stdlib.h>

#include "field_formats.h"
#include "file_stream.h"
#include "scene_grid.h"
#include "vdb.h"

/* A voxel's bytes in the file, of a box half full of liquid that moves; measured. */
#define HEADER_BYTES 4096

#ifdef FRESHET_VDB
static int write_vdb(const char *path, const struct field_file *file)
{
	const struct grid_copy *fields = &file->fields;
	const struct grid g = scene_grid(file->scene);
	const struct vdb_grids grids = {
		.cells = {g.nx, g.ny, g.nz},
		.stride = {(size_t)g.px, (size_t)g.py},
		.cell_size = file->scene->h,
		.time = file->time,
		.frame = file->frame,
		.level_set = fields->centre[CENTRE_LEVELSET],
		.volume = fields->volume,
		.pressure = fields->centre[CENTRE_PRESSURE],
		.cell_type = fields->centre[CENTRE_CELLS],
		.velocity = fields->u_face,
		.known = fields->valid,
		.lattice = (size_t)g.lattice,
	};
	unsigned char *bytes = NULL;
	size_t length = 0;
	struct file_stream stream;
	const int reason = vdb_encode(&grids, &bytes, &length);
	if (reason)
		return reason;
	file_stream_open(&stream, path);
	file_stream_write(&stream, bytes, length);
	free(bytes);
	return file_stream_finish(&stream);
}
#else
static int write_vdb(const char *path, const struct field_file *file)
{
	(void)path, (void)file;
	return ENOTSUP;
}
#endif

/* Level sets end at their band: they are for other programs. */
static bool read_vdb(const char *path, const struct scene *scene, unsigned wanted,
		     struct grid_copy *fields, char reason[FILE_READ_REASON])
{
	(void)path, (void)scene, (void)wanted;
	*fields = (struct grid_copy){0};
	return file_reason(reason, "is an OpenVDB file, from which no pictures are made "
				   "(output.fields.format: vtkhdf)");
}

static double vdb_bytes(const struct scene *scene)
{
	const unsigned fields = scene->output.fields;
	const double cells = (double)scene->cells[0] * scene->cells[1] * scene->cells[2];
	const double each =
		(fields & FIELD_VELOCITY ? 6.0 : 0.0) + (fields & FIELD_PRESSURE ? 2.0 : 0.0) +
		(fields & FIELD_LEVELSET ? 1.0 : 0.0) + (fields & FIELD_CELLS ? 0.1 : 0.0);
	return HEADER_BYTES + cells * each;
}

const struct field_format field_format_vdb = {
	.write = write_vdb,
	.read = read_vdb,
	.bytes = vdb_bytes,
};
