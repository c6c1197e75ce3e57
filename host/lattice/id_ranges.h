/* Which ids were given to the particles of which liquid.  Ids ascend as particles are created and
 * are given once; a range is a run of them for one liquid. */
#ifndef FRESHET_ID_RANGES_H
#define FRESHET_ID_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "shared.h"

struct id_range {
	u32 first;	/* up to the next range's, or to the end */
	uint8_t liquid; /* index in the scene's liquids */
};

/* Zeroed = none.  Owns its array. */
struct id_ranges {
	struct id_range *range; /* [count], first ascends */
	size_t count, room;
	u32 end; /* the next id to be given */
};

void id_ranges_free(struct id_ranges *ranges); /* leaves it empty */
/* The next `count` ids are of this liquid; nothing if 0.  False after reporting. */
bool id_ranges_add(struct id_ranges *ranges, u32 count, uint8_t liquid);
/* Forgets all ids from `end` on, which began after the first `count` ranges, or in the last of
 * them. */
void id_ranges_cut(struct id_ranges *ranges, size_t count, u32 end);
/* False after reporting; What *to had is replaced. */
bool id_ranges_copy(struct id_ranges *to, const struct id_ranges *from);
/* The liquid of an id; that of the last range beyond the end, 0 if there is none. */
uint8_t id_ranges_liquid(const struct id_ranges *ranges, u32 id);

#endif
