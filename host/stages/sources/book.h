/* What the ledger is told of particles that come in. */
#ifndef FRESHET_BOOK_H
#define FRESHET_BOOK_H

#include "state.h"

/* Adds the sums over n particles from `first` on, which have just come in, to those of
 * sim->sources.  False after reporting. */
bool book_entered(struct sim *sim, u32 first, u32 n);

#endif
