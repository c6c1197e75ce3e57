/* The time step of a substep. */
#ifndef FRESHET_TIMESTEP_H
#define FRESHET_TIMESTEP_H

#include "state.h"

/* With a fixed dt no particle may move further than this in a substep, in cells. */
#define FIXED_DT_CELLS 2.0

/* dt of this substep (docs/method.md, "Time step"): the longest that the method takes, halved where
 * it failed, so that steps end with the frame. */
bool timestep_choose(struct sim *sim);
/* The longest step at the speed sim->u_max, s: cfl and forces; gravity is that of now.  With a
 * fixed dt nothing may move further than `cells`. */
void timestep_limit(struct sim *sim, double cells, double *dt);
/* The longest step from the speeds of particles and grid at its start, s: cfl and forces. */
bool timestep_by_speed(struct sim *sim, double *dt);

#endif
