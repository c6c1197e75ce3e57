/*
 * Outflows.  docs/method.md, "Outflows".
 */
#ifndef FRESHET_OUTFLOWS_H
#define FRESHET_OUTFLOWS_H

#include "state.h"

/* outflows_plan.c: lists the faces of the scene's outflows that have a pressure, and makes their
 * buffers; after the solids.  Refuses parts that solids close.  False after reporting. */
bool outflows_create(struct sim *sim);
void outflows_destroy(struct sim *sim); /* accepts zeros */

/* As at the start: nothing is owed. */
void outflows_restart(struct sim *sim);
/* An attempt at a substep begins: no face is open, nothing has left. */
bool outflows_begin(struct sim *sim);
/* Of the stage of forces: opens the faces and adds the push of the pressure outside. */
bool outflows_push(struct sim *sim);
/* Of the projection, once it has made its change of the velocity: the push is part of it. */
bool outflows_include(struct sim *sim);
/* Before advection: removes the particles that are going to leave. */
bool outflows_take(struct sim *sim);
/* After it: the walls are closed. */
bool outflows_close(struct sim *sim);
/* Of the stage of sources: particles that have come in, behind the others; adds to what
 * sim->sources tells of them. */
bool outflows_emit(struct sim *sim);
/* Enters them into the ledger, once the substep counts. */
bool outflows_accept(struct sim *sim);
/* What the faces owe from then on; last, where nothing can fail any more. */
void outflows_close_substep(struct sim *sim);

#endif
