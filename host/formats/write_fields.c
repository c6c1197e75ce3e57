#include "write_fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"
#include "series.h"
#include "vtkhdf.h"

#define HEADER_BYTES 8192

/* The fields as they are on the device, NULL = not wanted.  Owns them and `directory`. */
struct field_file {
	const struct scene *scene;
	struct grid grid;
	char *directory;
	int frame;
	double time;	    /* s */
	f32 *u_face;	    /* [D][L], m/s */
	uint8_t *valid;	    /* [L], as sim.h has it */
	f32 *pressure;	    /* [L], Pa */
	f32 *phi;	    /* [L], m */
	uint8_t *cell_type; /* [L] */
};

/*
 * The points of the image along an axis: the centres of the cells.  Where there is a single layer
 * of cells (2D: along z) its values are written twice, half a cell to either side, because VTK 9.1
 * cannot read a flat image.
 */
size_t write_fields_points(const struct scene *scene, int axis)
{
	const int cells = axis < scene->dim ? scene->cells[axis] : 1;
	return cells > 1 ? (size_t)cells : 2;
}

static size_t point_count_all(const struct scene *scene)
{
	return write_fields_points(scene, 0) * write_fields_points(scene, 1) *
	       write_fields_points(scene, 2);
}

double write_fields_bytes(const struct scene *scene)
{
	const unsigned fields = scene->output.fields;
	const int bytes = (fields & FIELD_VELOCITY ? 12 : 0) + (fields & FIELD_PRESSURE ? 4 : 0) +
			  (fields & FIELD_LEVELSET ? 4 : 0) + (fields & FIELD_CELLS ? 1 : 0);
	return HEADER_BYTES + (double)bytes * (double)point_count_all(scene);
}

/* ---- in the background: packing and writing ---------------------------------------------- */

/* Place in a lattice array of the cell whose value point (i,j,k) has. */
static size_t lattice_index(const struct grid *g, size_t i, size_t j, size_t k)
{
	i = g->nx > 1 ? i : 0;
	j = g->ny > 1 ? j : 0;
	k = g->nz > 1 ? k : 0;
	return (k * (size_t)g->py + j) * (size_t)g->px + i;
}

/* The mean of a cell's two faces along an axis, of those that hold a value; 0 if none does. */
static f32 centre_velocity(const struct field_file *file, int axis, size_t low, size_t high)
{
	const f32 *u = file->u_face + (size_t)axis * (size_t)file->grid.lattice;
	const unsigned bits = 9u << axis; /* holds a value, or a wall's */
	const bool has_low = file->valid[low] & bits, has_high = file->valid[high] & bits;
	if (has_low && has_high)
		return 0.5f * (u[low] + u[high]);
	return has_low ? u[low] : has_high ? u[high] : 0.0f;
}

static void pack_velocity(const struct field_file *file, const size_t points[3], f32 *out)
{
	const struct grid *g = &file->grid;
	const size_t step[3] = {1, (size_t)g->px, (size_t)g->px * (size_t)g->py};
	for (size_t k = 0; k < points[2]; k++)
		for (size_t j = 0; j < points[1]; j++)
			for (size_t i = 0; i < points[0]; i++, out += 3) {
				const size_t at = lattice_index(g, i, j, k);
				for (int axis = 0; axis < 3; axis++)
					out[axis] = axis < file->scene->dim
							    ? centre_velocity(file, axis, at,
									      at + step[axis])
							    : 0.0f;
			}
}

static void pack_values(const struct field_file *file, const size_t points[3], const void *lattice,
			size_t size, void *out)
{
	const unsigned char *from = lattice;
	unsigned char *to = out;
	for (size_t k = 0; k < points[2]; k++)
		for (size_t j = 0; j < points[1]; j++)
			for (size_t i = 0; i < points[0]; i++, to += size)
				memcpy(to, from + lattice_index(&file->grid, i, j, k) * size, size);
}

