/* The grid of a scene. */
#ifndef FRESHET_SCENE_GRID_H
#define FRESHET_SCENE_GRID_H

#include "scene.h"
#include "shared.h"

struct grid scene_grid(const struct scene *scene); /* without `gaps`, which solids make */

#endif
