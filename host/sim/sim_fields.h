/* The device buffers of a simulation: what there is, and how large. */
#ifndef FRESHET_SIM_FIELDS_H
#define FRESHET_SIM_FIELDS_H

#include "state.h"

/* What sizes of buffers depend on, in a zeroed *sim: scene, dim, grid, room for particles.  No
 * device is needed. */
void sim_outline(struct sim *sim, const struct scene *scene, u32 capacity);

/* Lengths of the lists of bricks, once the levels of the solver are planned. */
void sim_plan_bricks(struct sim *sim);

/* Fields of the grid, and of `n` particles; up to SIM_FIELDS together with those of solids, solver
 * and bricks.  How many. */
#define SIM_FIELDS 64
size_t sim_list_grid_fields(struct sim *sim, struct field *fields);
size_t sim_list_particle_fields(struct sim *sim, u32 n, struct field *fields);

/* Parts of the scratch that the stages use; the solver has more. */
#define SIM_VIEWS 11
void sim_list_views(struct sim *sim, struct field_view views[SIM_VIEWS]);

/* Memory a scene will need, before anything is allocated: exactly what sim_create() holds, but for
 * the sums of singular components, which grow when more than one is met.  split: solids cut off a
 * part of some cell, which only the device can tell (solids_sides.c); then the sort's order is
 * held too. *total and *largest in bytes; up to `capacity` rows, the number written is returned. */
struct sim_memory_row {
	const char *name;
	uint64_t bytes;
};
size_t sim_memory(const struct scene *scene, u32 particles, bool split, struct sim_memory_row *rows,
		  size_t capacity, uint64_t *total, uint64_t *largest);

#endif
