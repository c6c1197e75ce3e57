/*
 * The reader of checkpoints.  Length and checksum come first: HDF5 sees a file only after that.
 * Still nothing in it is believed, because anybody can compute a checksum.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint_format.h"
#include "crc64.h"
#include "file_read.h"
#include "hdf5_lock.h"
#include "message.h"

MESSAGE_PRINTF(2, 3)
static bool refuse(char reason[CHECKPOINT_REASON], const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(reason, CHECKPOINT_REASON, format, args);
	va_end(args);
	return false;
}

/* ---- the file as bytes -------------------------------------------------------------------- */

/* Length, checksum and version, in the block of text in front. */
static bool check_bytes(char *bytes, size_t length, char reason[CHECKPOINT_REASON])
{
	static const char title[] = "freshet checkpoint\n";
	char expected[CHECKPOINT_BLOCK], text[CHECKPOINT_BLOCK + 1] = "";
	unsigned format;
	unsigned long long stated, crc;
	if (length == 0)
		return refuse(reason, "is empty");
	if (strncmp(bytes, title, length < sizeof(title) ? length : sizeof(title) - 1) != 0)
		return refuse(reason, "is not a checkpoint of freshet");
	if (length < CHECKPOINT_BLOCK)
		return refuse(reason, "is truncated (%zu bytes)", length);
	memcpy(text, bytes, CHECKPOINT_BLOCK);
	if (sscanf(text + sizeof(title) - 1, "format %u\nbytes %llu\ncrc64 %16llx\n", &format,
		   &stated, &crc) != 3)
		return refuse(reason, "is damaged (its first lines)");
	checkpoint_block(expected, format, stated, crc);
	if (memcmp(expected, bytes, CHECKPOINT_BLOCK) != 0)
		return refuse(reason, "is damaged (its first lines)");
	if (length != stated)
		return refuse(reason, "is %s (%zu bytes instead of %llu)",
			      length < stated ? "truncated" : "damaged", length, stated);
	checkpoint_block(bytes, format, stated, 0);
	if (crc64(0, bytes, length) != crc)
		return refuse(reason, "is damaged (its checksum is wrong)");
	if (format > CHECKPOINT_FORMAT)
		return refuse(reason,
			      "is of a newer version (format %u; this program reads up to %d)",
			      format, CHECKPOINT_FORMAT);
	return format == CHECKPOINT_FORMAT || refuse(reason, "has the unknown format %u", format);
}

/* ---- values ------------------------------------------------------------------------------- */

/* Did the reading that goes on, under hdf5_lock(), want for memory? */
static bool out_of_memory;

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	out_of_memory = out_of_memory || !memory;
	return memory;
}

/* A single number; its class and size must be those of the type. */
static bool read_attribute(hid_t file, const char *group, const char *name, hid_t type, void *value)
{
	const hid_t attribute = H5Aopen_by_name(file, group, name, H5P_DEFAULT, H5P_DEFAULT);
	if (attribute < 0)
		return false;
	const hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
	const bool ok = space >= 0 && stored >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
			H5Tget_class(stored) == H5Tget_class(type) &&
			H5Tget_size(stored) == H5Tget_size(type) &&
			H5Aread(attribute, type, value) >= 0;
	if (stored >= 0)
		H5Tclose(stored);
	if (space >= 0)
		H5Sclose(space);
	H5Aclose(attribute);
	return ok;
}

/* No object is larger than its file, whatever it says: it would be filled in memory. */
static bool fits_file(hid_t object, size_t count, size_t size)
{
	hsize_t bytes = 0;
	const hid_t file = H5Iget_file_id(object);
	const bool ok = file >= 0 && H5Fget_filesize(file, &bytes) >= 0 && size > 0 &&
			count <= (size_t)bytes / size;
	if (file >= 0)
		H5Fclose(file);
	return ok;
}

/* A text without a length of its own, as dataset or attribute. */
static char *read_text(hid_t file, const char *name, bool is_attribute)
{
	const hid_t object = is_attribute
				     ? H5Aopen_by_name(file, ".", name, H5P_DEFAULT, H5P_DEFAULT)
				     : H5Dopen2(file, name, H5P_DEFAULT);
	if (object < 0)
		return NULL;
	const hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object);
	const hid_t space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
	char *text = NULL;
	if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
	    H5Tis_variable_str(type) == 0 && H5Sget_simple_extent_npoints(space) == 1 &&
	    fits_file(object, 1, H5Tget_size(type)))
		text = allocate(1, H5Tget_size(type) + 1);
	const herr_t got = !text ? -1
			   : is_attribute
				   ? H5Aread(object, type, text)
				   : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
	if (got < 0) {
		free(text);
		text = NULL;
	}
	if (type >= 0)
		H5Tclose(type);
	if (space >= 0)
		H5Sclose(space);
	if (is_attribute)
		H5Aclose(object);
	else
		H5Dclose(object);
	return text;
}

/* An array of exactly this shape; a last length of LENGTH_UNKNOWN is found and given back. */
#define LENGTH_UNKNOWN ((hsize_t)-1)
static bool read_array(hid_t file, const char *name, hid_t type, size_t size, int rank,
		       hsize_t *dims, void **data)
{
	hsize_t found[2] = {0, 0};
	const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
	if (set < 0)
		return false;
	const hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
	bool ok = space >= 0 && stored >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
		  H5Sget_simple_extent_dims(space, found, NULL) == rank &&
		  H5Tget_class(stored) == H5Tget_class(type) && H5Tget_size(stored) == size;
	size_t count = 1; /* lengths are below 2^32, and only two */
	for (int i = 0; ok && i < rank; i++) {
		if (i == rank - 1 && dims[i] == LENGTH_UNKNOWN && found[i] < UINT32_MAX)
			dims[i] = found[i];
		ok = found[i] == dims[i] && found[i] < UINT32_MAX;
		count *= (size_t)found[i];
	}
	ok = ok && fits_file(set, count, size) && (*data = allocate(count + 1, size)) != NULL &&
	     H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) >= 0;
	if (stored >= 0)
		H5Tclose(stored);
	if (space >= 0)
		H5Sclose(space);
	H5Dclose(set);
	return ok;
}

