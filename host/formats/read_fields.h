/* Reads field files back, as write_fields.c writes them. */
#ifndef FRESHET_READ_FIELDS_H
#define FRESHET_READ_FIELDS_H

#include "file_read.h"
#include "grid_copy.h"

/*
 * Reads fields at cell centres of the scene: `wanted` of FIELD_PRESSURE, FIELD_LEVELSET and
 * FIELD_CELLS.  *fields is theirs, to be freed also on false, with `reason`, a sentence whose
 * subject is the file.  Reports nothing.
 */
bool read_fields(const char *path, const struct scene *scene, unsigned wanted,
		 struct grid_copy *fields, char reason[FILE_READ_REASON]);

#endif
