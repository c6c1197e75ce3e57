/* Statistics of the state, and its hash. */
#ifndef FRESHET_STATISTICS_H
#define FRESHET_STATISTICS_H

#include "state.h"

/* Sums and counts over cells into totals and scalars; they and statistics of the state into
 * sim->stats; state hash. */
bool statistics_cells(struct sim *sim);
bool statistics_state(struct sim *sim);
bool statistics_hash(struct sim *sim, int frame, u64 *hash);

#endif
