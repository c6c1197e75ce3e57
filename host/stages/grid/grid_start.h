/* The velocity of liquid on the grid at the start. */
#ifndef FRESHET_GRID_START_H
#define FRESHET_GRID_START_H

#include "state.h"

/* Makes the velocity that vof_seed() has left free of divergence, as it moves liquid before it is
 * projected next: where liquids move, in its liquid, C >= 1/2.  sim->grid_speed is then its
 * greatest component.  False after reporting. */
bool grid_start_velocity(struct sim *sim);

#endif
