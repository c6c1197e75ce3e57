/* Velocities beyond the faces that have them. */
#ifndef FRESHET_EXTRAPOLATE_H
#define FRESHET_EXTRAPOLATE_H

#include "state.h"

/* Before the projection, 3 layers; after it, sim->layers, and the condition at closed faces. */
bool extrapolate_known(struct sim *sim);
bool extrapolate_projected(struct sim *sim);
/* `layers` passes over a field (f32 [D][L]) and, if not NULL, a second one.  `valid` (u8 [L]) is
 * the mask; sim->valid_next is scratch. */
bool extrapolate_field(struct sim *sim, union f32_buffer *field, union f32_buffer *second,
		       int layers, union u8_buffer *valid);

#endif
