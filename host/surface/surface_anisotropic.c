/* Anisotropic kernels for the liquid's surface: kernels/surface_anisotropic.cl. */
#include "surface.h"

bool surface_anisotropic(struct surface *s, struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 ops = (i32)sim->solids.op_count;
	const i32 stride = (i32)sim->particles.capacity, n = (i32)sim->particles.count;
	const struct clx_range each = clx_range1(sim->particles.count);
	return LAUNCH(cl, K_SURFACE_ANISOTROPIC_KERNELS, each, ARG(g), ARG(s->grid),
		      BUF(s->class_of), BUF(sim->solids.ops), ARG(ops), BUF(sim->solids.points),
		      BUF(s->start), BUF(s->position), ARG(stride), ARG(n), BUF(s->toward),
		      BUF(s->kernels)) &&
	       LAUNCH(cl, K_SURFACE_ANISOTROPIC_PLACES, each, ARG(g), ARG(s->grid),
		      BUF(s->class_of), BUF(sim->solids.ops), ARG(ops), BUF(sim->solids.points),
		      BUF(s->start), BUF(s->position), BUF(s->toward), ARG(stride), ARG(n),
		      BUF(s->kernels));
}
