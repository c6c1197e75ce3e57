/*
 * The reader of checkpoints.  Length and checksum come first: HDF5 sees a file only after that.
 * Still nothing in it is believed, because anybody can compute a checksum.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint_bodies.h"
#include "checkpoint_format.h"
#include "checkpoint_objects.h"
#include "crc64.h"
#include "file_read.h"
#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "message.h"
#include "seed.h"
#include "sim_fields.h"

/* ---- the file as bytes -------------------------------------------------------------------- */

/* Length, checksum and version, in the block of text in front.  *whole: all but the version is
 * right. */
static bool check_bytes(char *bytes, size_t length, char reason[FILE_READ_REASON], bool *whole,
			unsigned *found)
{
	static const char title[] = "freshet checkpoint\n";
	char expected[CHECKPOINT_BLOCK], text[CHECKPOINT_BLOCK + 1] = "";
	unsigned format;
	unsigned long long stated, crc;
	if (length == 0)
		return file_reason(reason, "is empty");
	if (strncmp(bytes, title, length < sizeof(title) ? length : sizeof(title) - 1) != 0)
		return file_reason(reason, "is not a checkpoint of freshet");
	if (length < CHECKPOINT_BLOCK)
		return file_reason(reason, "is truncated (%zu bytes)", length);
	memcpy(text, bytes, CHECKPOINT_BLOCK);
	if (sscanf(text + sizeof(title) - 1, "format %u\nbytes %llu\ncrc64 %16llx\n", &format,
		   &stated, &crc) != 3)
		return file_reason(reason, "is damaged (its first lines)");
	checkpoint_block(expected, format, stated, crc);
	if (memcmp(expected, bytes, CHECKPOINT_BLOCK) != 0)
		return file_reason(reason, "is damaged (its first lines)");
	if (length != stated)
		return file_reason(reason, "is %s (%zu bytes instead of %llu)",
				   length < stated ? "truncated" : "damaged", length, stated);
	checkpoint_block(bytes, format, stated, 0);
	if (crc64(0, bytes, length) != crc)
		return file_reason(reason, "is damaged (its checksum is wrong)");
	*whole = true;
	if (format > CHECKPOINT_FORMAT)
		return file_reason(reason,
				   "is of a newer version (format %u; this program reads up to %d)",
				   format, CHECKPOINT_FORMAT);
	*found = format;
	return format >= CHECKPOINT_OLDEST ||
	       file_reason(reason, "is of an older version (format %u; this program reads from %d)",
			   format, CHECKPOINT_OLDEST);
}

/* ---- values ------------------------------------------------------------------------------- */

static bool read_numbers(hid_t file, struct checkpoint *c, unsigned format)
{
	for (size_t i = 0; i < checkpoint_number_count; i++) {
		const struct checkpoint_number *number = &checkpoint_numbers[i];
		if (format >= number->since &&
		    !hdf5_read_attribute(file, number->group, number->name,
					 checkpoint_memory_type(number->type),
					 (char *)c + number->offset))
			return false;
	}
	return true;
}

static bool has_unit(hid_t file, const struct sim_field *field)
{
	char *unit = hdf5_read_text(file, field->saved, "unit");
	const bool same = unit && strcmp(unit, field->unit ? field->unit : "") == 0;
	free(unit);
	return same;
}

/* Is it of particles that only some scenes' particles carry? */
static bool is_optional(const struct sim_field *field)
{
	static const char group[] = "particles/";
	const size_t length = sizeof(group) - 1;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (strncmp(field->saved, group, length) == 0 &&
		    strcmp(field->saved + length, attribute_rows[a].name) == 0)
			return attribute_rows[a].with != WITH_ALWAYS;
	return false;
}

