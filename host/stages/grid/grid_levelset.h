/* Moving the liquid on the grid by a level set: what the tutorial of Braley & Sandu has begun. */
#ifndef FRESHET_GRID_LEVELSET_H
#define FRESHET_GRID_LEVELSET_H

#include "state.h"

/* All return false after reporting. */

/* sim->levelset.phi at t + dt, of that `before`, along u_face: solver.advection,
 * grid.interpolation.
 */
bool grid_levelset_carry(struct sim *sim);
/* Makes it a distance again (distance.h), where grid.redistance asks for that in this substep. */
bool grid_levelset_redistance(struct sim *sim);
/* The same in any case. */
bool grid_levelset_make_distance(struct sim *sim);
/* With grid.volume_correction shifts it by a step of Newton's method to the volume of the start, a
 * tenth of a cell at most; then C of cells: sim->vof.volume. */
bool grid_levelset_fill(struct sim *sim);
/* sim->phi and cell types.  The list BRICKS_BAND must hold every cell near liquid. */
bool grid_levelset_cells(struct sim *sim);

/* The longest step, s, by the greatest component of the velocity, and by forces. */
bool grid_levelset_longest_step(struct sim *sim, double *dt);
/* What grid_statistics() says, with the volume's error since the start, through open walls too. */
bool grid_levelset_statistics(struct sim *sim);
/* Counts the volume at the start, unless it is known: before a substep, as it takes the buffers of
 * an attempt. */
bool grid_levelset_know_start(struct sim *sim);

#define GRID_LEVELSET_COLUMNS "volume_units"

#endif
