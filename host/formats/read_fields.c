#include "read_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_seal.h"
#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "write_fields.h"

/* Values by cell, [z][y][x], and what they must be. */
struct file_field {
	unsigned bit; /* enum scene_field */
	const char *name;
	size_t size; /* of a value: 4 = f32, 1 = enum cell_type */
	struct clx_buffer *buffer;
};

static bool refuse(char reason[FILE_READ_REASON], const char *text, const char *name)
{
	snprintf(reason, FILE_READ_REASON, text, name);
	return false;
}

static bool are_values(const struct file_field *field, const void *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (field->size == 1 ? ((const uint8_t *)values)[i] > CELL_SOLID
				     : !isfinite(((const f32 *)values)[i]))
			return false;
	return true;
}

/* From the file's shape to the lattice, whose other slots are no cells. */
static bool put_on_lattice(struct sim *sim, const struct file_field *field, const char *values,
			   char reason[FILE_READ_REASON])
{
	const struct grid *g = &sim->lattice.grid;
	const size_t size = field->size, wide = (size_t)write_fields_points(sim->scene, 0);
	const size_t high = (size_t)write_fields_points(sim->scene, 1), row = (size_t)g->nx * size;
	char *lattice = calloc((size_t)g->lattice, size);
	if (!lattice)
		return refuse(reason, "does not fit into memory%s", "");
	for (size_t k = 0; k < (size_t)g->nz; k++)
		for (size_t j = 0; j < (size_t)g->ny; j++)
			memcpy(lattice + (k * (size_t)g->py + j) * (size_t)g->px * size,
			       values + (k * high + j) * wide * size, row);
	const bool ok =
		clx_write_raw(sim->cl, field->buffer, 0, (size_t)g->lattice * size, lattice) ||
		refuse(reason, "could not be given to the device%s", "");
	free(lattice);
	return ok;
}

static bool read_field(hid_t file, struct sim *sim, const struct file_field *field,
		       char reason[FILE_READ_REASON])
{
	char name[64];
	void *values = NULL;
	hsize_t shape[3] = {write_fields_points(sim->scene, 2), write_fields_points(sim->scene, 1),
			    write_fields_points(sim->scene, 0)};
	snprintf(name, sizeof(name), "VTKHDF/PointData/%s", field->name);
	if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
		return refuse(reason, "lacks the field '%s' (output.fields.names)", field->name);
	bool ok =
		hdf5_read_array(file, name, field->size == 1 ? H5T_NATIVE_UINT8 : H5T_NATIVE_FLOAT,
				field->size, 3, shape, &values);
	if (!ok && hdf5_out_of_memory())
		refuse(reason, "does not fit into memory%s", "");
	else if (!ok)
		refuse(reason, "is damaged or of another grid (field '%s')", field->name);
	else if (!are_values(field, values, (size_t)(shape[0] * shape[1] * shape[2])))
		ok = refuse(reason, "is damaged (values of '%s')", field->name);
	ok = ok && put_on_lattice(sim, field, values, reason);
	free(values);
	return ok;
}

bool read_fields(const char *path, unsigned wanted, struct sim *sim, char reason[FILE_READ_REASON])
{
	const struct file_field fields[] = {
		{FIELD_PRESSURE, "pressure", sizeof(f32), &sim->pressure.raw},
		{FIELD_LEVELSET, "levelset", sizeof(f32), &sim->phi.raw},
		{FIELD_CELLS, "cells", 1, &sim->cell_type.raw},
	};
	size_t length;
	char *bytes = file_read(path, SIZE_MAX, &length, reason);
	if (!bytes)
		return false;
	if (!file_seal_check(bytes, &length, reason)) {
		free(bytes);
		return false;
	}
	hdf5_lock();
	const hid_t file = hdf5_open_bytes(bytes, length, 512);
	bool ok = file >= 0 && H5Lexists(file, "VTKHDF", H5P_DEFAULT) > 0 &&
		  H5Lexists(file, "VTKHDF/PointData", H5P_DEFAULT) > 0;
	if (!ok)
		refuse(reason, "is not a field file of freshet, or damaged%s", "");
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]) && ok; i++)
		if (wanted & fields[i].bit)
			ok = read_field(file, sim, &fields[i], reason);
	if (file >= 0)
		H5Fclose(file);
	hdf5_unlock();
	free(bytes);
	return ok;
}
