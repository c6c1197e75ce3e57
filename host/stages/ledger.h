/* The entries of the ledger (docs/method.md, "Ledger"). */
#ifndef FRESHET_STAGE_LEDGER_H
#define FRESHET_STAGE_LEDGER_H

#include "state.h"

/* New accounts for particles with the ids 0, 1, ..., seeded + loaded - 1. */
void ledger_open(struct sim *sim, u32 seeded, u32 loaded);
/* For a checkpoint: the sums that follow from the counts. */
void ledger_sum_created(struct ledger *ledger);
/* Particles that have come in: they have the next ids. */
void ledger_enter(struct ledger *ledger, u32 count);
/* Seeded, loaded, and come in. */
u32 ledger_created(const struct ledger *ledger);
/* Of a balance, of particles or volume: `wrong` says what does not add up, NULL if all does. Counts
 * it and warns of the first; the count into sim->stats.  False after reporting, if strict. */
bool ledger_judge(struct sim *sim, int frame, int substep, const char *wrong);
/* With the solution of the pressure solve: the push of walls on the liquid. */
bool ledger_walls(struct sim *sim);
/* With the right-hand side of the drift solve. */
bool ledger_drift(struct sim *sim);
/* With the statistics of a state that was measured, not reached by a substep: balance, and the
 * start of the accounts at time 0.  False after reporting, if strict. */
bool ledger_measured(struct sim *sim);
/* With those of a substep: balance, entries, totals; also into sim->stats.  False after reporting,
 * if strict: nothing is entered then. */
bool ledger_close_substep(struct sim *sim);

#endif
