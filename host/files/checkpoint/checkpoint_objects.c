#include "checkpoint_objects.h"

#include <stdlib.h>
#include <string.h>

#include "hdf5_read.h"

static bool read_by_drain(hid_t file, const char *name, u32 by_drain[DRAINS_MOST])
{
	hsize_t n = DRAINS_MOST;
	void *values = NULL;
	const bool ok = hdf5_read_array(file, name, H5T_NATIVE_UINT32, sizeof(u32), 1, &n, &values);
	if (ok)
		memcpy(by_drain, values, DRAINS_MOST * sizeof(u32));
	free(values);
	return ok;
}

static bool read_drains(hid_t file, struct checkpoint *c, unsigned format)
{
	return format < 5 || (read_by_drain(file, "ledger/drained", c->drained) &&
			      read_by_drain(file, "ledger/missed", c->ledger.missed));
}

/* Only of runs with output.forces. */
static bool read_loads(hid_t file, struct checkpoint *c, unsigned format)
{
	hsize_t n = HDF5_LENGTH_UNKNOWN;
	void *loads = NULL;
	if (format < 6 || H5Lexists(file, "loads/frame", H5P_DEFAULT) <= 0)
		return true;
	const bool ok = hdf5_read_array(file, "loads/frame", H5T_NATIVE_DOUBLE, sizeof(double), 1,
					&n, &loads);
	c->loads = loads;
	c->load_count = ok ? (size_t)n / LOAD_NUMBERS : 0;
	return ok && n % LOAD_NUMBERS == 0;
}

/* What the faces of outflows owe; none before format 6. */
static bool read_outflows(hid_t file, struct checkpoint *c, unsigned format)
{
	hsize_t n = HDF5_LENGTH_UNKNOWN;
	void *owed = NULL, *turn = NULL;
	bool ok = format < 6 || (read_by_drain(file, "ledger/flown", c->flown) &&
				 hdf5_read_array(file, "outflows/owed", H5T_NATIVE_DOUBLE,
						 sizeof(double), 1, &n, &owed) &&
				 hdf5_read_array(file, "outflows/turn", H5T_NATIVE_UINT32,
						 sizeof(u32), 1, &n, &turn));
	c->owed = owed;
	c->turn = turn;
	c->outflow_faces = ok && format >= 6 ? (size_t)n : 0;
	/* Of no face is owed more than what two cells hold. */
	for (size_t i = 0; ok && i < c->outflow_faces; i++)
		ok = c->owed[i] >= -1e3 && c->owed[i] <= 1e3;
	return ok;
}

bool checkpoint_read_objects(hid_t file, struct checkpoint *c, unsigned format)
{
	return read_drains(file, c, format) && read_loads(file, c, format) &&
	       read_outflows(file, c, format);
}
