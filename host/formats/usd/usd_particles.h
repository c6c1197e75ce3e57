/* Particles as OpenUSD points: how their attributes are called and declared there. */
#ifndef FRESHET_USD_PARTICLES_H
#define FRESHET_USD_PARTICLES_H

#include "particle_attributes.h"

/* Arrays of a file that an attribute takes: a row of a matrix each, otherwise 1; numbers of one of
 * them that a particle has. */
size_t usda_arrays(enum particle_attribute attribute);
size_t usda_width(enum particle_attribute attribute);

/* How array `n` of an attribute is declared: "point3f[] points". */
#define USDA_DECLARATION 64
const char *usda_declaration(enum particle_attribute attribute, size_t n,
			     char text[USDA_DECLARATION]);

#endif
