/*
 * Emitters.  docs/method.md, "Emitters".
 */
#ifndef FRESHET_EMITTERS_H
#define FRESHET_EMITTERS_H

#include "state.h"

/* Makes the buffers of the scene's emitters.  False after reporting. */
bool emitters_create(struct sim *sim);
void emitters_destroy(struct sim *sim); /* accepts zeros */

/* Particles that the emitters of the scene may bring in the next substep, at most. */
double emitters_room(const struct sim *sim);
/* Those of emitters that are filled once, by the boxes around their shapes, and once of those that
 * are kept full; no device is needed. */
double emitters_estimate(const struct scene *scene);
/* Greatest speed of what they bring at times from t to t + dt, m/s. */
double emitters_speed(const struct scene *scene, double t, double dt);

/* Of the stage of sources: fills what is to be filled, behind the other particles; adds to what
 * sim->sources tells of them. */
bool emitters_emit(struct sim *sim);
/* Enters them into the ledger, once the substep counts. */
bool emitters_accept(struct sim *sim);

#endif
