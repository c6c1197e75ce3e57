/* Particles as a VTKHDF UnstructuredGrid of vertices. */
#include <errno.h>
#include <stdlib.h>

#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "particle_formats.h"
#include "vtkhdf.h"

#define HEADER_BYTES 20480
/* What compressed cells add, measured. */
#define CELL_BYTES 0.11

static void put_names(struct vtkhdf *vtk, const struct scene *scene, const char **names)
{
	for (size_t l = 0; l < scene->liquid_count; l++)
		names[l] = scene->liquids[l].name;
	vtkhdf_texts(vtk, "FieldData/liquid_names", names, scene->liquid_count);
}

static int write_vtkhdf(const char *path, const struct particle_file *file)
{
	const struct particle_snapshot *p = &file->particles;
	const size_t one = 1, vectors[2] = {p->count, 3}, matrices[2] = {p->count, 9};
	const char **names = calloc(file->scene->liquid_count + 1, sizeof(*names));
	if (!names)
		return ENOMEM;
	struct vtkhdf *vtk = vtkhdf_begin("UnstructuredGrid", p->count * (p->affine ? 66 : 30));
	vtkhdf_vertices(vtk, p->count);
	vtkhdf_array(vtk, "Points", VTKHDF_F32, 2, vectors, p->position);
	vtkhdf_array(vtk, "PointData/velocity", VTKHDF_F32, 2, vectors, p->velocity);
	if (p->affine)
		vtkhdf_array(vtk, "PointData/affine", VTKHDF_F32, 2, matrices, p->affine);
	vtkhdf_array(vtk, "PointData/id", VTKHDF_U32, 1, vectors, p->id);
	vtkhdf_array(vtk, "PointData/liquid", VTKHDF_U8, 1, vectors, p->liquid);
	put_names(vtk, file->scene, names);
	vtkhdf_attribute(vtk, "Time", VTKHDF_F64, 1, &file->time);
	vtkhdf_array(vtk, "FieldData/TimeValue", VTKHDF_F64, 1, &one, &file->time);
	free(names);
	return vtkhdf_write(vtk, path);
}

static bool read_vectors(hid_t file, const char *name, size_t count, size_t width, f32 **values)
{
	hsize_t shape[2] = {count, width};
	return hdf5_read_array(file, name, H5T_NATIVE_FLOAT, sizeof(f32), 2, shape,
			       (void **)values);
}

static bool read_arrays(hid_t file, struct particle_snapshot *p)
{
	hsize_t count = HDF5_LENGTH_UNKNOWN;
	if (!hdf5_read_array(file, "VTKHDF/PointData/id", H5T_NATIVE_UINT32, sizeof(u32), 1, &count,
			     (void **)&p->id))
		return false;
	p->count = (size_t)count;
	return hdf5_read_array(file, "VTKHDF/PointData/liquid", H5T_NATIVE_UINT8, 1, 1, &count,
			       (void **)&p->liquid) &&
	       read_vectors(file, "VTKHDF/Points", p->count, 3, &p->position) &&
	       read_vectors(file, "VTKHDF/PointData/velocity", p->count, 3, &p->velocity) &&
	       (H5Lexists(file, "VTKHDF/PointData/affine", H5P_DEFAULT) <= 0 ||
		read_vectors(file, "VTKHDF/PointData/affine", p->count, 9, &p->affine));
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

static double vtkhdf_bytes(const struct scene *scene, double particles)
{
	const bool affine = scene->transfer == TRANSFER_APIC;
	const double binary = PARTICLE_BYTES + (affine ? PARTICLE_AFFINE_BYTES : 0);
	return HEADER_BYTES + particles * (binary + CELL_BYTES);
}

const struct particle_format particle_format_vtkhdf = {
	.write = write_vtkhdf,
	.read = read_vtkhdf,
	.bytes = vtkhdf_bytes,
	.sealed = true,
	.series = true,
};
