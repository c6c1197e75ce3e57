/* Points that liquids start with, from particle files (particle_formats.h). */
#ifndef FRESHET_READ_POINTS_H
#define FRESHET_READ_POINTS_H

#include "scene.h"

/* Reads those of all liquids of a scene, with their velocities, and the files' hashes.  Refuses
 * what no particle can be: numbers that are not finite, a file that has changed.  False after
 * reporting, with line and column of the scene. */
bool read_points(struct scene *scene);

#endif