/* An array that the method of the checkpoint has. */
static bool read_state_array(hid_t file, struct saved_array *array, unsigned format,
			     char reason[FILE_READ_REASON])
{
	const struct sim_field *field = array->field;
	const bool plain = array->components == 1;
	hsize_t dims[2] = {array->components, array->count};
	if (is_optional(field) && H5Lexists(file, field->saved, H5P_DEFAULT) <= 0) {
		array->components = 0;
		return true;
	}
	if (H5Lexists(file, field->saved, H5P_DEFAULT) <= 0)
		return file_reason(reason, "lacks the field '%s'", field->saved);
	if (format >= 3 && !has_unit(file, field))
		return file_reason(reason, "has the field '%s' in another unit than '%s'",
				   field->saved, field->unit ? field->unit : "");
	return hdf5_read_array(file, field->saved, checkpoint_array_type(field), sizeof(u32),
			       plain ? 1 : 2, plain ? dims + 1 : dims, &array->data);
}

/* Liquid l has the ids from first_id[l] on, up to the next one's: 0.1. */
static bool read_first_ids(hid_t file, struct id_ranges *ids)
{
	hsize_t liquids = 65;
	void *first = NULL;
	bool ok = hdf5_read_array(file, "particles/first_id", H5T_NATIVE_UINT32, sizeof(u32), 1,
				  &liquids, &first);
	const u32 *id = first;
	for (size_t l = 0; ok && l < 64; l++)
		ok = id[l] == ids->end && id[l + 1] >= id[l] &&
		     id_ranges_add(ids, id[l + 1] - id[l], (uint8_t)l);
	free(first);
	return ok;
}

/* `end` is among the numbers. */
static bool read_ids(hid_t file, struct id_ranges *ids)
{
	const u32 end = ids->end;
	hsize_t n = HDF5_LENGTH_UNKNOWN;
	void *first = NULL, *liquid = NULL;
	bool ok =
		hdf5_read_array(file, "ids/first", H5T_NATIVE_UINT32, sizeof(u32), 1, &n, &first) &&
		hdf5_read_array(file, "ids/liquid", H5T_NATIVE_UINT32, sizeof(u32), 1, &n, &liquid);
	const u32 *id = first, *of = liquid;
	ids->end = 0;
	for (size_t i = 0; ok && i < n; i++) {
		const u32 next = i + 1 < n ? id[i + 1] : end;
		ok = id[i] == ids->end && next > id[i] && of[i] < SEED_MAX_LIQUIDS &&
		     id_ranges_add(ids, next - id[i], (uint8_t)of[i]);
	}
	free(first);
	free(liquid);
	return ok && ids->end == end;
}

/* Lattice points of the arrays of the grid: those of the first.  (The scene tells how many there
 * must be: checkpoint_restore().) */
static bool read_points(hid_t file, const struct method *method, hsize_t *points)
{
	for (size_t i = 0; i < method->field_count; i++) {
		const struct sim_field *field = &method->fields[i];
		if (field->saved && !sim_field_of_particles(field))
			return hdf5_read_length(file, field->saved, points);
	}
	return true;
}

static bool read_state(hid_t file, struct checkpoint *c, unsigned format,
		       char reason[FILE_READ_REASON])
{
	struct checkpoint_state *state = &c->state;
	hsize_t points = 0;
	if (format >= 3 && !read_points(file, state->method, &points))
		return false;
	checkpoint_state_outline(state, state->method, c->dim, state->particles, (size_t)points);
	for (size_t i = 0; i < state->array_count; i++)
		if (!read_state_array(file, &state->arrays[i], format, reason))
			return false;
	const bool ok =
		format >= 3 ? read_ids(file, &state->ids) : read_first_ids(file, &state->ids);
	if (!ok && !hdf5_out_of_memory())
		file_reason(reason, "is damaged (its ids make no sense)");
	return ok;
}

