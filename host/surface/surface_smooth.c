/* The liquid's surface made smooth, then every particle kept: kernels/surface/surface_smooth.cl. */
#include "surface.h"

bool surface_make_smooth(struct surface *s)
{
	struct clx *cl = s->subject.lattice->cl;
	const struct grid g = s->subject.lattice->grid;
	const struct clx_range inner = surface_nodes(&s->grid);
	bool ok = true;
	for (int pass = 0; pass < s->grid.smoothings && ok; pass++)
		ok = LAUNCH(cl, surface_sharpen, inner, .g = &g, .s = &s->grid,
			    .class_of = &s->class_of, .phi = &s->level, .out = &s->work[1]) &&
		     LAUNCH(cl, surface_smooth, inner, .g = &g, .s = &s->grid,
			    .class_of = &s->class_of, .rho = &s->work[0], .sharp = &s->work[1],
			    .phi = &s->level);
	return ok;
}

bool surface_keep_particles(struct surface *s)
{
	struct clx *cl = s->subject.lattice->cl;
	union f32_buffer kept = s->work[1];
	if (!LAUNCH(cl, surface_keep, surface_nodes(&s->grid), .s = &s->grid, .rho = &s->work[0],
		    .phi = &s->level, .out = &kept))
		return false;
	s->work[1] = s->level;
	s->level = kept;
	return true;
}
