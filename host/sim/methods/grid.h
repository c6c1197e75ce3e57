/* The Eulerian method: liquid and velocity on the grid alone. */
#ifndef FRESHET_GRID_METHOD_H
#define FRESHET_GRID_METHOD_H

#include "method.h"

extern const struct method method_grid;

#endif
