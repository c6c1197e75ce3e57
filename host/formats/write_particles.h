/*
 * Particle files for other programs: particles/particles_000000.vtkhdf, .ply or .geo.
 *
 * docs/output.md describes them.  A state is read from the device at once and written in the
 * background.
 */
#ifndef FRESHET_WRITE_PARTICLES_H
#define FRESHET_WRITE_PARTICLES_H

#include <stdbool.h>

#include "file_queue.h"
#include "sim.h"

/* Queues the file of the present frame in `directory`, which exists.  False after reporting. */
bool write_particles(struct sim *sim, const char *directory, struct file_queue *queue);

/* About how long the file of one frame will be, and its name's ending (with the dot). */
double write_particles_bytes(const struct scene *scene, double particles);
const char *write_particles_ending(const struct scene *scene);

#endif
