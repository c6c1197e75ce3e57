/* The liquid of a grid at the start. */
#ifndef FRESHET_VOF_SEED_H
#define FRESHET_VOF_SEED_H

#include "state.h"

/* Fills C from the shapes of the scene's liquids, which count as one, and the faces near them with
 * the velocity of the nearest: sim->vof.volume, u_face, valid.  False after reporting. */
bool vof_seed(struct sim *sim);
/* The sum of C that vof_seed() makes.  sim->vof.before and u_before, which are of an attempt at a
 * substep, lose what they hold.  False after reporting. */
bool vof_seeded_units(struct sim *sim, int64_t *units);

#endif
