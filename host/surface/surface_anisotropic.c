/* Anisotropic kernels for the liquid's surface: kernels/surface/surface_anisotropic.cl. */
#include "surface.h"

bool surface_anisotropic(struct surface *s, struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 ops = (i32)sim->solids.op_count;
	const i32 stride = (i32)sim->particles.capacity, n = (i32)sim->particles.count;
	const struct clx_range each = clx_range1(sim->particles.count);
	return LAUNCH(cl, surface_anisotropic_kernels, each, .g = &g, .s = &s->grid,
		      .class_of = &s->class_of, .ops = &sim->solids.ops, .op_count = I32(ops),
		      .points = &sim->solids.points, .start = &s->start, .position = &s->position,
		      .stride = I32(stride), .count = I32(n), .toward = &s->toward,
		      .kernels = &s->kernels) &&
	       LAUNCH(cl, surface_anisotropic_places, each, .g = &g, .s = &s->grid,
		      .class_of = &s->class_of, .ops = &sim->solids.ops, .op_count = I32(ops),
		      .points = &sim->solids.points, .start = &s->start, .position = &s->position,
		      .toward = &s->toward, .stride = I32(stride), .count = I32(n),
		      .kernels = &s->kernels);
}
