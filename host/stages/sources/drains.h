/*
 * Drains.  docs/method.md, "Drains".
 */
#ifndef FRESHET_DRAINS_H
#define FRESHET_DRAINS_H

#include "state.h"

/* Makes the buffers of the scene's drains.  False after reporting. */
bool drains_create(struct sim *sim);
void drains_destroy(struct sim *sim); /* accepts zeros */

/* Of the stage of sources: removes particles, at the places of the end of the substep. */
bool drains_remove(struct sim *sim);
/* What was due and not there is not made up for, once the substep counts. */
void drains_accept(struct sim *sim);

#endif
