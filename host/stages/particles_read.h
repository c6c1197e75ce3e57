/* Reading the particles back from the device, in order of id. */
#ifndef FRESHET_PARTICLES_READ_H
#define FRESHET_PARTICLES_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "state.h"

/* Where each particle of the device goes.  Owns its arrays. */
struct particle_order {
	size_t present; /* particles on the device */
	size_t living;	/* those that are in the box */
	u32 *id;	/* [present] */
	u32 *place;	/* [present]: rank of the particle's id, ID_REMOVED = left the box */
	f32 *column;	/* [present], scratch */
};

/* False after reporting. */
bool particle_order_read(struct sim *sim, struct particle_order *order);
void particle_order_finish(struct particle_order *order);

/* out[place*stride] = component `component` of a component-major buffer of the particles. */
bool particle_column_read(struct sim *sim, const struct particle_order *order,
			  const union f32_buffer *buffer, size_t component, size_t stride,
			  f32 *out);

/* The particles as files hold them: three components, 0 for those that a 2D scene lacks. */
struct particle_snapshot {
	size_t count;
	f32 *position;	 /* [count][3], m */
	f32 *velocity;	 /* [count][3], m/s */
	f32 *affine;	 /* [count][3][3], 1/s, row = component; NULL unless APIC */
	u32 *id;	 /* [count], ascending */
	uint8_t *liquid; /* [count] */
};

/* Room for `count` particles, zeroed.  False if memory does not suffice, silently; *snapshot must
 * be finished all the same. */
bool particle_snapshot_allocate(struct particle_snapshot *snapshot, size_t count, bool affine);

/* False after reporting; *snapshot is empty then. */
bool particle_snapshot_read(struct sim *sim, struct particle_snapshot *snapshot);
void particle_snapshot_finish(struct particle_snapshot *snapshot);

#endif
