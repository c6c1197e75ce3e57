/*
 * The reader of checkpoints.  Length and checksum come first: HDF5 sees a file only after that.
 * Still nothing in it is believed, because anybody can compute a checksum.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint_format.h"
#include "crc64.h"
#include "file_read.h"
#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "message.h"

/* ---- the file as bytes -------------------------------------------------------------------- */

/* Length, checksum and version, in the block of text in front.  *whole: all but the version is
 * right. */
static bool check_bytes(char *bytes, size_t length, char reason[FILE_READ_REASON], bool *whole)
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
	return format == CHECKPOINT_FORMAT ||
	       file_reason(reason,
			   "is of an older version (format %u; this program reads and writes %d)",
			   format, CHECKPOINT_FORMAT);
}

/* ---- values ------------------------------------------------------------------------------- */

static bool read_numbers(hid_t file, struct checkpoint *c)
{
	for (size_t i = 0; i < checkpoint_number_count; i++) {
		const struct checkpoint_number *number = &checkpoint_numbers[i];
		if (!hdf5_read_attribute(file, number->group, number->name,
					 checkpoint_memory_type(number->type),
					 (char *)c + number->offset))
			return false;
	}
	return true;
}

static bool read_particles(hid_t file, struct checkpoint *c)
{
	struct checkpoint_particles *p = &c->particles;
	const hsize_t d = (hsize_t)c->dim;
	hsize_t n = p->count, vector[2] = {d, n}, matrix[2] = {d * d, n}, liquids = 65;
	void *first_id = NULL;
	bool ok = hdf5_read_array(file, "particles/position", H5T_NATIVE_FLOAT, sizeof(f32), 2,
				  vector, (void **)&p->position) &&
		  hdf5_read_array(file, "particles/velocity", H5T_NATIVE_FLOAT, sizeof(f32), 2,
				  vector, (void **)&p->velocity) &&
		  hdf5_read_array(file, "particles/id", H5T_NATIVE_UINT32, sizeof(u32), 1, &n,
				  (void **)&p->id) &&
		  hdf5_read_array(file, "particles/first_id", H5T_NATIVE_UINT32, sizeof(u32), 1,
				  &liquids, &first_id);
	if (ok)
		memcpy(p->first_id, first_id, sizeof(p->first_id));
	free(first_id);
	if (ok && c->has_affine)
		ok = hdf5_read_array(file, "particles/affine", H5T_NATIVE_FLOAT, sizeof(f32), 2,
				     matrix, (void **)&p->affine);
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

static bool read_ledger(hid_t file, struct checkpoint *c)
{
	hsize_t n = LEDGER_NUMBERS;
	void *accounts = NULL;
	const bool ok = hdf5_read_array(file, "ledger/accounts", H5T_NATIVE_DOUBLE, sizeof(double),
					1, &n, &accounts);
	if (ok)
		memcpy(&c->ledger.accounts, accounts, sizeof(c->ledger.accounts));
	free(accounts);
	return ok;
}

/* A number that earlier files of this format do not have. */
static bool read_later(hid_t file, const char *name, i32 *value)
{
	return H5Aexists(file, name) == 0 ||
	       hdf5_read_attribute(file, ".", name, H5T_NATIVE_INT32, value);
}

static bool read_all(hid_t file, bool particles, struct checkpoint *c)
{
	i32 warned, parts = 0, tiny = 0;
	hsize_t resumed = HDF5_LENGTH_UNKNOWN;
	bool ok = (c->version = hdf5_read_text(file, "version", true)) &&
		  (c->git = hdf5_read_text(file, "git", true)) &&
		  (c->scene = hdf5_read_text(file, "scene", false)) &&
		  (c->warnings = hdf5_read_text(file, "run/warnings", false)) &&
		  hdf5_read_attribute(file, ".", "dim", H5T_NATIVE_INT32, &c->dim) &&
		  (c->dim == 2 || c->dim == 3) &&
		  hdf5_read_attribute(file, ".", "limit_warned", H5T_NATIVE_INT32, &warned) &&
		  read_later(file, "parts_warned", &parts) &&
		  read_later(file, "tiny_warned", &tiny) && read_numbers(file, c) &&
		  read_ledger(file, c) && read_frames(file, &c->summary) &&
		  hdf5_read_array(file, "run/resumed_at", H5T_NATIVE_INT32, 4, 1, &resumed,
				  (void **)&c->resumed_at);
	if (!ok)
		return false;
	c->limit_warned = warned != 0;
	c->parts_warned = parts != 0;
	c->tiny_warned = tiny != 0;
	c->resumed_count = (size_t)resumed;
	c->has_affine = H5Lexists(file, "particles/affine", H5P_DEFAULT) > 0;
	return !particles || read_particles(file, c);
}

/* ---- sense -------------------------------------------------------------------------------- */

static bool are_finite(const f32 *values, size_t count)
{
	for (size_t i = 0; values && i < count; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

static bool makes_sense(const struct checkpoint *c, bool particles)
{
	const struct checkpoint_particles *p = &c->particles;
	const struct summary *s = &c->summary;
	const size_t d = (size_t)c->dim, n = p->count;
	bool ok = c->frame >= 0 && c->substep >= 0 && isfinite(c->time) && c->time >= 0 &&
		  isfinite(c->grid_speed) && c->grid_speed >= 0 && p->count <= SIM_MAX_PARTICLES &&
		  s->frame_count == (size_t)c->frame + 1 && isfinite(c->seconds);
	for (size_t i = 0; ok && i < s->frame_count; i++)
		ok = s->frames[i].frame == (int)i;
	ok = ok && (u64)c->ledger.seeded + c->ledger.loaded <= SIM_MAX_PARTICLES;
	if (!ok || !particles)
		return ok;
	for (size_t l = 0; ok && l < 64; l++)
		ok = p->first_id[l] <= p->first_id[l + 1];
	for (size_t i = 0; ok && i < n; i++)
		ok = p->id[i] < p->first_id[64];
	return ok && are_finite(p->position, d * n) && are_finite(p->velocity, d * n) &&
	       are_finite(p->affine, d * d * n);
}

static bool decode_checkpoint(char *bytes, size_t length, bool particles, struct checkpoint *c,
			      char reason[FILE_READ_REASON], bool *memory_short)
{
	hdf5_lock();
	const hid_t file = hdf5_open_bytes(bytes, length, CHECKPOINT_BLOCK);
	bool ok = file >= 0 && read_all(file, particles, c);
	*memory_short = hdf5_out_of_memory();
	if (*memory_short)
		file_reason(reason, "does not fit into memory (%zu bytes)", length);
	else if (!ok)
		file_reason(reason, "is damaged (HDF5 cannot read it)");
	else if (!makes_sense(c, particles))
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
	bool whole = false, memory_short = false;
	bool ok = check_bytes(bytes, length, reason, &whole);
	const bool other_version = whole && !ok;
	if (ok)
		ok = decode_checkpoint(bytes, length, particles, checkpoint, reason, &memory_short);
	free(bytes);
	if (!ok)
		checkpoint_free(checkpoint);
	errno = memory_short ? ENOMEM : other_version ? ENOTSUP : 0;
	return ok;
}
