/*
 * Holds the stages to their rows: what a stage does not list is poison while it runs.
 *
 * Such a field is full of signalling NaNs, which are no indices either.  A stage that reads one
 * spoils what it makes; one that writes one, or one that it lists as read only, is reported, by
 * name.  What a stage writes without reading it, into the scratch or a buffer that is lent, is
 * poison at its start.  In debug builds, and where
 * tests ask for it (sim->poison).  Slow: all fields go to the host and back for every stage.
 */
#ifndef FRESHET_POISON_H
#define FRESHET_POISON_H

#include "state.h"

/* What the fields held, to be put back.  Zeroed = nothing. */
struct poison {
	void *copies[METHOD_MOST_FIELDS]; /* by field of the method; NULL: not poisoned */
	void *scratch;
};

/* Before and after a stage.  False after reporting; poison_end() frees whatever happened. */
bool poison_begin(struct poison *poison, struct sim *sim, size_t stage);
bool poison_end(struct poison *poison, struct sim *sim, size_t stage);

#endif
