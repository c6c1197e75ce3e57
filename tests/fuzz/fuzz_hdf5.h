/* Changes to HDF5 files through the library: objects that lack, of other types and shapes than
 * expected, and any values.  libhdf5's own parser is not fuzzed: it crashes on what no seal or
 * checksum lets through (docs/decisions/0043). */
#ifndef FRESHET_FUZZ_HDF5_H
#define FRESHET_FUZZ_HDF5_H

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

struct input {
	const uint8_t *data;
	size_t left;
};

/* The next byte, 0 behind the end. */
unsigned take(struct input *input);
hid_t take_type(struct input *input);
hid_t take_space(struct input *input);
/* Bytes for all elements of an object, the input's over and over; NULL if they are too many or
 * consist of pointers. */
uint8_t *take_values(struct input *input, hid_t type, hid_t space);

/* To be called once, before HDF5 is used. */
void fuzz_hdf5_begin(void);

/* The file in memory that `image` is, to be changed; *access is the caller's to close. */
hid_t fuzz_hdf5_open(const void *image, size_t bytes, hid_t *access);
/* Its bytes, the library's, until it is closed. */
char *fuzz_hdf5_image(hid_t file, hid_t access, size_t *bytes);

/* A dataset of any type, shape and values in place of this one. */
void replace_set(hid_t file, const char *name, struct input *input);
/* Other values in it. */
void change_values(hid_t file, const char *name, struct input *input);
/* A text of any bytes in place of it. */
void change_text(hid_t file, const char *name, struct input *input);
/* A link to another object in place of it, hard or soft. */
void change_link(hid_t file, const char *name, const char *other, int hard);

#endif
