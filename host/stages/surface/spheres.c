#include "surface/spheres.h"

#include <math.h>

/* As far as phi is wanted, in cells. */
#define PASSES 2

bool spheres_make_phi(struct sim *sim)
{
	struct clx *cl = sim->cl;
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const struct clx_range points = bricks_points(b, BRICKS_BAND);
	const i32 stride = (i32)p->capacity;
	const f32 radius = (f32)(1.02 * sqrt((double)sim->dim) / 2.0);
	union u32_buffer *from = &sim->nearest[0], *to = &sim->nearest[1];
	if (!LAUNCH(cl, spheres_seed, points, BRICKS(b, BRICKS_BAND), .g = &g,
		    .start = &p->cell_start, .position = &p->now.position, .stride = I32(stride),
		    .id = &p->now.id, .nearest = from))
		return false;
	for (int pass = 0; pass < PASSES; pass++) {
		union u32_buffer *swap = from;
		if (!LAUNCH(cl, spheres_jump, points, BRICKS(b, BRICKS_BAND), .g = &g,
			    .near = &b->blocks, .position = &p->now.position, .stride = I32(stride),
			    .id = &p->now.id, .nearest = from, .nearest_out = to))
			return false;
		from = to;
		to = swap;
	}
	return LAUNCH(cl, spheres_phi, points, BRICKS(b, BRICKS_BAND), .g = &g,
		      .radius = F32(radius), .position = &p->now.position, .stride = I32(stride),
		      .nearest = from, .phi = &sim->phi_raw);
}
