/* The liquid's surface made to enclose its volume: kernels/surface_volume.cl. */
#include "surface.h"

/* Each takes two thirds of what is left of the difference, about. */
#define ROUNDS 3

bool surface_volume(struct surface *s, struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const struct surface_grid *n = &s->grid;
	const struct clx_range nodes = surface_nodes(n);
	bool ok = true;
	for (int round = 0; round < ROUNDS && ok; round++)
		ok = LAUNCH(cl, K_SURFACE_VOLUME_SHARE, nodes, ARG(g), ARG(*n), BUF(s->level),
			    BUF(s->table), BUF(s->work[1]), BUF(s->crossed)) &&
		     LAUNCH(cl, K_SURFACE_VOLUME_MOVE, nodes, ARG(g), ARG(*n), BUF(s->class_of),
			    BUF(s->work[0]), BUF(s->work[1]), BUF(s->crossed), BUF(s->level));
	return ok;
}
