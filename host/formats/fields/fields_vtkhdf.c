/* Fields as an ImageData of VTKHDF whose points are the centres of the cells. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field_formats.h"
#include "file_seal.h"
#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "scene_grid.h"
#include "vtkhdf.h"

#define HEADER_BYTES 8192

/*
 * The points of the image along an axis: the centres of the cells.  Where there is a single layer
 * of cells (2D: along z) its values are written twice, half a cell to either side, because VTK 9.1
 * cannot read a flat image.
 */
static size_t point_count(const struct scene *scene, int axis)
{
	const int cells = axis < scene->dim ? scene->cells[axis] : 1;
	return cells > 1 ? (size_t)cells : 2;
}

static size_t point_count_all(const struct scene *scene)
{
	return point_count(scene, 0) * point_count(scene, 1) * point_count(scene, 2);
}

static double vtkhdf_bytes(const struct scene *scene)
{
	const unsigned fields = scene->output.fields;
	size_t bytes = fields & FIELD_VELOCITY ? 3 * sizeof(f32) : 0;
	for (int f = 0; f < CENTRE_FIELDS; f++)
		bytes += fields & centre_fields[f].bit ? centre_fields[f].size : 0;
	return HEADER_BYTES + (double)bytes * (double)point_count_all(scene);
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Place in a lattice array of the cell whose value point (i,j,k) has. */
static size_t lattice_index(const struct grid *g, size_t i, size_t j, size_t k)
{
	i = g->nx > 1 ? i : 0;
	j = g->ny > 1 ? j : 0;
	k = g->nz > 1 ? k : 0;
	return (k * (size_t)g->py + j) * (size_t)g->px + i;
}

/* The mean of a cell's two faces along an axis, of those that hold a value; 0 if none does. */
static f32 centre_velocity(const struct grid_copy *fields, const struct grid *g, int axis,
			   size_t low, size_t high)
{
	const f32 *u = fields->u_face + (size_t)axis * (size_t)g->lattice;
	const unsigned bits = 9u << axis; /* holds a value, or a wall's */
	const bool has_low = fields->valid[low] & bits, has_high = fields->valid[high] & bits;
	if (has_low && has_high)
		return 0.5f * (u[low] + u[high]);
	return has_low ? u[low] : has_high ? u[high] : 0.0f;
}

static void pack_velocity(const struct field_file *file, const struct grid *g,
			  const size_t points[3], f32 *out)
{
	const size_t step[3] = {1, (size_t)g->px, (size_t)g->px * (size_t)g->py};
	for (size_t k = 0; k < points[2]; k++)
		for (size_t j = 0; j < points[1]; j++)
			for (size_t i = 0; i < points[0]; i++, out += 3) {
				const size_t at = lattice_index(g, i, j, k);
				for (int axis = 0; axis < 3; axis++)
					out[axis] =
						axis < file->scene->dim
							? centre_velocity(&file->fields, g, axis,
									  at, at + step[axis])
							: 0.0f;
			}
}

static void pack_values(const struct grid *g, const size_t points[3], const void *lattice,
			size_t size, void *out)
{
	const unsigned char *from = lattice;
	unsigned char *to = out;
	for (size_t k = 0; k < points[2]; k++)
		for (size_t j = 0; j < points[1]; j++)
			for (size_t i = 0; i < points[0]; i++, to += size)
				memcpy(to, from + lattice_index(g, i, j, k) * size, size);
}

/* `values` has room for a vector per point. */
static void put_fields(struct vtkhdf *vtk, const struct field_file *file, f32 *values)
{
	const struct scene *scene = file->scene;
	const struct grid g = scene_grid(scene);
	const size_t points[3] = {point_count(scene, 0), point_count(scene, 1),
				  point_count(scene, 2)};
	const size_t shape[4] = {points[2], points[1], points[0], 3};
	if (file->fields.u_face) {
		pack_velocity(file, &g, points, values);
		vtkhdf_array(vtk, "PointData/velocity", VTKHDF_F32, 4, shape, values);
	}
	for (int f = 0; f < CENTRE_FIELDS; f++) {
		const size_t size = centre_fields[f].size;
		char name[64];
		if (!file->fields.centre[f])
			continue;
		snprintf(name, sizeof(name), "PointData/%s", centre_fields[f].name);
		pack_values(&g, points, file->fields.centre[f], size, values);
		vtkhdf_array(vtk, name, size == 1 ? VTKHDF_U8 : VTKHDF_F32, 3, shape, values);
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
		extent[2 * axis + 1] = (int64_t)point_count(scene, axis) - 1;
	}
	vtkhdf_attribute(vtk, "WholeExtent", VTKHDF_I64, 6, extent);
	vtkhdf_attribute(vtk, "Origin", VTKHDF_F64, 3, origin);
	vtkhdf_attribute(vtk, "Spacing", VTKHDF_F64, 3, spacing);
	vtkhdf_attribute(vtk, "Direction", VTKHDF_F64, 9, direction);
}

static int write_vtkhdf(const char *path, const struct field_file *file)
{
	const struct scene *scene = file->scene;
	f32 *values = malloc(point_count_all(scene) * 3 * sizeof(f32));
	if (!values)
		return ENOMEM;
	struct vtkhdf *vtk = vtkhdf_begin("ImageData", (size_t)vtkhdf_bytes(scene));
	put_geometry(vtk, scene);
	put_fields(vtk, file, values);
	/* no array of FieldData: VTK 9.1 gives up on one beside an image */
	vtkhdf_attribute(vtk, "Time", VTKHDF_F64, 1, &file->time);
	free(values);
	return vtkhdf_write(vtk, path);
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool are_values(size_t size, const void *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (size == 1 ? ((const uint8_t *)values)[i] > CELL_SOLID
			      : !isfinite(((const f32 *)values)[i]))
			return false;
	return true;
}

/* From the file's shape to the lattice, whose other slots are no cells: malloc'ed or NULL. */
static void *spread_on_lattice(const struct scene *scene, size_t size, const char *values)
{
	const struct grid g = scene_grid(scene);
	const size_t wide = point_count(scene, 0), high = point_count(scene, 1);
	char *lattice = calloc((size_t)g.lattice, size);
	for (size_t k = 0; lattice && k < (size_t)g.nz; k++)
		for (size_t j = 0; j < (size_t)g.ny; j++)
			memcpy(lattice + (k * (size_t)g.py + j) * (size_t)g.px * size,
			       values + (k * high + j) * wide * size, (size_t)g.nx * size);
	return lattice;
}

static bool read_field(hid_t file, const struct scene *scene, const struct centre_field_kind *kind,
		       void **lattice, char reason[FILE_READ_REASON])
{
	char name[64];
	void *values = NULL;
	hsize_t shape[3] = {point_count(scene, 2), point_count(scene, 1), point_count(scene, 0)};
	snprintf(name, sizeof(name), "VTKHDF/PointData/%s", kind->name);
	if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
		return file_reason(reason, "lacks the field '%s' (output.fields.names)",
				   kind->name);
	bool ok = hdf5_read_array(file, name, kind->size == 1 ? H5T_NATIVE_UINT8 : H5T_NATIVE_FLOAT,
				  kind->size, 3, shape, &values);
	if (!ok && hdf5_out_of_memory())
		file_reason(reason, "does not fit into memory");
	else if (!ok)
		file_reason(reason, "is damaged or of another grid (field '%s')", kind->name);
	else if (!are_values(kind->size, values, (size_t)(shape[0] * shape[1] * shape[2])))
		ok = file_reason(reason, "is damaged (values of '%s')", kind->name);
	else if (!(*lattice = spread_on_lattice(scene, kind->size, values)))
		ok = file_reason(reason, "does not fit into memory");
	free(values);
	return ok;
}

static bool read_vtkhdf(const char *path, const struct scene *scene, unsigned wanted,
			struct grid_copy *fields, char reason[FILE_READ_REASON])
{
	size_t length;
	*fields = (struct grid_copy){0};
	char *bytes = file_read(path, SIZE_MAX, &length, reason);
	if (!bytes)
		return false;
	if (!file_seal_check(bytes, &length, reason)) {
		free(bytes);
		return false;
	}
	hdf5_lock();
	const hid_t file = hdf5_open_bytes(bytes, length, 512);
	bool ok = file >= 0 && H5Lexists(file, "VTKHDF", H5P_DEFAULT) > 0 &&
		  H5Lexists(file, "VTKHDF/PointData", H5P_DEFAULT) > 0;
	if (!ok)
		file_reason(reason, "is not a field file of freshet, or damaged");
	for (int f = 0; f < CENTRE_FIELDS && ok; f++)
		if (wanted & centre_fields[f].bit)
			ok = read_field(file, scene, &centre_fields[f], &fields->centre[f], reason);
	if (file >= 0)
		H5Fclose(file);
	hdf5_unlock();
	free(bytes);
	return ok;
}

const struct field_format field_format_vtkhdf = {
	.write = write_vtkhdf,
	.read = read_vtkhdf,
	.bytes = vtkhdf_bytes,
	.series = true,
};
