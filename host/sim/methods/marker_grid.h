/* The Eulerian method with `surface: markers`: velocity on a grid, particles that mark liquid. */
#ifndef FRESHET_MARKER_GRID_H
#define FRESHET_MARKER_GRID_H

#include "method.h"

extern const struct method method_grid_markers;

#endif
