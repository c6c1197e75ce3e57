/* What the rows of a method's fields stand for in a simulation. */
#ifndef FRESHET_FIELD_ACCESS_H
#define FRESHET_FIELD_ACCESS_H

#include "state.h"

/* The field of a member of struct sim; NULL if the method has none. */
const struct sim_field *method_field(const struct method *method, size_t member);

/* The buffer of a field that is no SHAPE_HOST. */
struct clx_buffer *sim_buffer(struct sim *sim, const struct sim_field *field);
/* Its elements; 0: an empty one. */
size_t sim_field_elements(const struct sim *sim, const struct sim_field *field);
/* Is it an array of particles, whose length is known after the grid's? */
bool sim_field_of_particles(const struct sim_field *field);

#endif
