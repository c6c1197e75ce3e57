/* Velocities without convergence, places without excess (docs/method.md, "Smoothed particles"). */
#ifndef FRESHET_SPH_PROJECTION_H
#define FRESHET_SPH_PROJECTION_H

#include "state.h"

/* v += dt a, a of pressures that keep particles from coming nearer to each other; or, with an
 * equation of state, of what that says.  sim->step_failed where the solve ends with what is not
 * finite.  False after reporting. */
bool sph_project(struct sim *sim);
/* sph.change: where particles are to be moved to by where they are too dense; nothing with an
 * equation of state.  False after reporting. */
bool sph_find_shift(struct sim *sim);
/* sph.product = A sph.direction, of sorted particles whose neighbours and densities are known: for
 * tests.  False after reporting. */
bool sph_multiply(struct sim *sim);

#endif
