/* Reads field files back, as write_fields.c writes them. */
#ifndef FRESHET_READ_FIELDS_H
#define FRESHET_READ_FIELDS_H

#include "file_read.h"
#include "sim.h"

/*
 * Puts fields at cell centres into the simulation: `wanted` of FIELD_PRESSURE, FIELD_LEVELSET and
 * FIELD_CELLS.  False with `reason`, a sentence whose subject is the file.  Reports nothing but
 * errors of the device.
 */
bool read_fields(const char *path, unsigned wanted, struct sim *sim, char reason[FILE_READ_REASON]);

#endif
