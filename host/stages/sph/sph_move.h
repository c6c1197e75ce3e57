/* What moves smoothed particles (docs/method.md, "Smoothed particles"). */
#ifndef FRESHET_SPH_MOVE_H
#define FRESHET_SPH_MOVE_H

#include "state.h"

/* The greatest step: `time`, sound, and `time.cfl` spacings.  False after reporting. */
bool sph_longest_step(struct sim *sim, double *dt);
/* v takes over of its neighbours', and what forces add.  False after reporting. */
bool sph_apply_forces(struct sim *sim);
/* x += dt v + shift; walls.  False after reporting. */
bool sph_advect(struct sim *sim);

#endif
