/* Particles at the points that a liquid starts with. */
#ifndef FRESHET_SEED_POINTS_H
#define FRESHET_SEED_POINTS_H

#include "state.h"

/* Writes those of a liquid behind the `first` particles that there are, with their ids, velocities
 * and the liquid's: *count of them.  What is outside of the box, in solids or in the shape of an
 * earlier liquid is left out, which is told.  False after reporting. */
bool seed_points(struct sim *sim, size_t liquid, u32 first, u32 *count);

#endif
