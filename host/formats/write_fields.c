#include "write_fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_grid.h"
#include "vtkhdf.h"

#define HEADER_BYTES 8192

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
	size_t bytes = fields & FIELD_VELOCITY ? 3 * sizeof(f32) : 0;
	for (int f = 0; f < CENTRE_FIELDS; f++)
		bytes += fields & centre_fields[f].bit ? centre_fields[f].size : 0;
	return HEADER_BYTES + (double)bytes * (double)point_count_all(scene);
}

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
	const size_t points[3] = {write_fields_points(scene, 0), write_fields_points(scene, 1),
				  write_fields_points(scene, 2)};
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
		extent[2 * axis + 1] = (int64_t)write_fields_points(scene, axis) - 1;
	}
	vtkhdf_attribute(vtk, "WholeExtent", VTKHDF_I64, 6, extent);
	vtkhdf_attribute(vtk, "Origin", VTKHDF_F64, 3, origin);
	vtkhdf_attribute(vtk, "Spacing", VTKHDF_F64, 3, spacing);
	vtkhdf_attribute(vtk, "Direction", VTKHDF_F64, 9, direction);
}

int write_fields(const char *path, const struct field_file *file)
{
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
	return vtkhdf_write(vtk, path);
}
