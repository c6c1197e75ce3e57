/* Particles from a VTKHDF UnstructuredGrid of vertices. */
#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "read_particles_formats.h"

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

enum read_result read_particles_vtkhdf(char *bytes, size_t length,
				       struct particle_snapshot *snapshot)
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
