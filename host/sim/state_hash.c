#include "state_hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "crc64.h"
#include "fault.h"
#include "field_access.h"
#include "message.h"
#include "native/native_kernels.h"

u64 state_hash(int dim, int frame, u32 count, f32 *position, f32 *velocity, f32 *affine, u32 *id)
{
	const size_t one[3] = {1, 1, 1};
	u32 number = (u32)frame;
	i32 has_affine = affine != NULL, n = (i32)count, items = 1;
	u64 hash = 0;
	void *const arguments[] = {&number, position, velocity, affine, &has_affine, id,
				   &n,	    &n,	      &items,	&n,	&hash};
	native_run(dim, K_reduce_hash, one, one, arguments);
	return hash;
}

/* By name, so that the order of the fields does not count. */
static const struct saved_array *array_named(const struct saved_array *arrays, size_t count,
					     const char *name)
{
	static const struct saved_array none;
	for (size_t i = 0; i < count; i++)
		if (strcmp(arrays[i].field->saved, name) == 0)
			return &arrays[i];
	return &none;
}

bool state_hash_particles(int dim, int frame, const struct saved_array *arrays, size_t count,
			  u64 *hash)
{
	const struct saved_array *id = array_named(arrays, count, "particles/id");
	const struct saved_array *affine = array_named(arrays, count, "particles/affine");
	*hash = state_hash(dim, frame, (u32)id->count,
			   array_named(arrays, count, "particles/position")->data,
			   array_named(arrays, count, "particles/velocity")->data,
			   affine->components > 0 ? affine->data : NULL, id->data);
	return true;
}

/* ---- of fields ---------------------------------------------------------------------------- */

static void hash_words(u32 *words, size_t count, bool real, u64 *hash)
{
	for (size_t i = 0; real && i < count; i++)
		if (words[i] == 0x80000000u)
			words[i] = 0;
	*hash = crc64(*hash, words, count * sizeof(*words));
}

static u64 hash_of_frame(int frame)
{
	return crc64(0, &frame, sizeof(frame));
}

bool state_hash_arrays(int dim, int frame, const struct saved_array *arrays, size_t count,
		       u64 *hash)
{
	(void)dim;
	return state_hash_grid_arrays(frame, arrays, count, hash);
}

bool state_hash_grid_arrays(int frame, const struct saved_array *arrays, size_t count, u64 *hash)
{
	*hash = hash_of_frame(frame);
	for (size_t i = 0; i < count; i++) {
		if (sim_field_of_particles(arrays[i].field))
			continue;
		const size_t numbers = arrays[i].components * arrays[i].count;
		u32 *words = malloc((numbers + 1) * sizeof(*words));
		if (!words)
			return message_memory(numbers * sizeof(*words), "the hash of a state");
		memcpy(words, arrays[i].data, numbers * sizeof(*words));
		hash_words(words, numbers, arrays[i].field->type == FIELD_F32, hash);
		free(words);
	}
	return true;
}

/* A component of it after the other, as checkpoints hold it. */
static bool hash_field(struct sim *sim, const struct sim_field *field, u64 *hash)
{
	const size_t points = (size_t)sim->lattice.grid.lattice;
	const size_t count = field->shape == SHAPE_FACES ? points * (size_t)sim->dim : points;
	u32 *words = clx_read_copy_raw(sim->cl, sim_buffer(sim, field), count * sizeof(*words));
	if (words)
		hash_words(words, count, field->type == FIELD_F32, hash);
	free(words);
	return words != NULL;
}

bool state_hash_grid(struct sim *sim, int frame, u64 *hash)
{
	const struct method *m = sim->method;
	*hash = hash_of_frame(frame);
	for (size_t i = 0; i < m->field_count; i++)
		if (m->fields[i].saved && !sim_field_of_particles(&m->fields[i]) &&
		    !hash_field(sim, &m->fields[i], hash))
			return false;
	return true;
}

bool state_hash_fields(struct sim *sim, int frame, u64 *hash)
{
	const struct method *m = sim->method;
	for (size_t i = 0; i < m->field_count; i++)
		if (m->fields[i].saved && sim_field_of_particles(&m->fields[i]))
			return message_error("the field '%s' is of particles: its method must hash "
					     "it",
					     m->fields[i].name);
	if (!state_hash_grid(sim, frame, hash))
		return false;
	if (fault_is_due(FAULT_HASH))
		*hash ^= 1;
	return true;
}

/* ---- of what files hold ------------------------------------------------------------------- */

/* Component after component, as kernels have them.  Returns the end. */
static f32 *by_component(const struct particle_snapshot *s, enum particle_attribute a, size_t dim,
			 f32 *to)
{
	const f32 *from = particle_values(s, a);
	const size_t width = attribute_width(a);
	for (size_t c = 0; c < attribute_columns(a, dim); c++)
		for (size_t i = 0; i < s->count; i++)
			*to++ = from[i * width + attribute_place(dim, c)];
	return to;
}

bool state_hash_snapshot(int dim, int frame, const struct particle_snapshot *s, u64 *hash)
{
	const size_t d = (size_t)dim, most = attribute_bytes(particle_snapshot_has(s)) * s->count;
	f32 *values = malloc(most + 1), *end = values;
	f32 *of[ATTRIBUTE_COUNT] = {NULL};
	if (!values)
		return message_memory(most, "the hash of particles");
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (attribute_rows[a].type == ATTRIBUTE_F32 && s->values[a]) {
			of[a] = end;
			end = by_component(s, a, d, end);
		}
	*hash = state_hash(dim, frame, (u32)s->count, of[ATTRIBUTE_POSITION],
			   of[ATTRIBUTE_VELOCITY], of[ATTRIBUTE_AFFINE], particle_ids(s));
	free(values);
	return true;
}

bool state_hash_blame_device(const struct sim *sim, int frame, u64 on_device, u64 on_host)
{
	return message_error("device '%s' stores or hashes wrongly: the state of frame %d has the "
			     "hash %016" PRIx64 " there, but %016" PRIx64
			     " on the host, as it must.  The files are sound; take another device "
			     "(-d; 'freshet devices' lists them), 'freshet doctor' tells what is "
			     "wrong with this one",
			     clx_info(sim->cl)->name, frame, on_device, on_host);
}
