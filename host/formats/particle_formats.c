#include "particle_formats.h"

#define ROW(KIND, name) &particle_format_##name,
const struct particle_format *const particle_formats[PARTICLE_FORMAT_COUNT] = {
	PARTICLE_FORMATS(ROW)};
