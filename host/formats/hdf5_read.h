/*
 * Reading HDF5 files that cannot be believed: every object must have the type, the shape and a size
 * that it should.
 *
 * Between hdf5_lock() and hdf5_unlock() (hdf5_lock.h).  Functions are silent.
 */
#ifndef FRESHET_HDF5_READ_H
#define FRESHET_HDF5_READ_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

/* HDF5 works in memory, but looks whether there is a file of the name it is given: there is none.
 */
#define HDF5_NO_FILE "/dev/null/hdf5"

/* The file that these bytes are, with a user block of `block` bytes at most; they must outlive it.
 * To be closed by H5Fclose(); negative if HDF5 cannot read them. */
hid_t hdf5_open_bytes(void *bytes, size_t length, size_t block);

/* Did a reading since hdf5_open_bytes() want for memory?  That says nothing about the file. */
bool hdf5_out_of_memory(void);

/* calloc(), for what is made of the file; a failure counts for hdf5_out_of_memory(). */
void *hdf5_allocate(size_t count, size_t size);

/* A single number; its class and size must be those of the type. */
bool hdf5_read_attribute(hid_t file, const char *group, const char *name, hid_t type, void *value);

/* A text without a length of its own: a dataset, or an attribute of an object ("." = the root);
 * malloc'ed or NULL. */
char *hdf5_read_text(hid_t file, const char *name, const char *attribute);

/* An array of exactly this shape; a last length of HDF5_LENGTH_UNKNOWN is found and given back.
 * *data: malloc'ed, also on false, or NULL as it was. */
#define HDF5_RANK_MOST 4
#define HDF5_LENGTH_UNKNOWN ((hsize_t)-1)
bool hdf5_read_array(hid_t file, const char *name, hid_t type, size_t size, int rank, hsize_t *dims,
		     void **data);

/* The last length of an array, whatever else it is. */
bool hdf5_read_length(hid_t file, const char *name, hsize_t *length);

#endif
