/* The parts of the stage `neighbours`, a file each. */
#ifndef FRESHET_NEIGHBOURS_PARTS_H
#define FRESHET_NEIGHBOURS_PARTS_H

#include "state.h"

/* Distance of particles that fill cells evenly on a square lattice, m: h /
 * particles_per_cell^(1/D); cells that a distance reaches over, at least one. */
double neighbours_spacing(const struct sim *sim);
i32 neighbours_rings(const struct sim *sim, double distance);

/* Arguments that all kernels over neighbours take. */
#define NEIGHBOURS(sim)                                                             \
	.position = &(sim)->particles.now.position, .id = &(sim)->particles.now.id, \
	.start = &(sim)->particles.cell_start, .order = &(sim)->neighbours.order,   \
	.ops = &(sim)->solids.ops, .points = &(sim)->solids.points,                 \
	.solid_phi = &(sim)->solids.phi, .scalars = &(sim)->lattice.scalars

/* neighbours_index.c.  The order of the particles where they are now, and who is in which cell. */
bool neighbours_index(struct sim *sim);
/* x += move, at most `limit` metres; turn: of this substep, so that collisions scatter anew. */
bool neighbours_move(struct sim *sim, f32 limit, u32 turn);
/* v = neighbours.velocity. */
/* Before kernels that fill neighbours.velocity: particles that have left have no others. */
bool neighbours_keep_velocities(struct sim *sim);
bool neighbours_take_velocities(struct sim *sim);

/* neighbours_push.c.  Contacts of pairs closer than `distance` metres; a Jacobi step that moves
 * them apart, into `move`; their collision, into `velocity`. */
bool neighbours_count_contacts(struct sim *sim, double distance);
bool neighbours_push_apart(struct sim *sim, double distance);
bool neighbours_collide_pairs(struct sim *sim, double distance);

/* neighbours_springs.c.  Springs, into `move`; velocities at the places that moves lead to, into
 * `velocity`. */
bool neighbours_space(struct sim *sim);
bool neighbours_resample_at(struct sim *sim, f32 limit);

/* neighbours_reposition.c.  Particles in solids to cells inside the liquid, with velocities of
 * those around.  Makes an index of its own where there are some. */
bool neighbours_free_stuck(struct sim *sim);

#endif
