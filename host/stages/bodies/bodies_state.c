/* The state of bodies as a whole. */
#include "bodies/bodies.h"
#include "bodies/body_contacts.h"

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
