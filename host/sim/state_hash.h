/* The state hash on the host: whether a file or the device is at fault when hashes differ. */
#ifndef FRESHET_STATE_HASH_H
#define FRESHET_STATE_HASH_H

#include <stdbool.h>

#include "particles_read.h"
#include "sim.h"

/* What reduce_hash() gives for `count` particles: position, velocity [dim][count], affine
 * [dim*dim][count] or NULL, id [count]; they are only read.  Not from two threads at once. */
u64 state_hash(int dim, int frame, u32 count, f32 *position, f32 *velocity, f32 *affine, u32 *id);

/* The same of saved arrays: positions, velocities, ids, and affine matrices or an empty array. */
bool state_hash_particles(int dim, int frame, const struct saved_array *arrays, size_t count,
			  u64 *hash);

/* For methods without particles and a hash of their own: CRC-64/XZ of the frame's number and the
 * saved arrays, -0 counted as +0.  Reads them whole.  False after reporting. */
bool state_hash_fields(struct sim *sim, int frame, u64 *hash);
bool state_hash_arrays(int dim, int frame, const struct saved_array *arrays, size_t count,
		       u64 *hash);

/* The part of that which is not of particles, for methods that have both: a sum with the hash of
 * the particles is theirs.  No fault is injected here. */
bool state_hash_grid(struct sim *sim, int frame, u64 *hash);
bool state_hash_grid_arrays(int frame, const struct saved_array *arrays, size_t count, u64 *hash);

/* The same of particles as they are read.  False after reporting. */
bool state_hash_snapshot(int dim, int frame, const struct particle_snapshot *snapshot, u64 *hash);

/* Reports that the device gives the state of a sound file another hash.  Always false. */
bool state_hash_blame_device(const struct sim *sim, int frame, u64 on_device, u64 on_host);

#endif
