/*
 * The stages of a substep, one host file and one kernel file of the same name each.  Every stage
 * works on the fields of struct sim, enqueues its kernels, and returns false after reporting.
 * The step table in sim.c runs them in order.
 */
#ifndef FRESHET_STAGES_H
#define FRESHET_STAGES_H

#include "sim.h"

/* With a fixed dt no particle may move further than this in a substep, in cells. */
#define FIXED_DT_CELLS 2.0

/* particles.c: sort into canonical order; bounds and occupancy into host_scalars. */
bool particles_sort(struct sim *sim);
/* The last pass of the sort: particle order[q] (u32 [N]) of the unsorted state becomes particle q.
 */
bool particles_permute(struct sim *sim, const struct clx_buffer *order);
/* Bounds of the particles' speeds, and whether all are finite, into scalars (maxima). */
bool particles_bounds(struct sim *sim);
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
bool extrapolate_field(struct sim *sim, struct clx_buffer *field, struct clx_buffer *second,
		       int layers, struct clx_buffer *valid);

/* forces.c: sim->kick, dt times gravity and the accelerations of the box, which the projection adds
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
 * which reduce_cells() needs. */
bool drift_correct(struct sim *sim);
/* drift `density`: adds the target divergence to the pressure solve's right-hand side; nothing for
 * the others. */
bool drift_add_divergence(struct sim *sim);

/* reduce.c: sums and counts over cells into totals and scalars; they and statistics of the state
 * into sim->stats; state hash. */
bool reduce_cells(struct sim *sim);
bool reduce_statistics(struct sim *sim);
bool reduce_hash(struct sim *sim, int frame, u64 *hash);
/* Sum of sim->partial[from .. from + chunks) into sim->totals[at], enum total; and the range of
 * kernels that make such chunk sums. */
bool reduce_total(struct sim *sim, i32 from, i32 chunks, i32 at);
struct clx_range reduce_groups(const struct sim *sim, i32 chunks);

/* Launch helpers: one work-item per lattice point, by row or flat. */
struct clx_range stages_lattice(const struct sim *sim);
struct clx_range stages_flat(const struct sim *sim);
/* Blocks of one colour when colours repeat every `period` blocks. */
struct clx_range stages_blocks(const struct sim *sim, int period);
/* Do kernels take particles in vectors?  On CPUs; sampling needs two cells or more in x. */
bool stages_in_lanes(const struct sim *sim);
/* The same of those that collide, in which many paths are one work-item's. */
bool stages_collide_in_lanes(const struct sim *sim);
/* One work-item per LANES_CHUNK particles, for CPUs. */
struct clx_range stages_chunks(size_t particles);

/* Work-items for a kernel that strides through n elements and combines by a maximum. */
size_t stages_striding_items(const struct sim *sim, size_t n);

/* Reads all scalars into host_scalars. */
bool stages_read_scalars(struct sim *sim);
/* Sets one scalar on the device. */
bool stages_set_scalar(struct sim *sim, enum scalar which, u32 value);

/* Smallest n with 2^n >= x. */
int stages_log2_ceil(u64 x);

/* f32 from its bits. */
f32 stages_float(u32 bits);

#endif
