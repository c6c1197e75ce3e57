#include "hdf5_read.h"

#include <stdint.h>
#include <stdlib.h>

static bool out_of_memory; /* under hdf5_lock() */

bool hdf5_out_of_memory(void)
{
	return out_of_memory;
}

void *hdf5_allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	out_of_memory = out_of_memory || !memory;
	return memory;
}

hid_t hdf5_open_bytes(void *bytes, size_t length, size_t block)
{
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are told by this program */
	const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
	hid_t file = -1;
	out_of_memory = false;
	if (access >= 0 && H5Pset_fapl_core(access, block, false) >= 0 &&
	    H5Pset_file_image(access, bytes, length) >= 0)
		file = H5Fopen(HDF5_NO_FILE, H5F_ACC_RDONLY, access);
	if (access >= 0)
		H5Pclose(access);
	return file;
}

bool hdf5_read_attribute(hid_t file, const char *group, const char *name, hid_t type, void *value)
{
	const hid_t attribute = H5Aopen_by_name(file, group, name, H5P_DEFAULT, H5P_DEFAULT);
	if (attribute < 0)
		return false;
	const hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
	const bool ok = space >= 0 && stored >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
			H5Tget_class(stored) == H5Tget_class(type) &&
			H5Tget_size(stored) == H5Tget_size(type) &&
			H5Aread(attribute, type, value) >= 0;
	if (stored >= 0)
		H5Tclose(stored);
	if (space >= 0)
		H5Sclose(space);
	H5Aclose(attribute);
	return ok;
}

/* No object is larger than its file, whatever it says: it would be filled in memory. */
static bool fits_file(hid_t object, size_t count, size_t size)
{
	hsize_t bytes = 0;
	const hid_t file = H5Iget_file_id(object);
	const bool ok = file >= 0 && H5Fget_filesize(file, &bytes) >= 0 && size > 0 &&
			count <= (size_t)bytes / size;
	if (file >= 0)
		H5Fclose(file);
	return ok;
}

char *hdf5_read_text(hid_t file, const char *name, const char *attribute)
{
	const bool is_attribute = attribute != NULL;
	const hid_t object =
		is_attribute ? H5Aopen_by_name(file, name, attribute, H5P_DEFAULT, H5P_DEFAULT)
			     : H5Dopen2(file, name, H5P_DEFAULT);
	if (object < 0)
		return NULL;
	const hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object);
	const hid_t space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
	char *text = NULL;
	if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
	    H5Tis_variable_str(type) == 0 && H5Sget_simple_extent_npoints(space) == 1 &&
	    fits_file(object, 1, H5Tget_size(type)))
		text = hdf5_allocate(1, H5Tget_size(type) + 1);
	const herr_t got = !text ? -1
			   : is_attribute
				   ? H5Aread(object, type, text)
				   : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
	if (got < 0) {
		free(text);
		text = NULL;
	}
	if (type >= 0)
		H5Tclose(type);
	if (space >= 0)
		H5Sclose(space);
	if (is_attribute)
		H5Aclose(object);
	else
		H5Dclose(object);
	return text;
}

bool hdf5_read_array(hid_t file, const char *name, hid_t type, size_t size, int rank, hsize_t *dims,
		     void **data)
{
	hsize_t found[HDF5_RANK_MOST] = {0};
	const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
	if (set < 0)
		return false;
	const hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
	bool ok = space >= 0 && stored >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
		  H5Sget_simple_extent_dims(space, found, NULL) == rank &&
		  H5Tget_class(stored) == H5Tget_class(type) && H5Tget_size(stored) == size;
	size_t count = 1;
	for (int i = 0; ok && i < rank; i++) {
		if (i == rank - 1 && dims[i] == HDF5_LENGTH_UNKNOWN && found[i] < UINT32_MAX)
			dims[i] = found[i];
		/* below 2^32 each, and their product below 2^62 */
		ok = found[i] == dims[i] && found[i] < UINT32_MAX && count <= UINT32_MAX / 4;
		count *= (size_t)found[i];
	}
	ok = ok && fits_file(set, count, size) &&
	     (*data = hdf5_allocate(count + 1, size)) != NULL &&
	     (count == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) >= 0);
	if (stored >= 0)
		H5Tclose(stored);
	if (space >= 0)
		H5Sclose(space);
	H5Dclose(set);
	return ok;
}

bool hdf5_read_length(hid_t file, const char *name, hsize_t *length)
{
	hsize_t dims[HDF5_RANK_MOST] = {0};
	const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
	const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
	const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
	const bool ok = rank > 0 && rank <= HDF5_RANK_MOST &&
			H5Sget_simple_extent_dims(space, dims, NULL) == rank;
	if (ok)
		*length = dims[rank - 1];
	if (space >= 0)
		H5Sclose(space);
	if (set >= 0)
		H5Dclose(set);
	return ok;
}
