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

/* out[place*stride] = component `component` of an attribute on the device that is no id. */
bool particle_column_read(struct sim *sim, const struct particle_order *order,
			  enum particle_attribute attribute, size_t component, size_t stride,
			  f32 *out);

/* Attributes (bits) of a scene's particles, and those of them that particle files hold. */
u32 particle_attributes_of(const struct scene *scene);
u32 particle_attributes_in_files(const struct scene *scene);

/* The particles as files hold them, ids ascending. */
struct particle_snapshot {
	size_t count;
	void *values[ATTRIBUTE_COUNT]; /* owned; [count][attribute_width()]; NULL = none */
};

/* Of an attribute that is f32. */
static inline f32 *particle_values(const struct particle_snapshot *snapshot,
				   enum particle_attribute attribute)
{
	return snapshot->values[attribute];
}

static inline u32 *particle_ids(const struct particle_snapshot *snapshot)
{
	return snapshot->values[ATTRIBUTE_ID];
}

static inline uint8_t *particle_liquids(const struct particle_snapshot *snapshot)
{
	return snapshot->values[ATTRIBUTE_LIQUID];
}

/* Attributes that are there (bits). */
u32 particle_snapshot_has(const struct particle_snapshot *snapshot);

/* Room for `count` particles with these attributes (bits), zeroed.  False if memory does not
 * suffice, silently; *snapshot must be finished all the same. */
bool particle_snapshot_allocate(struct particle_snapshot *snapshot, size_t count, u32 attributes);

/* False after reporting; *snapshot is empty then. */
bool particle_snapshot_read(struct sim *sim, struct particle_snapshot *snapshot);
void particle_snapshot_finish(struct particle_snapshot *snapshot);

#endif
