/* Reads particles back from OpenUSD files. */
#ifndef FRESHET_PARTICLES_USDA_READ_H
#define FRESHET_PARTICLES_USDA_READ_H

#include "particle_formats.h"

/* particle_format.read (particle_formats.h). */
enum read_result usda_read(char *bytes, size_t length, struct particle_snapshot *snapshot);

#endif
