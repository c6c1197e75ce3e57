#include "vtkhdf.h"

#include <errno.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_seal.h"
#include "file_stream.h"
#include "hdf5_lock.h"

#define RANK_MOST 4
#define SPARE_BYTES ((size_t)1 << 16)	 /* headers */
#define CHUNK_ELEMENTS ((size_t)1 << 16) /* of what is compressed */
#define VTK_VERTEX 1

struct vtkhdf {
	hid_t file, root;
	int reason;	      /* first error, 0 = none */
	unsigned char *image; /* the file, once HDF5 has closed it */
};

/* ---- the file in memory ----------------------------------------------------------------- */

/* HDF5 keeps the file in memory that these give; when it closes the file the memory is ours. */
static void *image_malloc(size_t size, H5FD_file_image_op_t operation, void *user)
{
	(void)operation, (void)user;
	return malloc(size);
}

static void *image_realloc(void *memory, size_t size, H5FD_file_image_op_t operation, void *user)
{
	(void)operation, (void)user;
	return realloc(memory, size);
}

static herr_t image_free(void *memory, H5FD_file_image_op_t operation, void *user)
{
	struct vtkhdf *file = user;
	if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE)
		file->image = memory;
	else
		free(memory);
	return 0;
}

static void *user_copy(void *user)
{
	return user;
}

static herr_t user_free(void *user)
{
	(void)user;
	return 0;
}

static hid_t open_in_memory(struct vtkhdf *file, size_t bytes)
{
	H5FD_file_image_callbacks_t callbacks = {image_malloc, NULL,	  image_realloc, image_free,
						 user_copy,    user_free, file};
	const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
	const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
	hid_t result = -1;
	if (access >= 0 && creation >= 0 &&
	    H5Pset_fapl_core(access, bytes + SPARE_BYTES, false) >= 0 &&
	    H5Pset_file_image_callbacks(access, &callbacks) >= 0)
		result = H5Fcreate("memory", H5F_ACC_TRUNC, creation, access);
	H5Pclose(creation);
	H5Pclose(access);
	return result;
}

/* ---- pieces ----------------------------------------------------------------------------- */

/* Everything that can fail here fails for want of memory. */
static void note_failure(struct vtkhdf *file, bool good)
{
	if (!good && !file->reason)
		file->reason = ENOMEM;
}

static hid_t memory_type(enum vtkhdf_type type)
{
	switch (type) {
	case VTKHDF_U8:
		return H5T_NATIVE_UINT8;
	case VTKHDF_U32:
		return H5T_NATIVE_UINT32;
	case VTKHDF_I64:
		return H5T_NATIVE_INT64;
	case VTKHDF_F32:
		return H5T_NATIVE_FLOAT;
	default:
		return H5T_NATIVE_DOUBLE;
	}
}

static hid_t file_type(enum vtkhdf_type type)
{
	switch (type) {
	case VTKHDF_U8:
		return H5T_STD_U8LE;
	case VTKHDF_U32:
		return H5T_STD_U32LE;
	case VTKHDF_I64:
		return H5T_STD_I64LE;
	case VTKHDF_F32:
		return H5T_IEEE_F32LE;
	default:
		return H5T_IEEE_F64LE;
	}
}

