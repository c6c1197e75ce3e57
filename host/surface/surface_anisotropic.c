/* Anisotropic kernels for the liquid's surface: kernels/surface/surface_anisotropic.cl. */
#include "surface.h"

bool surface_anisotropic(struct surface *s)
{
	struct clx *cl = s->subject.lattice->cl;
	const struct grid g = s->subject.lattice->grid;
	const struct solids *solids = s->subject.solids;
	const struct particles *p = s->subject.particles;
	const i32 ops = (i32)solids->op_count, stride = (i32)p->capacity, n = (i32)p->count;
	const struct clx_range each = clx_range1(p->count);
	return LAUNCH(cl, surface_anisotropic_kernels, each, .g = &g, .s = &s->grid,
		      .class_of = &s->class_of, .ops = &solids->ops, .op_count = I32(ops),
		      .points = &solids->points, .start = &s->start, .position = &s->position,
		      .stride = I32(stride), .count = I32(n), .toward = &s->toward,
		      .kernels = &s->kernels) &&
	       LAUNCH(cl, surface_anisotropic_places, each, .g = &g, .s = &s->grid,
		      .class_of = &s->class_of, .ops = &solids->ops, .op_count = I32(ops),
		      .points = &solids->points, .start = &s->start, .position = &s->position,
		      .toward = &s->toward, .stride = I32(stride), .count = I32(n),
		      .kernels = &s->kernels);
}
