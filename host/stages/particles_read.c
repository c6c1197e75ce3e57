#include "particles_read.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

/* place[i] = where, in order of id, the i-th particle on the device goes, ID_REMOVED for none;
 * by way of the ids, which are all below `ids`.  Returns how many there are. */
static size_t order_by_id(const u32 *id, size_t count, u32 *by_id, size_t ids, u32 *place)
{
	size_t living = 0;
	for (size_t n = 0; n < ids; n++)
		by_id[n] = ID_REMOVED;
	for (size_t i = 0; i < count; i++) {
		place[i] = ID_REMOVED;
		if (id[i] < ids)
			by_id[id[i]] = (u32)i;
	}
	for (size_t n = 0; n < ids; n++)
		if (by_id[n] != ID_REMOVED)
			place[by_id[n]] = (u32)living++;
	return living;
}

bool particle_order_read(struct sim *sim, struct particle_order *order)
{
	const size_t present = sim->particles.count;
	const size_t ids = sim->particles.ids.end;
	*order = (struct particle_order){.present = present};
	order->id = malloc((present + 1) * sizeof(*order->id));
	order->place = malloc((present + 1) * sizeof(*order->place));
	order->column = malloc((present + 1) * sizeof(*order->column));
	u32 *by_id = malloc((ids + 1) * sizeof(*by_id));
	bool done = order->id && order->place && order->column && by_id;
	if (!done)
		message_error("out of host memory for %zu particles", present);
	done = done && clx_read(sim->cl, &sim->particles.now.id, 0, present * sizeof(*order->id),
				order->id);
	if (done)
		order->living = order_by_id(order->id, present, by_id, ids, order->place);
	else
		particle_order_finish(order);
	free(by_id);
	return done;
}

void particle_order_finish(struct particle_order *order)
{
	free(order->id);
	free(order->place);
	free(order->column);
	*order = (struct particle_order){0};
}

bool particle_column_read(struct sim *sim, const struct particle_order *order,
			  enum particle_attribute attribute, size_t component, size_t stride,
			  f32 *out)
{
	if (!clx_read(sim->cl, particle_set_values(&sim->particles.now, attribute),
		      component * sim->particles.capacity * sizeof(f32),
		      order->present * sizeof(f32), order->column))
		return false;
	for (size_t i = 0; i < order->present; i++)
		if (order->place[i] != ID_REMOVED)
			out[order->place[i] * stride] = order->column[i];
	return true;
}

/* ---- snapshots -------------------------------------------------------------------------- */

static bool has_what_it_needs(const struct scene *scene, enum attribute_with with)
{
	switch (with) {
	case WITH_APIC:
		return scene_has_affine(scene);
	case WITH_SPH:
		return scene->method && strcmp(scene->method, "sph") == 0;
	case WITH_ALWAYS:
		break;
	}
	return true;
}

u32 particle_attributes_of(const struct scene *scene)
{
	u32 attributes = 0;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (has_what_it_needs(scene, attribute_rows[a].with))
			attributes |= ATTRIBUTE_BIT(a);
	return attributes;
}

u32 particle_attributes_in_files(const struct scene *scene)
{
	u32 attributes = particle_attributes_of(scene);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (!attribute_rows[a].in_files)
			attributes &= ~ATTRIBUTE_BIT(a);
	return attributes;
}

u32 particle_snapshot_has(const struct particle_snapshot *snapshot)
{
	u32 attributes = 0;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (snapshot->values[a])
			attributes |= ATTRIBUTE_BIT(a);
	return attributes;
}

bool particle_snapshot_allocate(struct particle_snapshot *snapshot, size_t count, u32 attributes)
{
	*snapshot = (struct particle_snapshot){.count = count};
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		if (!(attributes & ATTRIBUTE_BIT(a)))
			continue;
		snapshot->values[a] =
			calloc(count + 1, attribute_width(a) * attribute_rows[a].size);
		if (!snapshot->values[a])
			return false;
	}
	return true;
}

static void fill_ids(struct sim *sim, const struct particle_order *order,
		     struct particle_snapshot *snapshot)
{
	u32 *ids = particle_ids(snapshot);
	uint8_t *liquids = particle_liquids(snapshot);
	for (size_t i = 0; i < order->present; i++) {
		const u32 place = order->place[i];
		if (place == ID_REMOVED)
			continue;
		ids[place] = order->id[i];
		liquids[place] = id_ranges_liquid(&sim->particles.ids, order->id[i]);
	}
}

static bool fill_values(struct sim *sim, const struct particle_order *order,
			struct particle_snapshot *snapshot, enum particle_attribute a)
{
	const size_t dim = (size_t)sim->dim, width = attribute_width(a);
	f32 *values = particle_values(snapshot, a);
	for (size_t c = 0; c < attribute_columns(a, dim); c++)
		if (!particle_column_read(sim, order, a, c, width,
					  values + attribute_place(dim, c)))
			return false;
	return true;
}

static bool fill_snapshot(struct sim *sim, const struct particle_order *order,
			  struct particle_snapshot *snapshot)
{
	fill_ids(sim, order, snapshot);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (snapshot->values[a] && attribute_rows[a].on_device && a != ATTRIBUTE_ID &&
		    !fill_values(sim, order, snapshot, a))
			return false;
	return true;
}

bool particle_snapshot_read(struct sim *sim, struct particle_snapshot *snapshot)
{
	struct particle_order order;
	*snapshot = (struct particle_snapshot){0};
	if (!particle_order_read(sim, &order))
		return false;
	bool done = particle_snapshot_allocate(snapshot, order.living,
					       particle_attributes_in_files(sim->scene));
	if (!done)
		message_error("out of host memory for %zu particles", order.living);
	done = done && fill_snapshot(sim, &order, snapshot);
	if (!done)
		particle_snapshot_finish(snapshot);
	particle_order_finish(&order);
	return done;
}

void particle_snapshot_finish(struct particle_snapshot *snapshot)
{
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		free(snapshot->values[a]);
	*snapshot = (struct particle_snapshot){0};
}
