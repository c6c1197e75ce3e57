/* The stages that move particles. */
#ifndef FRESHET_PARTICLES_H
#define FRESHET_PARTICLES_H

#include "state.h"

/* Sort into canonical order; bounds and occupancy into host_scalars. */
bool particles_sort(struct sim *sim);
/* x(t+dt) through the grid velocity, swept collision. */
bool particles_advect(struct sim *sim);
/* Reports the first particle that is not finite, by id; always false. */
bool particles_report_non_finite(struct sim *sim);
/* Gives the unsorted state of the substep's start back (rollback); the host's view of it only, so
 * that it cannot fail. */
void particles_restore(struct sim *sim);
/* Do kernels take particles that collide in vectors, in which many paths are one work-item's? */
bool particles_collide_in_lanes(const struct sim *sim);

#endif
