/* The arrays of a checkpoint: those fields of a method that have a name there, by name. */
#ifndef FRESHET_CHECKPOINT_ARRAYS_H
#define FRESHET_CHECKPOINT_ARRAYS_H

#include "id_ranges.h"
#include "sim.h"

/* Zeroed = none. */
struct checkpoint_state {
	const struct method *method;
	/* By field, in the order of the method; a field that a scene does not have is empty.  Their
	 * data are owned. */
	struct saved_array arrays[METHOD_MOST_SAVED];
	size_t array_count;
	u32 particles;	      /* that are still in the box, in the order of the last sort */
	struct id_ranges ids; /* owned */
};

void checkpoint_state_free(struct checkpoint_state *state); /* leaves it empty */

/* Empty arrays for a method, of `particles` particles.  points: of the lattice. */
void checkpoint_state_outline(struct checkpoint_state *state, const struct method *method, int dim,
			      u32 particles, size_t points);

/* An array by name, or NULL. */
struct saved_array *checkpoint_array(struct checkpoint_state *state, const char *name);
/* The f32 values of one; NULL if there are none. */
f32 *checkpoint_values(const struct checkpoint_state *state, const char *name);
u32 *checkpoint_ids(const struct checkpoint_state *state);
/* The sum of liquid on the grid, units of VOLUME_ONE.  False: the method has none. */
bool checkpoint_units(const struct checkpoint_state *state, int64_t *units);

/* From and to the device.  False after reporting. */
bool checkpoint_state_capture(struct checkpoint_state *state, struct sim *sim);
bool checkpoint_state_put(const struct checkpoint_state *state, struct sim *sim);

/* Computed on the host.  False after reporting. */
bool checkpoint_state_hash(const struct checkpoint_state *state, int dim, int frame, u64 *hash);

#endif
