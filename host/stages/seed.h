/* Seeding: the particles that a scene's liquids start with. */
#ifndef FRESHET_SEED_H
#define FRESHET_SEED_H

#include <stdbool.h>

#include "state.h"

#define SEED_MAX_LIQUIDS 64

/* Bytes of sim->scratch that seeding needs. */
size_t seed_scratch_bytes(const struct grid *g);

/*
 * Counts the particles of the scene, before buffers for them exist: *total.  Needs sim's scene, cl,
 * grid, dim, scratch and the static solids (solids_create()).  False after reporting.
 */
bool seed_count(struct sim *sim, u32 *total);

/*
 * Fills position, velocity and id of particles.now (allocated for particles.capacity), and sets
 * particles.count, particles.ids and seeds_in_solids.  Notes once how many seeds solids held.
 * Ids ascend by liquid, cell, sub-cell and equal the index.  False after reporting.
 */
bool seed_particles(struct sim *sim);

#endif
