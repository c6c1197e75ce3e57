/* Bodies that only gravity and contacts move, in the order of a substep. */
#ifndef FRESHET_CONTACT_WORLD_H
#define FRESHET_CONTACT_WORLD_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contacts.h"

struct world {
	struct scene *scene;
	struct body *bodies;
	double (*velocity)[6];
	struct contacts contacts;
	double gravity[3], time;
	size_t first;
	double last; /* what contacts_solve() returned */
};

static inline struct world world_of(const char *text)
{
	struct world w = {.scene = scene_read_text(text, strlen(text), "world")};
	if (!w.scene)
		abort();
	w.bodies = calloc(w.scene->body_count, sizeof(*w.bodies));
	w.velocity = calloc(w.scene->body_count, sizeof(*w.velocity));
	w.first = w.scene->solid_count - w.scene->body_count;
	if (!contacts_create(&w.contacts, w.scene) || !w.bodies || !w.velocity)
		abort();
	scene_gravity(w.scene, 0.0, w.gravity);
	for (size_t b = 0; b < w.scene->body_count; b++)
		body_start(&w.scene->solids[w.first + b], w.scene->dim, &w.bodies[b]);
	return w;
}

static inline void world_free(struct world *w)
{
	contacts_destroy(&w->contacts);
	scene_free(w->scene);
	free(w->bodies);
	free(w->velocity);
}

static inline const struct scene_body *world_body(const struct world *w, size_t b)
{
	return &w->scene->solids[w->first + b].body;
}

static inline void world_step(struct world *w, double dt)
{
	const int dim = w->scene->dim;
	if (!contacts_find(&w->contacts, w->bodies, w->gravity, w->time, dt))
		abort();
	for (size_t b = 0; b < w->scene->body_count; b++) {
		struct body *body = &w->bodies[b];
		const bool held = body_is_held(world_body(w, b), w->time);
		if (held)
			body_follow(&w->scene->solids[w->first + b], w->time, dt, body);
		for (int a = 0; a < 3; a++) {
			w->velocity[b][a] = body->velocity[a];
			w->velocity[b][a + 3] = body->spin[a];
			if (!held && w->contacts.inverse[b].linear[a] > 0.0)
				w->velocity[b][a] += dt * w->gravity[a];
		}
	}
	contacts_warm(&w->contacts, w->velocity);
	w->last = contacts_solve(&w->contacts, w->velocity);
	for (size_t b = 0; b < w->scene->body_count; b++) {
		struct body *body = &w->bodies[b];
		memcpy(body->velocity, w->velocity[b], sizeof(body->velocity));
		memcpy(body->spin, w->velocity[b] + 3, sizeof(body->spin));
		if (body_is_held(world_body(w, b), w->time))
			body_lead(&w->scene->solids[w->first + b], w->scene->dim, w->time, dt,
				  body);
		else
			body_advance(world_body(w, b), dim, dt, body);
	}
	contacts_push(&w->contacts, w->velocity, w->bodies);
	if (!contacts_keep(&w->contacts))
		abort();
	w->time += dt;
}

static inline void world_run(struct world *w, double dt, double seconds)
{
	const int steps = (int)(seconds / dt + 0.5);
	for (int n = 0; n < steps; n++)
		world_step(w, dt);
}

static inline double world_speed(const struct world *w, size_t b)
{
	const double *v = w->bodies[b].velocity;
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#endif
