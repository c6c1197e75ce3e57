/* Particles handed over by a caller, in place of those that a scene's liquids would seed. */
#ifndef FRESHET_PARTICLES_LOAD_H
#define FRESHET_PARTICLES_LOAD_H

#include <stdbool.h>

#include "particles_read.h"
#include "sim.h"

/* Greatest velocity component taken, m/s, as in scenes; of affine matrices, times the cell size. */
#define PARTICLES_LOAD_SPEED 1e6f

/*
 * Are these particles possible in the scene: finite, no faster than PARTICLES_LOAD_SPEED, inside
 * the box (its sides included), outside every solid, of a liquid that the scene has (0 where it has
 * none)?  False after one report that names the first bad particle and counts all by cause.
 */
bool particles_load_check(const struct scene *scene, const struct sim_particles *given);

/*
 * Fills particles.now (allocated for particles.capacity >= given->count) with checked particles,
 * ordered by liquid, then as given; ids are the places in that order.  Sets particles.count and
 * first_id.  False after reporting.
 */
bool particles_load(struct sim *sim, const struct sim_particles *given);

/*
 * Puts a snapshot into the simulation as it is: ids, liquids and all.  Its ids must ascend and be
 * below particles.capacity, its liquids must not descend.  Sets particles.count and a first_id that
 * gives these particles their liquids.  False after reporting.
 */
bool particles_load_snapshot(struct sim *sim, const struct particle_snapshot *snapshot);

#endif
