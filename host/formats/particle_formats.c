#include "particle_formats.h"

#include <stdlib.h>

#define ROW(KIND, name) &particle_format_##name,
const struct particle_format *const particle_formats[PARTICLE_FORMAT_COUNT] = {
	PARTICLE_FORMATS(ROW)};

void joined_frames_free(struct joined_frames *joined)
{
	free(joined->frame);
	free(joined->particles);
	*joined = (struct joined_frames){0};
}
