/*
 * Force fields.  docs/method.md, "Force fields".
 */
#ifndef FRESHET_FORCE_FIELDS_H
#define FRESHET_FORCE_FIELDS_H

#include "state.h"

/* Makes the buffers of the scene's fields, if it has some.  False after reporting. */
bool force_fields_create(struct sim *sim);
void force_fields_destroy(struct sim *sim); /* accepts zeros */

/* A bound of the acceleration by all fields from time t to t + max_dt, m/s^2, of liquid no faster
 * than `speed`. */
double force_fields_strength(const struct sim *sim, double t, double speed);

/* Of the stage of forces, after the kick: sim->force, what they add in the substep, which goes into
 * u_face; and their impulse. */
bool force_fields_apply(struct sim *sim);
/* Of the stage of pressure, after the projection: delta and u_old are against the velocity before
 * the forces. */
bool force_fields_include(struct sim *sim);
/* Of the stage of g2p, at its end: the other half of their work. */
bool force_fields_account(struct sim *sim);

#endif
