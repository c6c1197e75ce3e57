#include "bodies/body_contacts.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

/* A change of a velocity, as a share of g dt, that is worth another projection; and how many of
 * them a substep has at most. */
#define CHANGE_WORTH 0.02
#define ROUNDS_MOST 5

static double (*as_rows(double *velocity))[BODY_VELOCITIES]
{
	return (double(*)[BODY_VELOCITIES])(void *)velocity;
}

bool body_contacts_create(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	const size_t numbers = b->count * BODY_VELOCITIES;
	b->apart = calloc(numbers, sizeof(*b->apart));
	b->accounts = calloc(b->count, sizeof(*b->accounts));
	return ((b->apart && b->accounts) ||
		message_memory(numbers * sizeof(*b->apart), "contacts of bodies")) &&
	       contacts_create(&b->contacts, sim->scene);
}

void body_contacts_destroy(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	if (b->contacts.scene)
		contacts_destroy(&b->contacts);
	free(b->apart);
	free(b->accounts);
	b->apart = NULL;
	b->accounts = NULL;
}

void body_contacts_forget(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	b->contacts.count = b->contacts.kept_count = 0;
	b->contacts.kept_dt = b->seconds = 0.0;
	memset(b->accounts, 0, b->count * sizeof(*b->accounts));
}

bool body_contacts_find(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	double gravity[3];
	for (int a = 0; a < 3; a++)
		gravity[a] = (double)sim->kick.first[a] / sim->dt;
	b->rounds = 0;
	b->again = false;
	return contacts_find(&b->contacts, b->now, gravity, sim->time, sim->dt);
}

void body_contacts_warm(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	memcpy(b->apart, b->before, b->count * BODY_VELOCITIES * sizeof(*b->apart));
	contacts_warm(&b->contacts, as_rows(b->before));
}

void body_contacts_solve(struct sim *sim, double *velocity)
{
	struct bodies *b = &sim->bodies;
	const double change = contacts_solve(&b->contacts, as_rows(velocity));
	b->again = change > CHANGE_WORTH && b->rounds < ROUNDS_MOST;
	b->rounds++;
	if (!b->again)
		return;
	memcpy(b->before, b->apart, b->count * BODY_VELOCITIES * sizeof(*b->before));
	contacts_warm(&b->contacts, as_rows(b->before));
}

bool body_contacts_accept(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	if (sim->substep == 0) {
		memset(b->accounts, 0, b->count * sizeof(*b->accounts));
		b->seconds = 0.0;
	}
	for (size_t n = 0; n < b->count; n++) {
		double contact[BODY_VELOCITIES];
		contacts_impulse(&b->contacts, n, contact);
		for (int i = 0; i < BODY_VELOCITIES; i++) {
			b->accounts[n].liquid[i] += b->impulse[n * BODY_VELOCITIES + (size_t)i];
			b->accounts[n].contact[i] += contact[i];
		}
	}
	b->seconds += sim->dt;
	return contacts_keep(&b->contacts);
}

void body_contacts_push(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	contacts_push(&b->contacts, as_rows(b->told), b->next);
}
