#include "checkpoint_arrays.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "sim_fields.h"

void checkpoint_state_free(struct checkpoint_state *state)
{
	for (size_t i = 0; i < state->array_count; i++)
		free(state->arrays[i].data);
	id_ranges_free(&state->ids);
	*state = (struct checkpoint_state){0};
}

/* Of what shapes a saved field may have. */
static size_t components_of(const struct sim_field *field, int dim)
{
	const size_t d = (size_t)dim;
	switch (field->shape) {
	case SHAPE_VECTOR:
	case SHAPE_FACES:
		return d;
	case SHAPE_MATRIX:
		return d * d;
	default:
		return 1;
	}
}

void checkpoint_state_outline(struct checkpoint_state *state, const struct method *method, int dim,
			      u32 particles, size_t points)
{
	state->method = method;
	state->particles = particles;
	state->array_count = 0;
	for (size_t i = 0; i < method->field_count; i++) {
		const struct sim_field *field = &method->fields[i];
		if (field->saved && state->array_count < METHOD_MOST_SAVED)
			state->arrays[state->array_count++] = (struct saved_array){
				.field = field,
				.components = components_of(field, dim),
				.count = sim_field_of_particles(field) ? particles : points,
			};
	}
}

struct saved_array *checkpoint_array(struct checkpoint_state *state, const char *name)
{
	for (size_t i = 0; i < state->array_count; i++)
		if (strcmp(state->arrays[i].field->saved, name) == 0)
			return &state->arrays[i];
	return NULL;
}

static void *data_of(const struct checkpoint_state *state, const char *name)
{
	for (size_t i = 0; i < state->array_count; i++)
		if (strcmp(state->arrays[i].field->saved, name) == 0)
			return state->arrays[i].data;
	return NULL;
}

f32 *checkpoint_values(const struct checkpoint_state *state, const char *name)
{
	return data_of(state, name);
}

u32 *checkpoint_ids(const struct checkpoint_state *state)
{
	return data_of(state, "particles/id");
}

bool checkpoint_units(const struct checkpoint_state *state, int64_t *units)
{
	*units = 0;
	for (size_t i = 0; i < state->array_count; i++) {
		const struct saved_array *array = &state->arrays[i];
		const i32 *volume = array->data;
		if (strcmp(array->field->saved, "grid/volume") != 0)
			continue;
		for (size_t at = 0; at < array->count; at++)
			*units += volume[at];
		return true;
	}
	return false;
}

/* ---- from the device ---------------------------------------------------------------------- */

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);
	if (!memory)
		message_memory(count * size, "a checkpoint; fewer particles need less");
	return memory;
}

/* Which of the particles on the device are in the box. */
static bool find_living(struct sim *sim, bool **alive, u32 *living)
{
	const struct particles *p = &sim->particles;
	u32 *id = allocate(p->count, sizeof(*id));
	*alive = allocate(p->count, sizeof(**alive));
	*living = 0;
	const bool ok =
		id && *alive &&
		(p->count == 0 || clx_read(sim->cl, &p->now.id, 0, p->count * sizeof(*id), id));
	for (u32 i = 0; ok && i < p->count; i++) {
		(*alive)[i] = id[i] != ID_REMOVED;
		*living += (*alive)[i];
	}
	free(id);
	return ok;
}

/* Elements of four bytes, a component after the other; `alive` says which of particles. */
static bool read_array(struct sim *sim, const bool *alive, struct saved_array *array)
{
	const bool particles = sim_field_of_particles(array->field);
	const size_t present = particles ? sim->particles.count : array->count;
	const size_t stride = particles ? sim->particles.capacity : array->count;
	u32 *column = allocate(present, sizeof(*column));
	u32 *values = array->data = allocate(array->components * array->count, sizeof(*values));
	bool ok = column && values;
	for (size_t c = 0; ok && present > 0 && c < array->components; c++) {
		ok = clx_read_raw(sim->cl, sim_buffer(sim, array->field), c * stride * sizeof(u32),
				  present * sizeof(u32), column);
		for (size_t i = 0; ok && i < present; i++)
			if (!particles || alive[i])
				*values++ = column[i];
	}
	free(column);
	return ok;
}

bool checkpoint_state_capture(struct checkpoint_state *state, struct sim *sim)
{
	bool *alive = NULL;
	u32 living = 0;
	bool ok = !(sim->method->parts & PART_PARTICLES) || find_living(sim, &alive, &living);
	checkpoint_state_outline(state, sim->method, sim->dim, living,
				 (size_t)sim->lattice.grid.lattice);
	for (size_t i = 0; ok && i < state->array_count; i++) {
		struct saved_array *array = &state->arrays[i];
		if (sim_field_elements(sim, array->field) == 0)
			array->components = 0; /* this scene has none */
		else
			ok = read_array(sim, alive, array);
	}
	free(alive);
	return ok && id_ranges_copy(&state->ids, &sim->particles.ids);
}

/* ---- to the device ------------------------------------------------------------------------ */

static bool write_array(struct sim *sim, const struct saved_array *array)
{
	const size_t stride =
		sim_field_of_particles(array->field) ? sim->particles.capacity : array->count;
	const u32 *values = array->data;
	for (size_t c = 0; array->count > 0 && c < array->components; c++)
		if (!clx_write_raw(sim->cl, sim_buffer(sim, array->field), c * stride * sizeof(u32),
				   array->count * sizeof(u32), values + c * array->count))
			return false;
	return true;
}

bool checkpoint_state_put(const struct checkpoint_state *state, struct sim *sim)
{
	struct particles *p = &sim->particles;
	p->count = p->count_before = state->particles;
	for (size_t i = 0; i < state->array_count; i++)
		if (!write_array(sim, &state->arrays[i]))
			return false;
	return id_ranges_copy(&p->ids, &state->ids);
}

bool checkpoint_state_hash(const struct checkpoint_state *state, int dim, int frame, u64 *hash)
{
	return state->method->hash_saved(dim, frame, state->arrays, state->array_count, hash);
}
