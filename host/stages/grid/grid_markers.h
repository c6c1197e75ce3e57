/* Liquid by markers: particles that the velocity moves, and that say which cells are liquid. */
#ifndef FRESHET_GRID_MARKERS_H
#define FRESHET_GRID_MARKERS_H

#include "state.h"

/* All return false after reporting. */

/* The scene's markers, and the velocity on faces, free of divergence. */
bool grid_markers_seed(struct sim *sim);
/* sim->phi, cell types and sim->vof.volume from the particles as sorted: a cell with a marker is
 * liquid, its surface half way to the next one's centre (Harlow & Welch 1965). */
bool grid_markers_cells(struct sim *sim);

#endif
