/* The level set of a grid at the start. */
#ifndef FRESHET_GRID_LEVELSET_SEED_H
#define FRESHET_GRID_LEVELSET_SEED_H

#include "state.h"

/* The scene's liquids as a distance, sim->levelset.phi, and C below it; their velocity, free of
 * divergence.  Near walls, too, it is the distance to the surface, not to the shape.  False after
 * reporting. */
bool grid_levelset_seed(struct sim *sim);

#endif
