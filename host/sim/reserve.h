/* Room for more particles, in the middle of a simulation. */
#ifndef FRESHET_RESERVE_H
#define FRESHET_RESERVE_H

#include "state.h"

/*
 * Makes room for `capacity` particles at least, between substeps; those that are there keep their
 * places, and no bit of what follows changes.  Old and new buffers of particles exist
 * together.  Pictures and surfaces are as large as the simulation was when they were made: make
 * them anew.  False after reporting: the simulation is then as it was.
 */
bool sim_reserve(struct sim *sim, u32 capacity);

/* The same for what inflows bring until the end of the frame, and outflows and emitters in the next
 * substep: at the start of a simulation there is room up to the scene's last frame for what is
 * known.  Refuses what may need more ids than a run has, SIM_MAX_PARTICLES. */
bool sim_reserve_for_inflows(struct sim *sim);

#endif
