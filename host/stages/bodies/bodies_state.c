/* The state of bodies as a whole. */
#include <string.h>

#include "bodies/bodies.h"
#include "bodies/body_contacts.h"
#include "solids_motion.h"

void bodies_put(struct sim *sim, const struct body *bodies)
{
	struct bodies *b = &sim->bodies;
	for (size_t n = 0; n < b->count; n++)
		b->now[n] = b->next[n] = bodies[n];
}

void bodies_restart(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	for (size_t n = 0; n < b->count; n++) {
		body_start(&sim->scene->solids[b->first + n], sim->dim, &b->now[n]);
		b->next[n] = b->now[n];
	}
	if (b->count > 0)
		body_contacts_forget(sim);
}

bool bodies_accept(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	if (b->count == 0)
		return true;
	if (!body_contacts_accept(sim))
		return false;
	memcpy(b->now, b->next, b->count * sizeof(*b->now));
	return true;
}

void bodies_restore(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	if (b->count > 0)
		memcpy(b->next, b->now, b->count * sizeof(*b->next));
}

double bodies_farthest(const struct sim *sim)
{
	return sim->bodies.count > 0 ? solids_greatest_way(&sim->solids, sim->time, sim->dt) : 0.0;
}
