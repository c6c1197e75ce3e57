/*
 * Loads: force, torque and work of the liquid on solids, from the pressure on what they cover of
 * faces (docs/method.md, "Loads").  Solids that move always, for the ledger; others where
 * output.forces asks.  Reads the state, and changes none of it.
 */
#ifndef FRESHET_LOADS_H
#define FRESHET_LOADS_H

#include "state.h"

/* Part of sim_create(), after the solids.  False after reporting. */
bool loads_create(struct sim *sim);
void loads_destroy(struct sim *sim); /* accepts what is zeroed */
/* As at the start of a run. */
void loads_forget(struct sim *sim);

/* Are the loads on solid n of the scene asked for?  Its place in the program of all of them, where
 * those at rest come first; and the cells that it may touch, and the center of its torque, m. */
bool loads_wants(const struct sim *sim, size_t n);
size_t loads_place(const struct sim *sim, size_t n);
struct lattice_box loads_reach(const struct sim *sim, size_t n, f32 center[3]);

/* In the stage `pressure`: before the solve, what sealed liquid is squeezed by; with its solution,
 * the sums of the loads. */
bool loads_find_squeezed(struct sim *sim);
bool loads_sum(struct sim *sim);

/* The substep counts: reads its loads, before ledger_close_substep() wants them, and warns once of
 * solids that squeeze.  False after reporting. */
bool loads_accept(struct sim *sim);
/* After that: adds them to those of the frame. */
void loads_close_substep(struct sim *sim);

#endif