static void write_attribute(struct vtkhdf *file, const char *name, hid_t stored, hid_t given,
			    hid_t space, const void *values)
{
	const hid_t attribute =
		H5Acreate2(file->root, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
	note_failure(file, attribute >= 0 && H5Awrite(attribute, given, values) >= 0);
	H5Aclose(attribute);
}

void vtkhdf_attribute(struct vtkhdf *file, const char *name, enum vtkhdf_type type, size_t count,
		      const void *values)
{
	if (!file || file->reason)
		return;
	const hsize_t size = count;
	const hid_t space = H5Screate_simple(1, &size, NULL);
	write_attribute(file, name, file_type(type), memory_type(type), space, values);
	H5Sclose(space);
}

/* The readers ask for ASCII of fixed length. */
static void write_type(struct vtkhdf *file, const char *text)
{
	const hid_t type = H5Tcopy(H5T_C_S1);
	const hid_t space = H5Screate(H5S_SCALAR);
	note_failure(file, type >= 0 && H5Tset_size(type, strlen(text)) >= 0 &&
				   H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0);
	if (!file->reason)
		write_attribute(file, "Type", type, type, space, text);
	H5Sclose(space);
	H5Tclose(type);
}

void vtkhdf_group(struct vtkhdf *file, const char *name)
{
	if (!file || file->reason)
		return;
	const hid_t group = H5Gcreate2(file->root, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	note_failure(file, group >= 0);
	H5Gclose(group);
}

/* Creates an array without a time stamp; `chunk` > 0: compressed in such pieces. */
static hid_t create_array(struct vtkhdf *file, const char *name, hid_t type, hid_t space,
			  size_t chunk)
{
	const hsize_t size = chunk;
	const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
	bool good = properties >= 0 && H5Pset_obj_track_times(properties, false) >= 0;
	if (chunk > 0)
		good = good && H5Pset_chunk(properties, 1, &size) >= 0 &&
		       H5Pset_shuffle(properties) >= 0 && H5Pset_deflate(properties, 1) >= 0;
	const hid_t array = good ? H5Dcreate2(file->root, name, type, space, H5P_DEFAULT,
					      properties, H5P_DEFAULT)
				 : -1;
	H5Pclose(properties);
	note_failure(file, array >= 0);
	return array;
}

void vtkhdf_array(struct vtkhdf *file, const char *name, enum vtkhdf_type type, int rank,
		  const size_t *shape, const void *values)
{
	hsize_t size[RANK_MOST] = {0};
	bool empty = false;
	if (!file || file->reason)
		return;
	for (int i = 0; i < rank; i++) {
		size[i] = shape[i];
		empty = empty || shape[i] == 0;
	}
	const hid_t space = H5Screate_simple(rank, size, NULL);
	const hid_t array = create_array(file, name, file_type(type), space, 0);
	if (!empty && !file->reason)
		note_failure(file, H5Dwrite(array, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT,
					    values) >= 0);
	H5Dclose(array);
	H5Sclose(space);
}

/* Marked as ASCII whatever the bytes: VTK's reader asks for that and HDF5 does not convert. */
void vtkhdf_texts(struct vtkhdf *file, const char *name, const char *const *texts, size_t count)
{
	if (!file || file->reason)
		return;
	const hsize_t size = count;
	const hid_t type = H5Tcopy(H5T_C_S1);
	const hid_t space = H5Screate_simple(1, &size, NULL);
	note_failure(file, type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0);
	const hid_t array = file->reason ? -1 : create_array(file, name, type, space, 0);
	if (count > 0 && !file->reason)
		note_failure(file,
			     H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
	H5Dclose(array);
	H5Sclose(space);
	H5Tclose(type);
}

/* ---- vertices --------------------------------------------------------------------------- */

/* values[i] = i, or always VTK_VERTEX, written in blocks; `block` holds CHUNK_ELEMENTS. */
static void write_sequence(struct vtkhdf *file, const char *name, enum vtkhdf_type type,
			   size_t count, int64_t *block)
{
	const hsize_t size = count;
	const size_t chunk = count < CHUNK_ELEMENTS ? count : CHUNK_ELEMENTS;
	const hid_t space = H5Screate_simple(1, &size, NULL);
	const hid_t array = create_array(file, name, file_type(type), space, chunk);
	for (size_t first = 0; first < count && !file->reason; first += chunk) {
		const hsize_t start = first;
		const hsize_t length = count - first < chunk ? count - first : chunk;
		const hid_t memory = H5Screate_simple(1, &length, NULL);
		for (size_t i = 0; i < length; i++)
			block[i] = type == VTKHDF_U8 ? VTK_VERTEX : (int64_t)(first + i);
		note_failure(file, H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &length,
						       NULL) >= 0 &&
					   H5Dwrite(array, H5T_NATIVE_INT64, memory, space,
						    H5P_DEFAULT, block) >= 0);
		H5Sclose(memory);
	}
	H5Dclose(array);
	H5Sclose(space);
}

void vtkhdf_vertices(struct vtkhdf *file, size_t count)
{
	const int64_t number = (int64_t)count;
	const size_t one = 1;
	int64_t *block = malloc(CHUNK_ELEMENTS * sizeof(*block));
	if (file)
		note_failure(file, block != NULL);
	vtkhdf_array(file, "NumberOfPoints", VTKHDF_I64, 1, &one, &number);
	vtkhdf_array(file, "NumberOfCells", VTKHDF_I64, 1, &one, &number);
	vtkhdf_array(file, "NumberOfConnectivityIds", VTKHDF_I64, 1, &one, &number);
	if (file && !file->reason) {
		write_sequence(file, "Types", VTKHDF_U8, count, block);
		write_sequence(file, "Connectivity", VTKHDF_I64, count, block);
		write_sequence(file, "Offsets", VTKHDF_I64, count + 1, block);
	}
	free(block);
}

/* ---- beginning and end ------------------------------------------------------------------ */

static struct vtkhdf *begin(const char *type, size_t bytes, int64_t major)
{
	const int64_t version[2] = {major, 0};
	struct vtkhdf *file = calloc(1, sizeof(*file));
	if (!file)
		return NULL;
	hdf5_lock();
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are told by this program */
	file->root = -1;
	file->file = open_in_memory(file, bytes);
	note_failure(file, file->file >= 0);
	if (!file->reason) {
		file->root =
			H5Gcreate2(file->file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		note_failure(file, file->root >= 0);
	}
	vtkhdf_attribute(file, "Version", VTKHDF_I64, 2, version);
	if (!file->reason) {
		write_type(file, type);
		vtkhdf_group(file, "PointData");
		vtkhdf_group(file, "CellData");
		vtkhdf_group(file, "FieldData");
	}
	return file;
}

struct vtkhdf *vtkhdf_begin(const char *type, size_t bytes)
{
	return begin(type, bytes, 1);
}

/* ---- steps -------------------------------------------------------------------------------- */

struct vtkhdf *vtkhdf_begin_steps(const char *type, size_t bytes, size_t count, const double *times)
{
	struct vtkhdf *file = begin(type, bytes, 2);
	const int64_t steps = (int64_t)count;
	vtkhdf_group(file, "Steps");
	vtkhdf_group(file, "Steps/PointDataOffsets");
	vtkhdf_array(file, "Steps/Values", VTKHDF_F64, 1, &count, times);
	if (!file || file->reason)
		return file;
	/* Of the group Steps, where readers look for it. */
	const hid_t root = file->root, space = H5Screate(H5S_SCALAR);
	file->root = H5Gopen2(root, "Steps", H5P_DEFAULT);
	write_attribute(file, "NSteps", H5T_STD_I64LE, H5T_NATIVE_INT64, space, &steps);
	H5Gclose(file->root);
	file->root = root;
	H5Sclose(space);
	return file;
}

/* Rows first .. first + length of the array are the whole of `dataset` in a file. */
static bool map_rows(hid_t properties, hid_t space, int rank, const hsize_t *first,
		     const hsize_t *length, const char *name, const char *dataset)
{
	const hid_t source = H5Screate_simple(rank, length, NULL);
	const bool good =
		H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, length, NULL) >= 0 &&
		H5Pset_virtual(properties, space, name, dataset, source) >= 0;
	H5Sclose(source);
	return good;
}

void vtkhdf_virtual(struct vtkhdf *file, const char *name, enum vtkhdf_type type, size_t columns,
		    size_t count, const char *const *names, const int64_t *rows)
{
	char dataset[128];
	if (!file || file->reason)
		return;
	const int rank = columns > 0 ? 2 : 1;
	hsize_t size[2] = {0, columns}, first[2] = {0, 0}, length[2] = {0, columns};
	for (size_t i = 0; i < count; i++)
		size[0] += (hsize_t)rows[i];
	snprintf(dataset, sizeof(dataset), "VTKHDF/%s", name);
	const hid_t space = H5Screate_simple(rank, size, NULL);
	const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
	bool good = H5Pset_obj_track_times(properties, false) >= 0;
	for (size_t i = 0; i < count; first[0] += (hsize_t)rows[i], i++) {
		length[0] = (hsize_t)rows[i];
		if (rows[i] > 0) /* nothing cannot be selected */
			good = good &&
			       map_rows(properties, space, rank, first, length, names[i], dataset);
	}
	const hid_t array = good ? H5Dcreate2(file->root, name, file_type(type), space, H5P_DEFAULT,
					      properties, H5P_DEFAULT)
				 : -1;
	note_failure(file, array >= 0);
	if (array >= 0)
		H5Dclose(array);
	H5Pclose(properties);
	H5Sclose(space);
}

int vtkhdf_finish(struct vtkhdf *file, unsigned char **bytes, size_t *length)
{
	ssize_t size = 0;
	*bytes = NULL;
	*length = 0;
	if (!file)
		return ENOMEM;
	H5Gclose(file->root);
	if (!file->reason) {
		note_failure(file, H5Fflush(file->file, H5F_SCOPE_LOCAL) >= 0);
		size = H5Fget_file_image(file->file, NULL, 0);
		note_failure(file, size > 0);
	}
	if (file->file >= 0)
		note_failure(file, H5Fclose(file->file) >= 0);
	hdf5_unlock();
	note_failure(file, file->image != NULL);
	const int reason = file->reason;
	if (!reason) {
		*bytes = file->image;
		*length = (size_t)size;
	} else {
		free(file->image);
	}
	free(file);
	return reason;
}

int vtkhdf_write(struct vtkhdf *file, const char *path)
{
	unsigned char *bytes;
	char seal[FILE_SEAL];
	size_t length;
	struct file_stream stream;
	int reason = vtkhdf_finish(file, &bytes, &length);
	if (reason)
		return reason;
	file_stream_open(&stream, path);
	file_seal(seal, bytes, length);
	file_stream_write(&stream, bytes, length);
	file_stream_write(&stream, seal, FILE_SEAL);
	reason = file_stream_finish(&stream);
	free(bytes);
	return reason;
}
