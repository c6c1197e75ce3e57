/* The correction of the density of particles. */
#ifndef FRESHET_DRIFT_H
#define FRESHET_DRIFT_H

#include "state.h"

/* Positions moved apart where particles crowd. */
bool drift_correct(struct sim *sim);
/* drift `push` and `springs`: the mean density of cells inside the liquid, after the sort of the
 * start, into sim->neighbours.rest, as a share of a full cell; 1 if there are none.  Nothing for
 * the others. */
bool drift_measure_rest(struct sim *sim);
/* drift `density`, `push` and `springs`: adds the target divergence to the pressure solve's
 * right-hand side; nothing for the others. */
bool drift_add_divergence(struct sim *sim);

#endif
