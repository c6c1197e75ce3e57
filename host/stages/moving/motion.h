/*
 * Solids that move, in a substep.  docs/method.md, "Solids that move".
 */
#ifndef FRESHET_MOTION_H
#define FRESHET_MOTION_H

#include "state.h"

/* 1: faces that are closed, or parts of them, let something through: sim->flow. */
i32 motion_has_flow(const struct sim *sim);

/* To where they are at sim->time, before a substep or a measurement; nothing to do where they
 * rest. */
bool motion_begin(struct sim *sim);
/* The same at a time, s; bodies, [sim->bodies.count], where they are then (NULL: as they are).  For
 * pictures. */
bool motion_place(struct sim *sim, double time, const struct body *bodies);
/* Their part of sim->flow, for the substep from there; all other parts are 0 then. */
bool motion_flow(struct sim *sim);
/* Stage: to where they are at the end, and the cells' types there. */
bool motion_finish(struct sim *sim);

#endif
