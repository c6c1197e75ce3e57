/* Particles as OpenUSD points: what writing and reading a file of them share. */
#ifndef FRESHET_PARTICLES_USDA_H
#define FRESHET_PARTICLES_USDA_H

#include "particle_formats.h"

/* Arrays of a file that an attribute takes: a row of a matrix each, otherwise 1; numbers of one of
 * them that a particle has. */
size_t usda_arrays(enum particle_attribute attribute);
size_t usda_width(enum particle_attribute attribute);

/* How array `n` of an attribute is declared: "point3f[] points". */
#define USDA_DECLARATION 64
const char *usda_declaration(enum particle_attribute attribute, size_t n,
			     char text[USDA_DECLARATION]);

/* particle_format.read (particle_formats.h). */
enum read_result usda_read(char *bytes, size_t length, struct particle_snapshot *snapshot);

#endif
