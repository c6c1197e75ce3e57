/* The writer of checkpoints.  The file is made in memory, so that it can be checked, and written
 * like every other file. */
#include <stdlib.h>
#include <string.h>

#include "checkpoint_format.h"
#include "crc64.h"
#include "file.h"
#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "message.h"

/* Memory grows by this; the file ends at a multiple of it. */
#define GROWTH 4096

static bool close_all(bool ok, hid_t space, hid_t object)
{
	if (object >= 0)
		ok = H5Oclose(object) >= 0 && ok;
	if (space >= 0)
		ok = H5Sclose(space) >= 0 && ok;
	return ok;
}

static bool write_attribute(hid_t group, const char *name, hid_t file_type, hid_t memory_type,
			    const void *value)
{
	const hid_t space = H5Screate(H5S_SCALAR);
	const hid_t attribute = H5Acreate2(group, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
	bool ok = attribute >= 0 && H5Awrite(attribute, memory_type, value) >= 0;
	if (attribute >= 0)
		ok = H5Aclose(attribute) >= 0 && ok;
	return close_all(ok, space, -1);
}

/* Without times of creation: equal states give equal bytes. */
static hid_t create_dataset(hid_t file, const char *name, hid_t type, hid_t space)
{
	const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
	hid_t set = -1;
	if (creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
		set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
	if (creation >= 0)
		H5Pclose(creation);
	return set;
}

static bool write_array(hid_t file, const char *name, hid_t file_type, hid_t memory_type, int rank,
			const hsize_t *dims, const void *data)
{
	const hid_t space = H5Screate_simple(rank, dims, NULL);
	const hid_t set = space >= 0 ? create_dataset(file, name, file_type, space) : -1;
	const bool ok =
		set >= 0 && H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
	return close_all(ok, space, set);
}

static hid_t text_type(size_t bytes)
{
	const hid_t type = H5Tcopy(H5T_C_S1);
	if (type >= 0)
		H5Tset_size(type, bytes);
	if (type >= 0)
		H5Tset_cset(type, H5T_CSET_UTF8);
	return type;
}

static bool write_text(hid_t file, const char *name, const char *text)
{
	const hid_t type = text_type(strlen(text) + 1), space = H5Screate(H5S_SCALAR);
	const hid_t set = type >= 0 ? create_dataset(file, name, type, space) : -1;
	const bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
	if (type >= 0)
		H5Tclose(type);
	return close_all(ok, space, set);
}

static bool write_text_attribute(hid_t group, const char *name, const char *text)
{
	const hid_t type = text_type(strlen(text) + 1);
	const bool ok = type >= 0 && write_attribute(group, name, type, type, text);
	if (type >= 0)
		H5Tclose(type);
	return ok;
}

static bool write_numbers(hid_t file, const struct checkpoint *c)
{
	bool ok = true;
	for (size_t i = 0; ok && i < checkpoint_group_count; i++) {
		const hid_t group = H5Gcreate2(file, checkpoint_groups[i], H5P_DEFAULT, H5P_DEFAULT,
					       H5P_DEFAULT);
		ok = group >= 0;
		for (size_t n = 0; ok && n < checkpoint_number_count; n++) {
			const struct checkpoint_number *number = &checkpoint_numbers[n];
			if (strcmp(number->group, checkpoint_groups[i]) == 0)
				ok = write_attribute(group, number->name,
						     checkpoint_file_type(number->type),
						     checkpoint_memory_type(number->type),
						     (const char *)c + number->offset);
		}
		ok = close_all(ok, -1, group);
	}
	return ok;
}

/* With its unit beside it. */
static bool write_state_array(hid_t file, const struct saved_array *array)
{
	const struct sim_field *field = array->field;
	const bool real = field->type == FIELD_F32, plain = array->components == 1;
	const bool negative = field->saved_negative;
	const hsize_t dims[2] = {array->components, array->count};
	if (array->components == 0)
		return true;
	if (!write_array(file, field->saved,
			 real	    ? H5T_IEEE_F32LE
			 : negative ? H5T_STD_I32LE
				    : H5T_STD_U32LE,
			 checkpoint_array_type(field), plain ? 1 : 2, plain ? dims + 1 : dims,
			 array->data))
		return false;
	const hid_t set = H5Dopen2(file, field->saved, H5P_DEFAULT);
	const bool ok =
		set >= 0 && write_text_attribute(set, "unit", field->unit ? field->unit : "");
	if (set >= 0)
		H5Dclose(set);
	return ok;
}

static bool write_ids(hid_t file, const struct id_ranges *ids)
{
	const hsize_t n = ids->count;
	u32 *first = calloc(n + 1, sizeof(*first)), *liquid = calloc(n + 1, sizeof(*liquid));
	const bool ok = first && liquid;
	for (size_t i = 0; ok && i < n; i++) {
		first[i] = ids->range[i].first;
		liquid[i] = ids->range[i].liquid;
	}
	const bool written =
		ok &&
		write_array(file, "ids/first", H5T_STD_U32LE, H5T_NATIVE_UINT32, 1, &n, first) &&
		write_array(file, "ids/liquid", H5T_STD_U32LE, H5T_NATIVE_UINT32, 1, &n, liquid);
	free(first);
	free(liquid);
	return written;
}

static bool write_state(hid_t file, const struct checkpoint_state *state)
{
	for (size_t i = 0; i < state->array_count; i++)
		if (!write_state_array(file, &state->arrays[i]))
			return false;
	return write_ids(file, &state->ids);
}

static bool write_frames(hid_t file, const struct summary *s)
{
	const hsize_t n = s->frame_count;
	int *ints = calloc(n + 1, sizeof(*ints));
	double *doubles = calloc(n + 1, sizeof(*doubles));
	u64 *hashes = calloc(n + 1, sizeof(*hashes));
	bool ok = ints && doubles && hashes;
	for (size_t i = 0; ok && i < n; i++) {
		ints[i] = s->frames[i].substeps;
		doubles[i] = s->frames[i].time;
		hashes[i] = s->frames[i].hash;
	}
	ok = ok &&
	     write_array(file, "frames/substeps", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &n, ints) &&
	     write_array(file, "frames/time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &n, doubles) &&
	     write_array(file, "frames/hash", H5T_STD_U64LE, H5T_NATIVE_UINT64, 1, &n, hashes);
	for (size_t i = 0; ok && i < n; i++) {
		ints[i] = s->frames[i].frame;
		doubles[i] = s->frames[i].seconds;
	}
	ok = ok &&
	     write_array(file, "frames/frame", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &n, ints) &&
	     write_array(file, "frames/seconds", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &n, doubles);
	free(ints);
	free(doubles);
	free(hashes);
	return ok;
}

static bool write_loads(hid_t file, const struct checkpoint *c)
{
	const hsize_t n = c->load_count * LOAD_NUMBERS;
	return n == 0 ||
	       write_array(file, "loads/frame", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &n, c->loads);
}

/* Contacts: four whole numbers and four others each. */
static bool write_contacts(hid_t file, const struct checkpoint *c)
{
	const hsize_t n = 4 * c->contact_count;
	u32 *numbers = calloc(n + 1, sizeof(*numbers));
	double *impulses = calloc(n + 1, sizeof(*impulses));
	bool ok = numbers && impulses;
	for (size_t i = 0; ok && i < c->contact_count; i++) {
		const struct contact_impulse *from = &c->contacts[i];
		const u32 number[4] = {from->body, from->other, from->feature, from->number};
		memcpy(numbers + 4 * i, number, sizeof(number));
		impulses[4 * i] = from->normal;
		memcpy(impulses + 4 * i + 1, from->tangent, sizeof(from->tangent));
	}
	ok = ok &&
	     write_array(file, "bodies/contacts", H5T_STD_U32LE, H5T_NATIVE_UINT32, 1, &n,
			 numbers) &&
	     write_array(file, "bodies/impulses", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &n,
			 impulses);
	free(numbers);
	free(impulses);
	return ok;
}

static bool write_bodies(hid_t file, const struct checkpoint *c)
{
	const hsize_t states = c->body_count * BODY_NUMBERS,
		      accounts = c->body_count * BODY_ACCOUNT_NUMBERS;
	return c->body_count == 0 || (write_array(file, "bodies/states", H5T_IEEE_F64LE,
						  H5T_NATIVE_DOUBLE, 1, &states, c->bodies) &&
				      write_array(file, "bodies/accounts", H5T_IEEE_F64LE,
						  H5T_NATIVE_DOUBLE, 1, &accounts, c->accounts) &&
				      write_contacts(file, c));
}

static bool write_all(hid_t file, const struct checkpoint *c)
{
	const i32 format = CHECKPOINT_FORMAT, dim = c->dim, warned = c->limit_warned,
		  parts = c->parts_warned, tiny = c->tiny_warned;
	const hsize_t resumed = c->resumed_count, accounts = LEDGER_NUMBERS, drains = DRAINS_MOST,
		      flown = OUTFLOWS_MOST, faces = c->outflow_faces;
	const int none = 0;
	const double nothing = 0.0;
	return write_text_attribute(file, "program", "freshet") &&
	       write_text_attribute(file, "version", c->version) &&
	       write_text_attribute(file, "git", c->git) &&
	       write_text_attribute(file, "method", c->state.method->name) &&
	       write_attribute(file, "format", H5T_STD_I32LE, H5T_NATIVE_INT32, &format) &&
	       write_attribute(file, "dim", H5T_STD_I32LE, H5T_NATIVE_INT32, &dim) &&
	       write_attribute(file, "limit_warned", H5T_STD_I32LE, H5T_NATIVE_INT32, &warned) &&
	       write_attribute(file, "parts_warned", H5T_STD_I32LE, H5T_NATIVE_INT32, &parts) &&
	       write_attribute(file, "tiny_warned", H5T_STD_I32LE, H5T_NATIVE_INT32, &tiny) &&
	       write_text(file, "scene", c->scene) && write_numbers(file, c) &&
	       write_array(file, "ledger/accounts", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &accounts,
			   &c->ledger.accounts) &&
	       write_array(file, "ledger/drained", H5T_STD_U32LE, H5T_NATIVE_UINT32, 1, &drains,
			   c->drained) &&
	       write_array(file, "ledger/missed", H5T_STD_U32LE, H5T_NATIVE_UINT32, 1, &drains,
			   c->ledger.missed) &&
	       write_array(file, "ledger/flown", H5T_STD_U32LE, H5T_NATIVE_UINT32, 1, &flown,
			   c->flown) &&
	       write_array(file, "outflows/owed", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &faces,
			   faces ? c->owed : &nothing) &&
	       write_array(file, "outflows/turn", H5T_STD_U32LE, H5T_NATIVE_UINT32, 1, &faces,
			   faces ? c->turn : (const u32 *)&none) &&
	       write_loads(file, c) && write_bodies(file, c) && write_state(file, &c->state) &&
	       write_frames(file, &c->summary) &&
	       write_text(file, "run/warnings", c->warnings ? c->warnings : "") &&
	       write_array(file, "run/resumed_at", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &resumed,
			   resumed ? c->resumed_at : &none);
}

/* Puts the block in front of the file's image. */
static void seal_image(char *image, size_t bytes)
{
	checkpoint_block(image, CHECKPOINT_FORMAT, bytes, 0);
	checkpoint_block(image, CHECKPOINT_FORMAT, bytes, crc64(0, image, bytes));
}

static bool write_image(hid_t file, hid_t access, const char *directory, const char *name)
{
	hsize_t bytes = 0;
	void *handle = NULL;
	if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fget_filesize(file, &bytes) < 0 ||
	    H5Fget_vfd_handle(file, access, &handle) < 0)
		return message_error("HDF5 cannot make the checkpoint '%s'", name);
	char *image = *(char **)handle; /* what the core driver's handle is */
	seal_image(image, (size_t)bytes);
	return file_write_atomic(directory, name, image, (size_t)bytes);
}

static bool write_locked(const struct checkpoint *c, const char *directory, const char *name)
{
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
	hid_t file = -1;
	if (access >= 0 && creation >= 0 && H5Pset_fapl_core(access, GROWTH, false) >= 0 &&
	    H5Pset_userblock(creation, CHECKPOINT_BLOCK) >= 0)
		file = H5Fcreate(HDF5_NO_FILE, H5F_ACC_TRUNC, creation, access);
	bool ok = file >= 0 && write_all(file, c);
	if (!ok)
		message_error("out of memory for the checkpoint '%s'", name);
	ok = ok && write_image(file, access, directory, name);
	if (file >= 0)
		H5Fclose(file);
	if (access >= 0)
		H5Pclose(access);
	if (creation >= 0)
		H5Pclose(creation);
	return ok;
}

bool checkpoint_write(const struct checkpoint *c, const char *directory, const char *name)
{
	hdf5_lock();
	const bool ok = write_locked(c, directory, name);
	hdf5_unlock();
	return ok;
}
