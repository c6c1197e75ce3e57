/* The Eulerian method with `surface: levelset`: a grid that carries a distance and velocity. */
#ifndef FRESHET_LEVELSET_GRID_H
#define FRESHET_LEVELSET_GRID_H

#include "method.h"

extern const struct method method_grid_levelset;

#endif
