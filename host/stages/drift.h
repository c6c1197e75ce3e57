/* The correction of the density of particles. */
#ifndef FRESHET_DRIFT_H
#define FRESHET_DRIFT_H

#include "state.h"

/* Positions moved apart where particles crowd. */
bool drift_correct(struct sim *sim);
/* drift `density`: adds the target divergence to the pressure solve's right-hand side; nothing for
 * the others. */
bool drift_add_divergence(struct sim *sim);

#endif
