#include "fuzz_hdf5.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "hdf5_read.h"

#define MOST_BYTES ((size_t)1 << 16) /* of values written into a dataset */

void fuzz_hdf5_begin(void)
{
	/* HDF5 shall not keep what is freed: use after free is then seen. */
	H5set_free_list_limits(0, 0, 0, 0, 0, 0);
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

hid_t fuzz_hdf5_open(const void *image, size_t bytes, hid_t *access)
{
	hid_t file = -1;
	*access = H5Pcreate(H5P_FILE_ACCESS);
	if (H5Pset_fapl_core(*access, 4096, false) >= 0 &&
	    H5Pset_file_image(*access, (void *)(uintptr_t)image, bytes) >= 0)
		file = H5Fopen(HDF5_NO_FILE, H5F_ACC_RDWR, *access);
	fuzz_expect(file >= 0, "the good file can be opened");
	return file;
}

char *fuzz_hdf5_image(hid_t file, hid_t access, size_t *bytes)
{
	hsize_t length = 0;
	void *handle = NULL;
	fuzz_expect(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && H5Fget_filesize(file, &length) >= 0 &&
			    H5Fget_vfd_handle(file, access, &handle) >= 0,
		    "HDF5 gives the file");
	*bytes = (size_t)length;
	return *(char **)handle; /* what the core driver's handle is */
}

unsigned take(struct input *input)
{
	if (input->left == 0)
		return 0;
	input->left--;
	return *input->data++;
}

hid_t take_type(struct input *input)
{
	const hid_t types[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_U32LE,
			       H5T_STD_U64LE,  H5T_STD_I64BE,  H5T_STD_I8LE,  H5T_IEEE_F32BE,
			       H5T_STD_B32LE,  H5T_STD_REF_OBJ};
	static const size_t lengths[] = {1, 2, 3, 9, 1000, 65536, (size_t)1 << 31};
	const unsigned choice = take(input) % 16;
	if (choice < sizeof(types) / sizeof(types[0]))
		return H5Tcopy(types[choice]);
	const hid_t text = H5Tcopy(H5T_C_S1);
	H5Tset_size(text, choice == 15
				  ? H5T_VARIABLE
				  : lengths[take(input) % (sizeof(lengths) / sizeof(lengths[0]))]);
	if (choice == 14)
		H5Tset_strpad(text, H5T_STR_SPACEPAD);
	return text;
}

/* 5 and 6: as many particles as the good files have, and one more. */
hid_t take_space(struct input *input)
{
	static const hsize_t lengths[] = {0,
					  1,
					  2,
					  3,
					  4,
					  5,
					  6,
					  64,
					  65,
					  66,
					  1000,
					  (hsize_t)1 << 31,
					  UINT32_MAX,
					  (hsize_t)1 << 32,
					  (hsize_t)1 << 40};
	hsize_t dims[3];
	const unsigned rank = take(input) % 5;
	if (rank == 4)
		return H5Screate(H5S_NULL);
	if (rank == 0)
		return H5Screate(H5S_SCALAR);
	for (unsigned i = 0; i < rank; i++)
		dims[i] = lengths[take(input) % (sizeof(lengths) / sizeof(lengths[0]))];
	return H5Screate_simple((int)rank, dims, NULL);
}

uint8_t *take_values(struct input *input, hid_t type, hid_t space)
{
	const size_t size = H5Tget_size(type);
	const hssize_t count = H5Sget_simple_extent_npoints(space);
	if (count < 1 || size < 1 || (size_t)count > MOST_BYTES / size ||
	    H5Tis_variable_str(type) > 0 || H5Tget_class(type) == H5T_REFERENCE)
		return NULL;
	const size_t bytes = size * (size_t)count;
	uint8_t *values = malloc(bytes);
	const size_t period = 1 + take(input) % 16;
	fuzz_expect(values != NULL, "there is memory");
	for (size_t i = 0; i < bytes; i++)
		values[i] = i < period ? (uint8_t)take(input) : values[i - period];
	return values;
}

void replace_set(hid_t file, const char *name, struct input *input)
{
	const hid_t type = take_type(input), space = take_space(input);
	H5Ldelete(file, name, H5P_DEFAULT);
	const hid_t set =
		H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	uint8_t *values = set < 0 ? NULL : take_values(input, type, space);
	if (values)
		H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	free(values);
	if (set >= 0)
		H5Dclose(set);
	H5Sclose(space);
	H5Tclose(type);
}

void change_values(hid_t file, const char *name, struct input *input)
{
	const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
	if (set < 0)
		return;
	const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
	uint8_t *values = take_values(input, type, space);
	if (values)
		H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	free(values);
	H5Sclose(space);
	H5Tclose(type);
	H5Dclose(set);
}

void change_text(hid_t file, const char *name, struct input *input)
{
	const size_t length = 1 + take(input);
	const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
	char *text = malloc(length);
	fuzz_expect(text != NULL, "there is memory");
	for (size_t i = 0; i < length; i++)
		text[i] = (char)take(input);
	H5Tset_size(type, length);
	H5Ldelete(file, name, H5P_DEFAULT);
	const hid_t set =
		H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	if (set >= 0) {
		H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
		H5Dclose(set);
	}
	free(text);
	H5Sclose(space);
	H5Tclose(type);
}

void change_link(hid_t file, const char *name, const char *other, int hard)
{
	H5Ldelete(file, name, H5P_DEFAULT);
	if (hard)
		H5Lcreate_hard(file, other, file, name, H5P_DEFAULT, H5P_DEFAULT);
	else
		H5Lcreate_soft(other, file, name, H5P_DEFAULT, H5P_DEFAULT);
}
