/* The liquid's surface made smooth, then every particle kept: kernels/surface_smooth.cl. */
#include "surface.h"

bool surface_make_smooth(struct surface *s, struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const struct clx_range inner = surface_nodes(&s->grid);
	bool ok = true;
	for (int pass = 0; pass < s->grid.smoothings && ok; pass++)
		ok = LAUNCH(cl, K_SURFACE_SHARPEN, inner, ARG(g), ARG(s->grid), BUF(s->class_of),
			    BUF(s->level), BUF(s->work[1])) &&
		     LAUNCH(cl, K_SURFACE_SMOOTH, inner, ARG(g), ARG(s->grid), BUF(s->class_of),
			    BUF(s->work[0]), BUF(s->work[1]), BUF(s->level));
	return ok;
}

bool surface_keep_particles(struct surface *s, struct sim *sim)
{
	struct clx *cl = sim->cl;
	struct clx_buffer kept = s->work[1];
	if (!LAUNCH(cl, K_SURFACE_KEEP, surface_nodes(&s->grid), ARG(s->grid), BUF(s->work[0]),
		    BUF(s->level), BUF(kept)))
		return false;
	s->work[1] = s->level;
	s->level = kept;
	return true;
}
