/*
 * Friction at walls and solids (docs/method.md, "Friction"): Werner & Wengle (1993) at smooth ones,
 * Nikuradse's law at rough ones.  Nothing where the scene has no wall law.
 */
#ifndef FRESHET_FRICTION_H
#define FRESHET_FRICTION_H

#include "state.h"

/* Makes the buffers, after the solids.  False after reporting. */
bool friction_create(struct sim *sim);
void friction_destroy(struct sim *sim); /* accepts zeros */

/* Of the stage of forces, at its end: sim->slowed, what friction adds in the substep, which goes
 * into u_face; and its sums. */
bool friction_apply(struct sim *sim);
/* Of the stage of pressure, after the projection: delta and u_old are against the velocity before
 * friction. */
bool friction_include(struct sim *sim);

#endif
