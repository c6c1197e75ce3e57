/* The device buffers of a simulation: what there is, how large, and where the scratch has what. */
#ifndef FRESHET_SIM_FIELDS_H
#define FRESHET_SIM_FIELDS_H

#include "field_access.h"

/* What sizes of buffers depend on, in a zeroed *sim: scene, method, dim, grid, room for particles,
 * levels of the solver for solids that split its cells or not.  No device is needed. */
void sim_outline(struct sim *sim, const struct scene *scene, u32 capacity);
void sim_plan_solver(struct sim *sim, bool split);

/* The method's buffers, but those of solids, which have a list of their own: of the grid, or of
 * particles.  How many. */
#define SIM_FIELDS (METHOD_MOST_FIELDS + 32) /* with those of solids, solver, bricks */
size_t sim_list_fields(struct sim *sim, bool of_particles, struct field *fields);

/* What shares the scratch, placed: lives come from the rows of the stages.  sim_plan_solver() must
 * come first.  How many; *bytes of scratch. */
#define SIM_PARTS (METHOD_MOST_FIELDS + POISSON_PARTS + 1)
size_t sim_plan_scratch(struct sim *sim, struct scratch_part *parts, size_t *bytes);

/* Bytes of the arrays in a checkpoint. */
double sim_saved_bytes(const struct scene *scene, double particles);

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
