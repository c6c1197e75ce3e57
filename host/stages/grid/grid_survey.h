/* What liquid on the grid there is: where, how much, how fast. */
#ifndef FRESHET_GRID_SURVEY_H
#define FRESHET_GRID_SURVEY_H

#include "state.h"

/* Where liquid is: lists of bricks; the sum of C and the greatest flow through a cell into the
 * scalars, which are read.  False after reporting, also if a velocity is not finite. */
bool grid_survey(struct sim *sim);
/* The longest step, s, by the greatest flow through a cell, and by forces. */
bool grid_longest_step(struct sim *sim, double *dt);
/* Energies, momentum, the sum of C in the state that was reached, into sim->stats; own[] as
 * grid_columns names them. */
bool grid_statistics(struct sim *sim);

/* Do the units of the last substep add up: what the state before held, what was there at the start,
 * is there, has left?  Counts and tells it if not; false where that is an error.  What is there is
 * what the next substep must find. */
bool grid_balance(struct sim *sim);
/* The sum of C of the state that counts, where it comes from elsewhere: measured, restored. */
void grid_know_units(struct sim *sim, int64_t units);

/* Columns of stats.csv, all in units of 2^-30 of a cell: all that is there; what has left in the
 * substep; the most above a full cell and below an empty one; and how many outflows were cut. */
#define GRID_COLUMNS \
	"volume_units", "volume_units_out", "volume_excess", "volume_lack", "volume_clipped"

#endif