static bool read_numbers(hid_t file, struct checkpoint *c)
{
	for (size_t i = 0; i < checkpoint_number_count; i++) {
		const struct checkpoint_number *number = &checkpoint_numbers[i];
		if (!read_attribute(file, number->group, number->name,
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
	bool ok = read_array(file, "particles/position", H5T_NATIVE_FLOAT, sizeof(f32), 2, vector,
			     (void **)&p->position) &&
		  read_array(file, "particles/velocity", H5T_NATIVE_FLOAT, sizeof(f32), 2, vector,
			     (void **)&p->velocity) &&
		  read_array(file, "particles/id", H5T_NATIVE_UINT32, sizeof(u32), 1, &n,
			     (void **)&p->id) &&
		  read_array(file, "particles/first_id", H5T_NATIVE_UINT32, sizeof(u32), 1,
			     &liquids, &first_id);
	if (ok)
		memcpy(p->first_id, first_id, sizeof(p->first_id));
	free(first_id);
	if (ok && c->has_affine)
		ok = read_array(file, "particles/affine", H5T_NATIVE_FLOAT, sizeof(f32), 2, matrix,
				(void **)&p->affine);
	return ok;
}

static bool read_frames(hid_t file, struct summary *s)
{
	hsize_t n = LENGTH_UNKNOWN;
	void *frame = NULL, *substeps = NULL, *time = NULL, *seconds = NULL, *hash = NULL;
	bool ok = read_array(file, "frames/frame", H5T_NATIVE_INT32, 4, 1, &n, &frame) &&
		  read_array(file, "frames/substeps", H5T_NATIVE_INT32, 4, 1, &n, &substeps) &&
		  read_array(file, "frames/time", H5T_NATIVE_DOUBLE, 8, 1, &n, &time) &&
		  read_array(file, "frames/seconds", H5T_NATIVE_DOUBLE, 8, 1, &n, &seconds) &&
		  read_array(file, "frames/hash", H5T_NATIVE_UINT64, 8, 1, &n, &hash) &&
		  (s->frames = allocate((size_t)n + 1, sizeof(*s->frames))) != NULL;
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

static bool read_all(hid_t file, bool particles, struct checkpoint *c)
{
	i32 warned;
	hsize_t resumed = LENGTH_UNKNOWN;
	bool ok = (c->version = read_text(file, "version", true)) &&
		  (c->git = read_text(file, "git", true)) &&
		  (c->scene = read_text(file, "scene", false)) &&
		  (c->warnings = read_text(file, "run/warnings", false)) &&
		  read_attribute(file, ".", "dim", H5T_NATIVE_INT32, &c->dim) &&
		  (c->dim == 2 || c->dim == 3) &&
		  read_attribute(file, ".", "limit_warned", H5T_NATIVE_INT32, &warned) &&
		  read_numbers(file, c) && read_frames(file, &c->summary) &&
		  read_array(file, "run/resumed_at", H5T_NATIVE_INT32, 4, 1, &resumed,
			     (void **)&c->resumed_at);
	if (!ok)
		return false;
	c->limit_warned = warned != 0;
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
	if (!ok || !particles)
		return ok;
	for (size_t l = 0; ok && l < 64; l++)
		ok = p->first_id[l] <= p->first_id[l + 1];
	for (size_t i = 0; ok && i < n; i++)
		ok = p->id[i] < p->first_id[64];
	return ok && are_finite(p->position, d * n) && are_finite(p->velocity, d * n) &&
	       are_finite(p->affine, d * d * n);
}

static bool decode(char *bytes, size_t length, bool particles, struct checkpoint *c,
		   char reason[CHECKPOINT_REASON], bool *memory_short)
{
	hdf5_lock();
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
	hid_t file = -1;
	if (access >= 0 && H5Pset_fapl_core(access, CHECKPOINT_BLOCK, false) >= 0 &&
	    H5Pset_file_image(access, bytes, length) >= 0)
		file = H5Fopen(CHECKPOINT_NO_FILE, H5F_ACC_RDONLY, access);
	out_of_memory = false;
	bool ok = file >= 0 && read_all(file, particles, c);
	*memory_short = out_of_memory;
	if (out_of_memory)
		refuse(reason, "does not fit into memory (%zu bytes)", length);
	else if (!ok)
		refuse(reason, "is damaged (HDF5 cannot read it)");
	else if (!makes_sense(c, particles))
		ok = refuse(reason, "is damaged (its contents make no sense)");
	if (file >= 0)
		H5Fclose(file);
	if (access >= 0)
		H5Pclose(access);
	hdf5_unlock();
	return ok;
}

bool checkpoint_read(const char *path, bool particles, struct checkpoint *checkpoint,
		     char reason[CHECKPOINT_REASON])
{
	size_t length = 0;
	*checkpoint = (struct checkpoint){0};
	char *bytes = file_read(path, SIZE_MAX, &length, reason);
	if (!bytes)
		return false;
	bool ok = check_bytes(bytes, length, reason), memory_short = false;
	if (ok)
		ok = decode(bytes, length, particles, checkpoint, reason, &memory_short);
	free(bytes);
	if (!ok)
		checkpoint_free(checkpoint);
	errno = memory_short ? ENOMEM : 0;
	return ok;
}
