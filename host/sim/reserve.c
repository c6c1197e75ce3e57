#include "reserve.h"

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

/* What only lives within a substep need not move. */
static bool grow_field(struct sim *sim, const struct sim_field *field, u32 capacity)
{
	const u32 from = sim->particles.capacity;
	const size_t components = components_of(sim, field);
	struct clx_buffer *buffer = sim_buffer(sim, field), grown = {0};
	sim->particles.capacity = capacity;
	const size_t elements = sim_field_elements(sim, field);
	sim->particles.capacity = from;
	bool ok = clx_alloc_raw(sim->cl, &grown, field->name, elements, field->size);
	for (size_t c = 0; ok && c < components; c++)
		ok = clx_copy_raw(sim->cl, buffer, c * from * field->size, &grown,
				  c * capacity * field->size,
				  (size_t)sim->particles.count * field->size);
	if (!ok) {
		clx_free_raw(sim->cl, &grown);
		return false;
	}
	clx_free_raw(sim->cl, buffer);
	*buffer = grown;
	return true;
}

bool sim_reserve_for_inflows(struct sim *sim)
{
	const double end = frame_time(sim, sim->frame + 1);
	const double room =
		sim->particles.count + sources_particles(sim, sim->time, end) + sources_room(sim);
	if (room <= sim->particles.capacity)
		return true;
	/* A half more, so that it is seldom. */
	const double more = 1.5 * room;
	return sim_reserve(sim, (u32)(room > SIM_MAX_PARTICLES	 ? SIM_MAX_PARTICLES + 1.0
				      : more > SIM_MAX_PARTICLES ? SIM_MAX_PARTICLES
								 : more));
}

bool sim_reserve(struct sim *sim, u32 capacity)
{
	const struct method *m = sim->method;
	if (capacity <= sim->particles.capacity)
		return true;
	if (capacity > SIM_MAX_PARTICLES)
		return message_error("%u particles are too many: at most %d", capacity,
				     SIM_MAX_PARTICLES);
	for (size_t i = 0; i < m->field_count; i++)
		if (m->fields[i].memory != SCRATCH && sim_field_of_particles(&m->fields[i]) &&
		    !grow_field(sim, &m->fields[i], capacity))
			return false;
	sim->particles.capacity = capacity;
	return true;
}
