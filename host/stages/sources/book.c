#include "sources/book.h"

#include <stdlib.h>

#include "message.h"

bool book_entered(struct sim *sim, u32 first, u32 n)
{
	const struct particles *p = &sim->particles;
	const struct scene *scene = sim->scene;
	const size_t stride = p->capacity, d = (size_t)sim->dim;
	const double h = scene->h, cell = h * h * (sim->dim == 3 ? h : 1.0);
	const double mass = scene->density * cell / scene->particles_per_cell;
	struct ledger_sums *sums = &sim->sources.sums;
	f32 *values = malloc(2 * (size_t)n * sizeof(*values)), *x = values, *v = values + n;
	bool ok = values || message_memory(2 * (size_t)n * sizeof(*values), "what comes in");
	for (size_t a = 0; a < d && ok; a++) {
		const size_t at = (a * stride + first) * sizeof(*x), bytes = n * sizeof(*x);
		ok = clx_read(sim->cl, &p->now.position, at, bytes, x) &&
		     clx_read(sim->cl, &p->now.velocity, at, bytes, v);
		for (u32 m = 0; m < n && ok; m++) {
			sums->kinetic += 0.5 * mass * (double)v[m] * (double)v[m];
			sums->momentum[a] += mass * (double)v[m];
			sums->position[a] += mass * (double)x[m];
		}
	}
	free(values);
	return ok;
}
