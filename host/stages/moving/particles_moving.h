/* Advection among solids that move. */
#ifndef FRESHET_PARTICLES_MOVING_H
#define FRESHET_PARTICLES_MOVING_H

#include "state.h"

/* As particles_advect(), from where the solids are at the start to where they are at the end. Where
 * solids split cells particles are at their true places then.  lanes: by vectors. */
bool particles_advect_moving(struct sim *sim, bool lanes);

#endif
