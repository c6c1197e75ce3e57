/* What writer and reader of checkpoints agree on. */
#ifndef FRESHET_CHECKPOINT_FORMAT_H
#define FRESHET_CHECKPOINT_FORMAT_H

#include <hdf5.h>

#include "checkpoint.h"

/* The block of text in front of the HDF5 data: an HDF5 "user block". */
#define CHECKPOINT_BLOCK 512
/* Prints that block, padded with zeros.  `crc` covers the block with sixteen zeros in the place of
 * the checksum, then the data. */
void checkpoint_block(char block[CHECKPOINT_BLOCK], unsigned format, unsigned long long bytes,
		      unsigned long long crc);

/* Attributes of groups: single numbers of struct checkpoint. */
enum checkpoint_type {
	CHECKPOINT_I32,
	CHECKPOINT_U32,
	CHECKPOINT_I64,
	CHECKPOINT_U64,
	CHECKPOINT_F64
};
struct checkpoint_number {
	const char *group, *name;
	enum checkpoint_type type;
	size_t offset;	/* in struct checkpoint */
	unsigned since; /* format that has it */
};
extern const struct checkpoint_number checkpoint_numbers[];
extern const size_t checkpoint_number_count;
extern const char *const checkpoint_groups[];
extern const size_t checkpoint_group_count;

/* Types in memory and in the file (little-endian). */
hid_t checkpoint_memory_type(enum checkpoint_type type);
hid_t checkpoint_file_type(enum checkpoint_type type);
/* Of the elements of a saved array, in memory. */
hid_t checkpoint_array_type(const struct sim_field *field);

#endif
