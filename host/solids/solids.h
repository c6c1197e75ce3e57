/* Static solids: distances and open parts of faces, cells and density kernels, computed once. */
#ifndef FRESHET_SOLIDS_H
#define FRESHET_SOLIDS_H

#include <stdbool.h>

#include "sim.h"

/*
 * Allocates and fills the static-solid buffers of a sim whose scene, cl, grid and dim are set:
 * open_fraction, kernel_open, volume_open, solid_phi, shape_ops, shape_points, solid_slip, and
 * solid_op_count.  Without solids the open parts are those of the walls, and solid_phi is one
 * element that nobody reads.
 *
 * solid_slip[s] = 2 e + slip: solid s's own program ends before op e of shape_ops, slip = 1 where
 * particles slide along it.  It starts at op 0 (s = 0), e of the one before (s = 1), or one further
 * (s > 1), as a union follows every program but the first.
 *
 * Warns of solids thinner than a cell.  False after reporting; the buffers are then freed.
 */
bool solids_create(struct sim *sim);

/* The end of what one launch does of the `all` turns of a kernel's loop, from turn `first` on,
 * where each evaluates solids up to so many times: some devices cut long loops off (shape.h's
 * included; docs/decisions.md).  One turn at least. */
i32 solids_turns(const struct sim *sim, i32 first, i32 all, i32 evaluations);

/* The buffers of static solids, for sim's scene, grid and dim.  Returns how many. */
#define SOLIDS_FIELDS 7
size_t solids_list_fields(struct sim *sim, struct sim_field fields[SOLIDS_FIELDS]);

/*
 * solids_sides.c: rooms that solids cut off from their cells are counted to the next cell.
 *
 * Is there such room?  sim->solids_split; volume_open is then made that of what each cell holds.
 * Are there gaps that hold no cell's centre?  sim->grid.gaps; cells that cannot but belong to one
 * then do, and faces open accordingly.  Part of solids_create().
 */
bool solids_find_split(struct sim *sim);

/* solids.c: open_fraction, for grid.gaps. */
bool solids_find_faces(struct sim *sim);

/* solids_shares.c.  Near solids volume_open becomes what a cell holds, by the particles' linear
 * weights, of liquid that fills the open room; before that it is the room between its faces, or
 * what solids_find_split() counts to it.  Part of solids_create(). */
bool solids_share_volumes(struct sim *sim);

/* solids_places.c.  Where the unsorted particles stand on the grid, into now.position; solids_split
 * only.  Without it the others do nothing. */
bool solids_place_unsorted(struct sim *sim);
/* Sorted particles to their places on the grid.  The true ones are those of the unsorted state,
 * which is kept for a rollback; sim->order tells which is whose. */
bool solids_enter_grid(struct sim *sim);
/* At the end of a substep: to true places, moved as far as the places on the grid were. */
bool solids_leave_grid(struct sim *sim);
/* Back to the true places as they were, velocities and all: nothing may have changed them. */
bool solids_forget_grid(struct sim *sim);

/* solids_sums.c: takes what solids cut off out of the level set's and the drift correction's sums
 * (u32 [L], in units of 2^-bits).  The level set's: nothing unless solids_split; refused while sums
 * are in free order.  The drift correction's go to the particle's own cell, wherever there are
 * solids: cells over a floor would look too light. */
bool solids_cut_density(struct sim *sim, struct clx_buffer *sum, i32 bits);
bool solids_cut_drift(struct sim *sim, struct clx_buffer *sum, i32 bits);

void solids_destroy(struct sim *sim); /* accepts buffers that are zeroed */

#endif
