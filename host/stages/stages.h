/*
 * The stages of a substep, one host file and one kernel file of the same name each.  Every stage
 * works on the fields of struct sim, enqueues its kernels, and returns false after reporting.
 * sim/methods/flip.c lists them in order.
 */
#ifndef FRESHET_STAGES_H
#define FRESHET_STAGES_H

#include "state.h"

/* With a fixed dt no particle may move further than this in a substep, in cells. */
#define FIXED_DT_CELLS 2.0

/* timestep.c: dt of this substep (docs/method.md, "Time step"): the longest that the method takes,
 * halved where it failed, so that steps end with the frame. */
bool timestep_choose(struct sim *sim);
/* The longest step from the speeds of particles and grid at its start, s: cfl and forces. */
bool timestep_by_speed(struct sim *sim, double *dt);
/* The time of a frame, s. */
double timestep_frame_time(const struct sim *sim, int frame);

/* particles.c: sort into canonical order; bounds and occupancy into host_scalars. */
bool particles_sort(struct sim *sim);
/* x(t+dt) through the grid velocity, swept collision. */
bool particles_advect(struct sim *sim);
/* Reports the first particle that is not finite, by id; always false. */
bool particles_report_non_finite(struct sim *sim);
/* Gives the unsorted state of the substep's start back (rollback); the host's view of it only, so
 * that it cannot fail. */
void particles_restore(struct sim *sim);

/* transfer.c: u = sum w v / sum w in fixed point; FLIP, PIC or APIC back. */
bool transfer_p2g(struct sim *sim);
bool transfer_g2p(struct sim *sim);

/* levelset.c: phi and cell types from the sorted particles. */
bool levelset_update(struct sim *sim);

/* extrapolate.c: before the projection, 3 layers; after it, sim->layers, and the
 * condition at closed faces. */
bool extrapolate_known(struct sim *sim);
bool extrapolate_projected(struct sim *sim);
/* `layers` passes over a field (f32 [D][L]) and, if not NULL, a second one.  `valid` (u8 [L]) is
 * the mask; sim->valid_next is scratch. */
bool extrapolate_field(struct sim *sim, union f32_buffer *field, union f32_buffer *second,
		       int layers, union u8_buffer *valid);

/* forces.c: u_face with sim->kick. */
struct velocity_view forces_velocity(struct sim *sim);
/* sim->kick, dt times gravity and the accelerations of the box, which the projection adds
 * to u; sim->g at the end of the substep. */
bool forces_apply(struct sim *sim);
/* Gravity at time t in the axes of the box, into sim->g. */
void forces_gravity(struct sim *sim, double t);
/* The greatest acceleration in the box at time t, m/s^2, of liquid no faster than `speed`. */
double forces_strength(const struct sim *sim, double t, double speed);
/* The longest step from time t, at most `dt`, that follows the motion of the box, s. */
double forces_longest_step(const struct sim *sim, double t, double dt);
/* Coriolis' acceleration on the particles: half of a substep before P2G, half after G2P
 * (`after`).  Nothing for a box that does not turn. */
bool forces_turn(struct sim *sim, bool after);
/* By how much forces_turn() may lengthen the components of velocities, at least 1. */
double forces_turn_bound(const struct sim *sim);

/* pressure.c: div u = 0 in the liquid; pressure in Pa. */
bool pressure_project(struct sim *sim);

/* drift.c: positions moved apart where particles crowd.  It takes the memory of the cell starts,
 * which statistics_cells() needs. */
bool drift_correct(struct sim *sim);
/* drift `density`: adds the target divergence to the pressure solve's right-hand side; nothing for
 * the others. */
bool drift_add_divergence(struct sim *sim);

/* statistics.c: sums and counts over cells into totals and scalars; they and statistics of the
 * state into sim->stats; state hash. */
bool statistics_cells(struct sim *sim);
bool statistics_state(struct sim *sim);
bool statistics_hash(struct sim *sim, int frame, u64 *hash);

/* ---- ledger.c ------------------------------------------------------------------------------ */

/* New accounts for particles with the ids 0, 1, ..., seeded + loaded - 1. */
void ledger_open(struct sim *sim, u32 seeded, u32 loaded);
/* For a checkpoint: the sums that follow from the counts. */
void ledger_sum_created(struct ledger *ledger);
/* Seeded and loaded. */
u32 ledger_created(const struct ledger *ledger);
/* With the solution of the pressure solve: the push of walls on the liquid. */
bool ledger_walls(struct sim *sim);
/* With the right-hand side of the drift solve. */
bool ledger_drift(struct sim *sim);
/* Counts the living into the scalars. */
bool ledger_count(struct sim *sim);
/* With the statistics of a state that was measured, not reached by a substep: balance, and the
 * start of the accounts at time 0.  False after reporting, if strict. */
bool ledger_measured(struct sim *sim);
/* With those of a substep: balance, entries, totals; also into sim->stats.  False after reporting,
 * if strict: nothing is entered then. */
bool ledger_close_substep(struct sim *sim);

/* ---- launches ------------------------------------------------------------------------------ */

/* Do kernels take particles that collide in vectors, in which many paths are one work-item's? */
bool stages_collide_in_lanes(const struct sim *sim);

#endif
