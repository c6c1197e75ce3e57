#include "reserve.h"

#include <math.h>

#include "field_access.h"
#include "frame_time.h"
#include "message.h"
#include "sources.h"

/* Components lie one after the other, each as long as the capacity. */
static size_t components_of(const struct sim *sim, const struct sim_field *field)
{
	const u32 capacity = sim->particles.capacity;
	return field->shape == SHAPE_PARTIALS ? 0 : sim_field_elements(sim, field) / capacity;
}

/* A buffer as long as `capacity` wants it, with what the field holds. */
static bool make_grown(struct sim *sim, const struct sim_field *field, u32 capacity,
		       struct clx_buffer *grown)
{
	const u32 from = sim->particles.capacity;
	const size_t components = components_of(sim, field);
	const struct clx_buffer *buffer = sim_buffer(sim, field);
	sim->particles.capacity = capacity;
	const size_t elements = sim_field_elements(sim, field);
	sim->particles.capacity = from;
	bool ok = clx_alloc_raw(sim->cl, grown, field->name, elements, field->size);
	for (size_t c = 0; ok && c < components; c++)
		ok = clx_copy_raw(sim->cl, buffer, c * from * field->size, grown,
				  c * capacity * field->size,
				  (size_t)sim->particles.count * field->size);
	return ok;
}

/* What only lives within a substep need not move. */
static bool has_to_grow(const struct sim_field *field)
{
	return field->memory != SCRATCH && sim_field_of_particles(field);
}

bool sim_reserve_for_inflows(struct sim *sim)
{
	const double end = frame_time(sim, sim->frame + 1);
	const double more = sources_particles(sim, sim->time, end) + sources_room(sim);
	const double room = sim->particles.count + more;
	/* Ids are not given again, and no checkpoint has more: also of particles that have left. */
	if (more > 0.0 && sim->particles.ids.end + more > SIM_MAX_PARTICLES)
		return message_error("frame %d, substep %d: up to %.0f particles may come in, but "
				     "%u have been created, and a run can have %d at most, those "
				     "that have left included",
				     sim->frame + 1, sim->substep + 1, more, sim->particles.ids.end,
				     SIM_MAX_PARTICLES);
	if (room <= sim->particles.capacity)
		return true;
	/* A half more, so that it is seldom. */
	return sim_reserve(sim, (u32)fmin(1.5 * room, SIM_MAX_PARTICLES));
}

bool sim_reserve(struct sim *sim, u32 capacity)
{
	const struct method *m = sim->method;
	if (capacity <= sim->particles.capacity)
		return true;
	if (capacity > SIM_MAX_PARTICLES)
		return message_error("%u particles are too many: at most %d", capacity,
				     SIM_MAX_PARTICLES);
	/* All of them, or none: what failed halfway would hold fields of two lengths. */
	struct clx_buffer grown[METHOD_MOST_FIELDS] = {0};
	bool ok = true;
	for (size_t i = 0; i < m->field_count && ok; i++)
		ok = !has_to_grow(&m->fields[i]) ||
		     make_grown(sim, &m->fields[i], capacity, &grown[i]);
	for (size_t i = 0; i < m->field_count; i++) {
		if (!has_to_grow(&m->fields[i]))
			continue;
		struct clx_buffer *buffer = sim_buffer(sim, &m->fields[i]);
		clx_free_raw(sim->cl, ok ? buffer : &grown[i]);
		if (ok)
			*buffer = grown[i];
	}
	if (ok)
		sim->particles.capacity = capacity;
	return ok;
}
