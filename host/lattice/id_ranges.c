#include "id_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

void id_ranges_free(struct id_ranges *ranges)
{
	free(ranges->range);
	*ranges = (struct id_ranges){0};
}

static bool make_room(struct id_ranges *r, size_t room)
{
	if (room <= r->room)
		return true;
	const size_t more = room > 2 * r->room ? room : 2 * r->room;
	struct id_range *range = realloc(r->range, more * sizeof(*range));
	if (!range)
		return message_memory(more * sizeof(*range), "the liquids of particles");
	r->range = range;
	r->room = more;
	return true;
}

bool id_ranges_add(struct id_ranges *r, u32 count, uint8_t liquid)
{
	if (count == 0)
		return true;
	if (r->count == 0 || r->range[r->count - 1].liquid != liquid) {
		if (!make_room(r, r->count + 1))
			return false;
		r->range[r->count++] = (struct id_range){r->end, liquid};
	}
	r->end += count;
	return true;
}

bool id_ranges_copy(struct id_ranges *to, const struct id_ranges *from)
{
	to->count = 0;
	to->end = from->end;
	if (!make_room(to, from->count))
		return false;
	if (from->count > 0)
		memcpy(to->range, from->range, from->count * sizeof(*to->range));
	to->count = from->count;
	return true;
}

uint8_t id_ranges_liquid(const struct id_ranges *r, u32 id)
{
	size_t low = 0, high = r->count;
	while (high > low + 1) {
		const size_t middle = low + (high - low) / 2;
		if (r->range[middle].first <= id)
			low = middle;
		else
			high = middle;
	}
	return r->count > 0 ? r->range[low].liquid : 0;
}

void id_ranges_cut(struct id_ranges *ranges, size_t count, u32 end)
{
	ranges->count = count;
	ranges->end = end;
}
