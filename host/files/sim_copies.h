/* What surfaces, pictures, probes and files take from a simulation, and what files give back. */
#ifndef FRESHET_SIM_COPIES_H
#define FRESHET_SIM_COPIES_H

#include "grid_copy.h"
#include "sim_view.h"
#include "subject.h"

/* Good as long as the simulation. */
struct subject subject_of(const struct sim *sim);

/* Copies of the fields `wanted`, bits of enum scene_field.  False after reporting; what was read is
 * to be freed all the same. */
bool grid_copy_read(const struct sim *sim, unsigned wanted, struct grid_copy *copy);
/* Puts the fields at cell centres that are there into the simulation, for pictures: not to go on
 * from.  False after reporting. */
bool grid_copy_load(const struct grid_copy *copy, struct sim *sim);

#endif
