/* The level set by spheres about the particles: liquid.surface: spheres. */
#ifndef FRESHET_SPHERES_H
#define FRESHET_SPHERES_H

#include "state.h"

/* sim->phi_raw = the distance to the nearest particle less its radius, 1.02 sqrt(D)/2 cells
 * (Bridson 2015, 7.5): what levelset_phi() makes of densities.  False after reporting. */
bool spheres_make_phi(struct sim *sim);

#endif
