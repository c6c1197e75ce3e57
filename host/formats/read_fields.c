#include "read_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_seal.h"
#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "scene_grid.h"
#include "write_fields.h"

static bool are_values(size_t size, const void *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (size == 1 ? ((const uint8_t *)values)[i] > CELL_SOLID
			      : !isfinite(((const f32 *)values)[i]))
			return false;
	return true;
}

/* From the file's shape to the lattice, whose other slots are no cells: malloc'ed or NULL. */
static void *spread_on_lattice(const struct scene *scene, size_t size, const char *values)
{
	const struct grid g = scene_grid(scene);
	const size_t wide = write_fields_points(scene, 0), high = write_fields_points(scene, 1);
	char *lattice = calloc((size_t)g.lattice, size);
	for (size_t k = 0; lattice && k < (size_t)g.nz; k++)
		for (size_t j = 0; j < (size_t)g.ny; j++)
			memcpy(lattice + (k * (size_t)g.py + j) * (size_t)g.px * size,
			       values + (k * high + j) * wide * size, (size_t)g.nx * size);
	return lattice;
}

static bool read_field(hid_t file, const struct scene *scene, const struct centre_field_kind *kind,
		       void **lattice, char reason[FILE_READ_REASON])
{
	char name[64];
	void *values = NULL;
	hsize_t shape[3] = {write_fields_points(scene, 2), write_fields_points(scene, 1),
			    write_fields_points(scene, 0)};
	snprintf(name, sizeof(name), "VTKHDF/PointData/%s", kind->name);
	if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
		return file_reason(reason, "lacks the field '%s' (output.fields.names)",
				   kind->name);
	bool ok = hdf5_read_array(file, name, kind->size == 1 ? H5T_NATIVE_UINT8 : H5T_NATIVE_FLOAT,
				  kind->size, 3, shape, &values);
	if (!ok && hdf5_out_of_memory())
		file_reason(reason, "does not fit into memory");
	else if (!ok)
		file_reason(reason, "is damaged or of another grid (field '%s')", kind->name);
	else if (!are_values(kind->size, values, (size_t)(shape[0] * shape[1] * shape[2])))
		ok = file_reason(reason, "is damaged (values of '%s')", kind->name);
	else if (!(*lattice = spread_on_lattice(scene, kind->size, values)))
		ok = file_reason(reason, "does not fit into memory");
	free(values);
	return ok;
}

bool read_fields(const char *path, const struct scene *scene, unsigned wanted,
		 struct grid_copy *fields, char reason[FILE_READ_REASON])
{
	size_t length;
	*fields = (struct grid_copy){0};
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
		file_reason(reason, "is not a field file of freshet, or damaged");
	for (int f = 0; f < CENTRE_FIELDS && ok; f++)
		if (wanted & centre_fields[f].bit)
			ok = read_field(file, scene, &centre_fields[f], &fields->centre[f], reason);
	if (file >= 0)
		H5Fclose(file);
	hdf5_unlock();
	free(bytes);
	return ok;
}
