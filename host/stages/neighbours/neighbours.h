/* The stage `neighbours`: what particles and those near them do to each other. */
#ifndef FRESHET_NEIGHBOURS_STAGE_H
#define FRESHET_NEIGHBOURS_STAGE_H

#include "state.h"

/* Does the scene ask for any of it? */
bool neighbours_wanted(const struct scene *scene);

/*
 * At t + dt, all that the scene asks for, in this order: particles in solids are moved
 * (`reposition`), all are pushed apart or spaced by springs (`drift`), their velocities taken anew
 * (`resample`), and those closer than `collision_distance` collide.  Positions and velocities
 * change; cell starts are those of an order that nothing else reads.  False after reporting.
 */
bool neighbours_correct(struct sim *sim);

/* Of an attempt that counts: its totals. */
void neighbours_accept(struct sim *sim);

#endif
