/* The liquid's surface made to enclose its volume: kernels/surface/surface_volume.cl. */
#include "surface.h"

/* Each takes two thirds of what is left of the difference, about. */
#define ROUNDS 3

bool surface_volume(struct surface *s)
{
	struct clx *cl = s->subject.lattice->cl;
	const struct grid g = s->subject.lattice->grid;
	const struct surface_grid *n = &s->grid;
	const struct clx_range nodes = surface_nodes(n);
	bool ok = true;
	for (int round = 0; round < ROUNDS && ok; round++)
		ok = LAUNCH(cl, surface_volume_share, nodes, .g = &g, .s = n, .phi = &s->level,
			    .table = &s->table, .share = &s->work[1], .gain = &s->crossed) &&
		     LAUNCH(cl, surface_volume_move, nodes, .g = &g, .s = n,
			    .class_of = &s->class_of, .rho = &s->work[0], .share = &s->work[1],
			    .gain = &s->crossed, .phi = &s->level);
	return ok;
}
