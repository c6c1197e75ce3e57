#include "stage_hash.h"

#include <stdlib.h>

#include "crc64.h"
#include "field_access.h"
#include "message.h"

/* In words: fields of bytes hold no 0x80000000, as their highest bits are not used. */
static void drop_signs_of_zero(u32 *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (words[i] == 0x80000000u)
			words[i] = 0;
}

static bool add_field(struct sim *sim, const struct sim_field *field, u64 *hash)
{
	const struct clx_buffer *buffer = sim_buffer(sim, field);
	u32 *words = calloc(buffer->bytes / sizeof(u32) + 1, sizeof(u32));
	if (!words)
		return message_memory(buffer->bytes + sizeof(u32),
				      "a field to hash; fewer domain.cells or particles need less");
	const bool ok = clx_read_raw(sim->cl, buffer, 0, buffer->bytes, words);
	for (size_t i = 0; field->hash_mask && i < buffer->bytes / sizeof(u32) + 1; i++)
		words[i] &= field->hash_mask;
	if (ok) {
		drop_signs_of_zero(words, buffer->bytes / sizeof(u32));
		*hash = crc64(*hash, words, buffer->bytes);
	}
	free(words);
	return ok;
}

static bool moves_particles(const struct stage *stage)
{
	const struct field_use *use = stage->writes;
	while (use->member && use->member != offsetof(struct sim, particles.now.position))
		use++;
	return use->member != 0;
}

bool stage_hash(struct sim *sim, size_t stage, u64 *hash)
{
	const struct method *m = sim->method;
	bool of_state = true;
	*hash = 0;
	if (moves_particles(&m->stages[stage]))
		return sim_hash(sim, sim->frame, hash);
	for (const struct field_use *use = m->stages[stage].writes; use->member; use++) {
		const struct sim_field *field = method_field(m, use->member);
		if (!field->hashed)
			continue;
		of_state = false;
		if (!add_field(sim, field, hash))
			return false;
	}
	return !of_state || sim_hash(sim, sim->frame, hash);
}