static bool read_frames(hid_t file, struct summary *s)
{
	hsize_t n = HDF5_LENGTH_UNKNOWN;
	void *frame = NULL, *substeps = NULL, *time = NULL, *seconds = NULL, *hash = NULL;
	bool ok = hdf5_read_array(file, "frames/frame", H5T_NATIVE_INT32, 4, 1, &n, &frame) &&
		  hdf5_read_array(file, "frames/substeps", H5T_NATIVE_INT32, 4, 1, &n, &substeps) &&
		  hdf5_read_array(file, "frames/time", H5T_NATIVE_DOUBLE, 8, 1, &n, &time) &&
		  hdf5_read_array(file, "frames/seconds", H5T_NATIVE_DOUBLE, 8, 1, &n, &seconds) &&
		  hdf5_read_array(file, "frames/hash", H5T_NATIVE_UINT64, 8, 1, &n, &hash) &&
		  (s->frames = hdf5_allocate((size_t)n + 1, sizeof(*s->frames))) != NULL;
	for (size_t i = 0; ok && i < n; i++)
		s->frames[i] = (struct frame_record){
			.frame = ((int *)frame)[i],
			.substeps = ((int *)substeps)[i],
			.time = ((double *)time)[i],
			.seconds = ((double *)seconds)[i],
			.hash = ((u64 *)hash)[i],
		};
	if (ok) {
		s->frame_count = (size_t)n;
		s->frame_capacity = (size_t)n + 1;
	}
	free(frame);
	free(substeps);
	free(time);
	free(seconds);
	free(hash);
	return ok;
}

static bool read_ledger(hid_t file, struct checkpoint *c, unsigned format)
{
	hsize_t n = format >= 7	  ? LEDGER_NUMBERS
		    : format == 6 ? LEDGER_NUMBERS_6
		    : format == 5 ? LEDGER_NUMBERS_5
		    : format == 4 ? LEDGER_NUMBERS_4
				  : LEDGER_NUMBERS_OLD;
	void *accounts = NULL;
	const bool ok = hdf5_read_array(file, "ledger/accounts", H5T_NATIVE_DOUBLE, sizeof(double),
					1, &n, &accounts);
	if (ok)
		memcpy(&c->ledger.accounts, accounts, (size_t)n * sizeof(double));
	free(accounts);
	return ok;
}

/* A number that earlier files of this format do not have. */
static bool read_later(hid_t file, const char *name, i32 *value)
{
	return H5Aexists(file, name) == 0 ||
	       hdf5_read_attribute(file, ".", name, H5T_NATIVE_INT32, value);
}

#define METHOD_NAME 32

