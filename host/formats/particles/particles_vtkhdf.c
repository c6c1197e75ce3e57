/* Particles as a VTKHDF UnstructuredGrid of vertices. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "particle_formats.h"
#include "vtkhdf.h"
#include "vtkhdf_attributes.h"
#include "vtkhdf_join.h"
#include "write_series.h"

#define HEADER_BYTES 20480
/* What compressed cells add, measured. */
#define CELL_BYTES 0.11

static int rank_of(enum particle_attribute attribute)
{
	return attribute_rows[attribute].shape == ATTRIBUTE_PARTICLE ? 1 : 2;
}

/* ---- writing ----------------------------------------------------------------------------- */

static void put_attribute(struct vtkhdf *vtk, const struct particle_snapshot *p,
			  enum particle_attribute attribute)
{
	const size_t shape[2] = {p->count, attribute_width(attribute)};
	char name[VTKHDF_NAME];
	if (p->values[attribute])
		vtkhdf_array(vtk, vtkhdf_attribute_name(attribute, name),
			     vtkhdf_attribute_type(attribute), rank_of(attribute), shape,
			     p->values[attribute]);
}

/* Floats first. */
static void put_attributes(struct vtkhdf *vtk, const struct particle_snapshot *p)
{
	for (int floats = 1; floats >= 0; floats--)
		for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
			if ((attribute_rows[a].type == ATTRIBUTE_F32) == floats)
				put_attribute(vtk, p, a);
}

static void put_names(struct vtkhdf *vtk, const struct scene *scene, const char **names)
{
	for (size_t l = 0; l < scene->liquid_count; l++)
		names[l] = scene->liquids[l].name;
	vtkhdf_texts(vtk, "FieldData/liquid_names", names, scene->liquid_count);
}

static int write_vtkhdf(const char *path, const struct particle_file *file)
{
	const struct particle_snapshot *p = &file->particles;
	const size_t one = 1, bytes = attribute_bytes(particle_snapshot_has(p)) + 1;
	const char **names = calloc(file->scene->liquid_count + 1, sizeof(*names));
	if (!names)
		return ENOMEM;
	struct vtkhdf *vtk = vtkhdf_begin("UnstructuredGrid", p->count * bytes);
	vtkhdf_vertices(vtk, p->count);
	put_attributes(vtk, p);
	put_names(vtk, file->scene, names);
	vtkhdf_attribute(vtk, "Time", VTKHDF_F64, 1, &file->time);
	vtkhdf_array(vtk, "FieldData/TimeValue", VTKHDF_F64, 1, &one, &file->time);
	free(names);
	return vtkhdf_write(vtk, path);
}

/* ---- reading ----------------------------------------------------------------------------- */

/* An array of *count particles, whose number is found if it is HDF5_LENGTH_UNKNOWN. */
static bool read_attribute(hid_t file, enum particle_attribute attribute, hsize_t *count,
			   void **values)
{
	const hid_t types[] = {[ATTRIBUTE_F32] = H5T_NATIVE_FLOAT,
			       [ATTRIBUTE_U32] = H5T_NATIVE_UINT32,
			       [ATTRIBUTE_U8] = H5T_NATIVE_UINT8};
	const struct attribute_row *row = &attribute_rows[attribute];
	hsize_t shape[2] = {*count, attribute_width(attribute)};
	char below[VTKHDF_NAME], name[2 * VTKHDF_NAME];
	snprintf(name, sizeof(name), "VTKHDF/%s", vtkhdf_attribute_name(attribute, below));
	if (!attribute_is_needed(attribute) && H5Lexists(file, name, H5P_DEFAULT) <= 0)
		return true;
	if (!hdf5_read_array(file, name, types[row->type], row->size, rank_of(attribute), shape,
			     values))
		return false;
	*count = shape[0];
	return true;
}

static bool read_arrays(hid_t file, struct particle_snapshot *p)
{
	hsize_t count = HDF5_LENGTH_UNKNOWN;
	if (!read_attribute(file, ATTRIBUTE_ID, &count, &p->values[ATTRIBUTE_ID]))
		return false;
	p->count = (size_t)count;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (a != ATTRIBUTE_ID && attribute_rows[a].in_files &&
		    !read_attribute(file, a, &count, &p->values[a]))
			return false;
	return true;
}

static enum read_result read_vtkhdf(char *bytes, size_t length, struct particle_snapshot *snapshot)
{
	enum read_result result = READ_FOREIGN;
	*snapshot = (struct particle_snapshot){0};
	hdf5_lock();
	const hid_t file = hdf5_open_bytes(bytes, length, 512);
	if (file >= 0 && H5Lexists(file, "VTKHDF", H5P_DEFAULT) > 0 &&
	    H5Lexists(file, "VTKHDF/PointData", H5P_DEFAULT) > 0)
		result = read_arrays(file, snapshot) ? READ_DONE
			 : hdf5_out_of_memory()	     ? READ_NO_MEMORY
						     : READ_DAMAGED;
	if (file >= 0)
		H5Fclose(file);
	hdf5_unlock();
	return result;
}

static int join_vtkhdf(const char *folder, int every, const struct particle_file *file,
		       struct joined_frames *joined)
{
	const int reason = file ? write_series(folder, "particles", ".vtkhdf", every, file->frame,
					       file->scene->time.fps)
				: 0;
	return reason ? reason : vtkhdf_join(folder, every, file, joined);
}

static double vtkhdf_bytes(const struct scene *scene, double particles)
{
	const double binary = (double)attribute_bytes(particle_attributes_in_files(scene));
	return HEADER_BYTES + particles * (binary + CELL_BYTES);
}

const struct particle_format particle_format_vtkhdf = {
	.write = write_vtkhdf,
	.read = read_vtkhdf,
	.bytes = vtkhdf_bytes,
	.sealed = true,
	.join = join_vtkhdf,
};
