/* Particles handed over by a caller, in place of those that a scene's liquids would seed. */
#ifndef FRESHET_PARTICLES_LOAD_H
#define FRESHET_PARTICLES_LOAD_H

#include <stdbool.h>

#include "particles_read.h"
#include "state.h"

/* Particles handed over by the caller, one after the other.  Nothing is kept. */
struct sim_particles {
	u32 count;    /* may be 0 */
	u32 capacity; /* room to make for them; less than count: count */
	/* [count][attribute_columns()], of the type of their rows; NULL = 0.  There must be
	 * positions; ids are not looked at; liquids are indices in scene->liquids. */
	const void *values[ATTRIBUTE_COUNT];
};
static inline const f32 *given_values(const struct sim_particles *given,
				      enum particle_attribute attribute)
{
	return given->values[attribute];
}
static inline const uint8_t *given_liquids(const struct sim_particles *given)
{
	return given->values[ATTRIBUTE_LIQUID];
}

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
 * ids.  False after reporting.
 */
bool particles_load(struct sim *sim, const struct sim_particles *given);

/*
 * Puts a snapshot into the simulation as it is: ids, liquids and all.  Its ids must ascend and be
 * below particles.capacity.  Sets particles.count and ids.  False after reporting.
 */
bool particles_load_snapshot(struct sim *sim, const struct particle_snapshot *snapshot);

#endif
