#include "particles_read.h"

#include <stdlib.h>

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
			  const union f32_buffer *buffer, size_t component, size_t stride, f32 *out)
{
	if (!clx_read(sim->cl, buffer, component * sim->particles.capacity * sizeof(f32),
		      order->present * sizeof(f32), order->column))
		return false;
	for (size_t i = 0; i < order->present; i++)
		if (order->place[i] != ID_REMOVED)
			out[order->place[i] * stride] = order->column[i];
	return true;
}

/* ---- snapshots -------------------------------------------------------------------------- */

bool particle_snapshot_allocate(struct particle_snapshot *snapshot, size_t count, bool affine)
{
	*snapshot = (struct particle_snapshot){.count = count};
	snapshot->position = calloc(count + 1, 3 * sizeof(f32));
	snapshot->velocity = calloc(count + 1, 3 * sizeof(f32));
	snapshot->affine = affine ? calloc(count + 1, 9 * sizeof(f32)) : NULL;
	snapshot->id = calloc(count + 1, sizeof(*snapshot->id));
	snapshot->liquid = calloc(count + 1, 1);
	return snapshot->position && snapshot->velocity && (snapshot->affine || !affine) &&
	       snapshot->id && snapshot->liquid;
}

static bool fill_snapshot(struct sim *sim, const struct particle_order *order,
			  struct particle_snapshot *snapshot)
{
	const struct particle_set *now = &sim->particles.now;
	const size_t dim = (size_t)sim->dim;
	bool done = true;
	for (size_t i = 0; i < order->present; i++) {
		if (order->place[i] == ID_REMOVED)
			continue;
		snapshot->id[order->place[i]] = order->id[i];
		snapshot->liquid[order->place[i]] =
			id_ranges_liquid(&sim->particles.ids, order->id[i]);
	}
	for (size_t a = 0; a < dim && done; a++) {
		done = particle_column_read(sim, order, &now->position, a, 3,
					    snapshot->position + a) &&
		       particle_column_read(sim, order, &now->velocity, a, 3,
					    snapshot->velocity + a);
		for (size_t b = 0; b < dim && done && snapshot->affine; b++)
			done = particle_column_read(sim, order, &now->affine, a * dim + b, 9,
						    snapshot->affine + 3 * a + b);
	}
	return done;
}

bool particle_snapshot_read(struct sim *sim, struct particle_snapshot *snapshot)
{
	struct particle_order order;
	*snapshot = (struct particle_snapshot){0};
	if (!particle_order_read(sim, &order))
		return false;
	bool done = particle_snapshot_allocate(snapshot, order.living,
					       sim->scene->transfer == TRANSFER_APIC);
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
	free(snapshot->position);
	free(snapshot->velocity);
	free(snapshot->affine);
	free(snapshot->id);
	free(snapshot->liquid);
	*snapshot = (struct particle_snapshot){0};
}