/* `values` has room for a vector per point. */
static void put_fields(struct vtkhdf *vtk, const struct field_file *file, f32 *values)
{
	const struct scene *scene = file->scene;
	const size_t points[3] = {write_fields_points(scene, 0), write_fields_points(scene, 1),
				  write_fields_points(scene, 2)};
	const size_t shape[4] = {points[2], points[1], points[0], 3};
	if (file->u_face) {
		pack_velocity(file, points, values);
		vtkhdf_array(vtk, "PointData/velocity", VTKHDF_F32, 4, shape, values);
	}
	if (file->pressure) {
		pack_values(file, points, file->pressure, sizeof(f32), values);
		vtkhdf_array(vtk, "PointData/pressure", VTKHDF_F32, 3, shape, values);
	}
	if (file->phi) {
		pack_values(file, points, file->phi, sizeof(f32), values);
		vtkhdf_array(vtk, "PointData/levelset", VTKHDF_F32, 3, shape, values);
	}
	if (file->cell_type) {
		pack_values(file, points, file->cell_type, 1, values);
		vtkhdf_array(vtk, "PointData/cells", VTKHDF_U8, 3, shape, values);
	}
}

static void put_geometry(struct vtkhdf *vtk, const struct scene *scene)
{
	static const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	double origin[3], spacing[3];
	int64_t extent[6];
	for (int axis = 0; axis < 3; axis++) {
		const bool exists = axis < scene->dim;
		origin[axis] = !exists			? -0.5 * scene->h
			       : scene->cells[axis] > 1 ? 0.5 * scene->h
							: 0.0;
		spacing[axis] = scene->h;
		extent[2 * axis] = 0;
		extent[2 * axis + 1] = (int64_t)write_fields_points(scene, axis) - 1;
	}
	vtkhdf_attribute(vtk, "WholeExtent", VTKHDF_I64, 6, extent);
	vtkhdf_attribute(vtk, "Origin", VTKHDF_F64, 3, origin);
	vtkhdf_attribute(vtk, "Spacing", VTKHDF_F64, 3, spacing);
	vtkhdf_attribute(vtk, "Direction", VTKHDF_F64, 9, direction);
}

static int write_file(const char *path, void *data)
{
	const struct field_file *file = data;
	const struct scene *scene = file->scene;
	f32 *values = malloc(point_count_all(scene) * 3 * sizeof(f32));
	if (!values)
		return ENOMEM;
	struct vtkhdf *vtk = vtkhdf_begin("ImageData", (size_t)write_fields_bytes(scene));
	put_geometry(vtk, scene);
	put_fields(vtk, file, values);
	/* no array of FieldData: VTK 9.1 gives up on one beside an image */
	vtkhdf_attribute(vtk, "Time", VTKHDF_F64, 1, &file->time);
	free(values);
	const int reason = vtkhdf_write(vtk, path);
	return reason ? reason
		      : series_write(file->directory, "fields", scene->output.fields_every,
				     file->frame, scene->time.fps);
}

static void free_file(void *data)
{
	struct field_file *file = data;
	if (!file)
		return;
	free(file->u_face);
	free(file->valid);
	free(file->pressure);
	free(file->phi);
	free(file->cell_type);
	free(file->directory);
	free(file);
}

/* ---- reading ---------------------------------------------------------------------------- */

static bool read_fields(struct sim *sim, struct field_file *file)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice, floats = lattice * sizeof(f32);
	const unsigned wanted = sim->scene->output.fields;
	if (wanted & FIELD_VELOCITY) {
		file->u_face = clx_read_copy(sim->cl, &sim->u_face, (size_t)sim->dim * floats);
		file->valid = file->u_face ? clx_read_copy(sim->cl, &sim->valid, lattice) : NULL;
		if (!file->valid)
			return false;
	}
	return (!(wanted & FIELD_PRESSURE) ||
		(file->pressure = clx_read_copy(sim->cl, &sim->pressure, floats))) &&
	       (!(wanted & FIELD_LEVELSET) ||
		(file->phi = clx_read_copy(sim->cl, &sim->phi, floats))) &&
	       (!(wanted & FIELD_CELLS) ||
		(file->cell_type = clx_read_copy(sim->cl, &sim->cell_type, lattice)));
}

bool write_fields(struct sim *sim, const char *directory, struct file_queue *queue)
{
	char name[32];
	struct field_file *file = calloc(1, sizeof(*file));
	snprintf(name, sizeof(name), "fields_%06d.vtkhdf", sim->frame);
	char *path = file_join(directory, name);
	if (file)
		file->directory = strdup(directory);
	if (!path || !file || !file->directory) {
		free(path);
		free_file(file);
		return message_memory(sizeof(*file), "a file of fields");
	}
	file->scene = sim->scene;
	file->grid = sim->lattice.grid;
	file->frame = sim->frame;
	file->time = sim->time;
	if (!read_fields(sim, file)) {
		free(path);
		free_file(file);
		return false;
	}
	return file_queue_submit(queue, &(struct file_job){path, file, write_file, free_file});
}
