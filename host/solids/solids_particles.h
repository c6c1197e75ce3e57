/* Particles beside solids that cut parts off cells: where they stand on the grid, and what does not
 * belong to their sums. */
#ifndef FRESHET_SOLIDS_PARTICLES_H
#define FRESHET_SOLIDS_PARTICLES_H

#include "particle_set.h"
#include "solids.h"

/* solids_places.c.  Where the unsorted particles stand on the grid, into now.position; only with
 * solids->split.  Without it the others do nothing. */
bool solids_place_unsorted(struct solids *solids, struct particles *particles);
/* Sorted particles to their places on the grid.  The true ones are those of the unsorted state,
 * which is kept for a rollback; particles->order tells which is whose. */
bool solids_enter_grid(struct solids *solids, struct particles *particles);
/* As solids_leave_grid(), among solids that move on the way; most: the greatest way of any point of
 * theirs, m; each: work-items that stride through the particles. */
bool solids_leave_grid_moving(struct solids *solids, struct particles *particles, u32 salt,
			      f32 most, struct clx_range each);
/* Where solids move, before the drift correction and after it: positions become places on the grid
 * as the solids are then, and what these have moved is added to the true ones, with p->places as
 * memory.  Nothing unless solids->split. */
bool solids_enter_again(struct solids *solids, struct particles *particles);
bool solids_leave_again(struct solids *solids, struct particles *particles, u32 salt);
/* At the end of a substep: to true places, moved as far as the places on the grid were.  salt: of
 * the substep's collisions. */
bool solids_leave_grid(struct solids *solids, struct particles *particles, u32 salt);
/* Back to the true places as they were, velocities and all: nothing may have changed them. */
bool solids_forget_grid(struct solids *solids, struct particles *particles);

/* solids_sums.c: takes what solids cut off out of the level set's and the drift correction's sums
 * (u32 [L], in units of 2^-bits).  The level set's: nothing unless solids->split.  The drift
 * correction's go to the particle's own cell, wherever there are solids: cells over a floor would
 * look too light. */
bool solids_cut_density(struct solids *solids, const struct particles *particles,
			union u32_buffer *sum, i32 bits);
bool solids_cut_drift(struct solids *solids, const struct particles *particles,
		      union u32_buffer *sum, i32 bits);

#endif