static void copy_name(const char *name, char copy[METHOD_NAME])
{
	snprintf(copy, METHOD_NAME, "%s", *name ? name : "?");
	for (char *c = copy; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

/* Files of 0.1 do not say it.  unknown: one that this program does not have. */
static bool read_method(hid_t file, struct checkpoint *c, unsigned format,
			char unknown[METHOD_NAME])
{
	char *name = format >= 3 ? hdf5_read_text(file, ".", "method") : strdup("flip");
	c->state.method = name ? method_find(name) : NULL;
	if (name && !c->state.method)
		copy_name(name, unknown);
	free(name);
	return c->state.method != NULL;
}

static bool read_all(hid_t file, bool particles, unsigned format, struct checkpoint *c,
		     char unknown[METHOD_NAME], char reason[FILE_READ_REASON])
{
	i32 warned, parts = 0, tiny = 0;
	hsize_t resumed = HDF5_LENGTH_UNKNOWN;
	bool ok = (c->version = hdf5_read_text(file, ".", "version")) &&
		  (c->git = hdf5_read_text(file, ".", "git")) &&
		  (c->scene = hdf5_read_text(file, "scene", NULL)) &&
		  (c->warnings = hdf5_read_text(file, "run/warnings", NULL)) &&
		  hdf5_read_attribute(file, ".", "dim", H5T_NATIVE_INT32, &c->dim) &&
		  (c->dim == 2 || c->dim == 3) &&
		  hdf5_read_attribute(file, ".", "limit_warned", H5T_NATIVE_INT32, &warned) &&
		  read_later(file, "parts_warned", &parts) &&
		  read_later(file, "tiny_warned", &tiny) && read_method(file, c, format, unknown) &&
		  read_numbers(file, c, format) && read_ledger(file, c, format) &&
		  checkpoint_read_objects(file, c, format) &&
		  checkpoint_read_bodies(file, c, format) && read_frames(file, &c->summary) &&
		  hdf5_read_array(file, "run/resumed_at", H5T_NATIVE_INT32, 4, 1, &resumed,
				  (void **)&c->resumed_at);
	if (!ok)
		return false;
	c->limit_warned = warned != 0;
	c->parts_warned = parts != 0;
	c->tiny_warned = tiny != 0;
	c->resumed_count = (size_t)resumed;
	return !particles || read_state(file, c, format, reason);
}

/* ---- sense -------------------------------------------------------------------------------- */

static bool are_finite(const struct saved_array *array)
{
	const f32 *values = array->data;
	for (size_t i = 0; array->field->type == FIELD_F32 && i < array->components * array->count;
	     i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

static bool makes_sense(const struct checkpoint *c, bool particles)
{
	const struct checkpoint_state *state = &c->state;
	const struct summary *s = &c->summary;
	bool ok = c->frame >= 0 && c->substep >= 0 && isfinite(c->time) && c->time >= 0 &&
		  isfinite(c->grid_speed) && c->grid_speed >= 0 &&
		  state->particles <= SIM_MAX_PARTICLES && s->frame_count == (size_t)c->frame + 1 &&
		  isfinite(c->seconds);
	for (size_t i = 0; ok && i < s->frame_count; i++)
		ok = s->frames[i].frame == (int)i;
	const double *loads = (const double *)c->loads;
	for (size_t i = 0; ok && i < c->load_count * LOAD_NUMBERS; i++)
		ok = isfinite(loads[i]);
	ok = ok && isfinite(c->loads_seconds) && c->loads_seconds >= 0.0;
	ok = ok && c->rest_density >= 0.0 && c->rest_density <= 1e3;
	ok = ok &&
	     (u64)c->ledger.seeded + c->ledger.loaded + c->ledger.entered <= SIM_MAX_PARTICLES &&
	     (u64)c->ledger.entered_outflows + c->ledger.entered_emitters <= c->ledger.entered;
	if (!(state->method->parts & PART_PARTICLES))
		ok = ok && state->particles == 0 && state->ids.end == 0;
	if (!ok || !particles)
		return ok;
	const u32 *id = checkpoint_ids(state);
	for (size_t i = 0; ok && id && i < state->particles; i++)
		ok = id[i] < state->ids.end;
	for (size_t i = 0; ok && i < state->array_count; i++)
		ok = are_finite(&state->arrays[i]);
	return ok;
}

static bool decode_checkpoint(char *bytes, size_t length, bool particles, unsigned format,
			      struct checkpoint *c, char reason[FILE_READ_REASON], int *error)
{
	char unknown[METHOD_NAME] = "";
	*reason = '\0';
	hdf5_lock();
	const hid_t file = hdf5_open_bytes(bytes, length, CHECKPOINT_BLOCK);
	bool ok = file >= 0 && read_all(file, particles, format, c, unknown, reason);
	*error = hdf5_out_of_memory() ? ENOMEM : unknown[0] ? ENOTSUP : 0;
	if (*error == ENOMEM)
		file_reason(reason, "does not fit into memory (%zu bytes)", length);
	else if (unknown[0])
		file_reason(reason, "is of the method '%s', which this program does not have",
			    unknown);
	else if (!ok && !*reason)
		file_reason(reason, "is damaged (HDF5 cannot read it)");
	else if (ok && !makes_sense(c, particles))
		ok = file_reason(reason, "is damaged (its contents make no sense)");
	if (file >= 0)
		H5Fclose(file);
	hdf5_unlock();
	return ok;
}

bool checkpoint_read(const char *path, bool particles, struct checkpoint *checkpoint,
		     char reason[FILE_READ_REASON])
{
	size_t length = 0;
	*checkpoint = (struct checkpoint){0};
	char *bytes = file_read(path, SIZE_MAX, &length, reason);
	if (!bytes)
		return false;
	bool whole = false;
	int error = 0;
	unsigned format = 0;
	bool ok = check_bytes(bytes, length, reason, &whole, &format);
	if (ok)
		ok = decode_checkpoint(bytes, length, particles, format, checkpoint, reason,
				       &error);
	else if (whole)
		error = ENOTSUP;
	free(bytes);
	if (!ok)
		checkpoint_free(checkpoint);
	errno = error;
	return ok;
}
