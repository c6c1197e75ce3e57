#include "stage_hash.h"

#include <stdlib.h>
#include <string.h>

#include "crc64.h"
#include "message.h"
#include "stages.h"
#include "step_table.h"

/* Fields of struct sim that a stage writes; none: the particles. */
struct written {
	const char *stage;
	size_t fields[4]; /* offsets, 0 ends the list */
};

#define MEMBER(name) offsetof(struct sim, name)

static const struct written table[] = {
	{"p2g", {MEMBER(u_face), MEMBER(valid)}},
	{"levelset", {MEMBER(phi), MEMBER(cell_type)}},
	{"extrapolate_known", {MEMBER(u_face), MEMBER(valid)}},
	{"forces", {MEMBER(u_face), MEMBER(u_old)}},
	{"pressure", {MEMBER(u_face), MEMBER(valid), MEMBER(pressure), MEMBER(opened)}},
	{"extrapolate", {MEMBER(u_face), MEMBER(valid)}},
};

/* In words: fields of bytes hold no 0x80000000, as their highest bits are not used. */
static void drop_signs_of_zero(u32 *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (words[i] == 0x80000000u)
			words[i] = 0;
}

static bool add_field(struct sim *sim, const struct clx_buffer *buffer, u64 *hash)
{
	u32 *words = calloc(buffer->bytes / sizeof(u32) + 1, sizeof(u32));
	if (!words)
		return message_memory(buffer->bytes + sizeof(u32),
				      "a field to hash; fewer domain.cells or particles need less");
	const bool ok = clx_read_raw(sim->cl, buffer, 0, buffer->bytes, words);
	/* Of valid, what is known of faces; walls are marked in listed bricks only. */
	for (size_t i = 0; buffer == &sim->valid.raw && i < buffer->bytes / sizeof(u32) + 1; i++)
		words[i] &= 0x07070707;
	if (ok) {
		drop_signs_of_zero(words, buffer->bytes / sizeof(u32));
		*hash = crc64(*hash, words, buffer->bytes);
	}
	free(words);
	return ok;
}

bool stage_hash(struct sim *sim, size_t stage, u64 *hash)
{
	const char *name = sim_stage_name(stage);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(name, table[i].stage) != 0)
			continue;
		*hash = 0;
		for (size_t f = 0; f < 4 && table[i].fields[f]; f++) {
			const void *field = (const char *)sim + table[i].fields[f];
			if (!add_field(sim, field, hash))
				return false;
		}
		return true;
	}
	return statistics_hash(sim, sim->frame, hash);
}
