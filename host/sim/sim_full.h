/* When inflows have filled a box that nothing leaves. */
#ifndef FRESHET_SIM_FULL_H
#define FRESHET_SIM_FULL_H

#include "scene.h"

/*
 * The time at which what inflows bring, and emitters when they fill their shapes first, fills the
 * room that liquids, those from points once these are read, and solids leave at the start, s, of a
 * scene with inflows in a box without open walls, outflows and drains: until its last frame; else,
 * and of others, negative.  The room is sampled, at up to 64 places an axis; no device is needed.
 */
double sim_full_time(const struct scene *scene);

/* Warns of it, if there is such a time. */
void sim_warn_of_full(const struct scene *scene);

#endif
