#include "particle_set.h"

bool particles_permute(struct lattice *lattice, struct particles *p, const union u32_buffer *order)
{
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	return LAUNCH(lattice->cl, particles_permute, clx_range1(p->count), .order = order,
		      .n = I32(n), .stride = I32(stride), .position = &p->before.position,
		      .velocity = &p->before.velocity, .id = &p->before.id,
		      .position_out = &p->now.position, .velocity_out = &p->now.velocity,
		      .id_out = &p->now.id);
}

bool particles_bounds(struct lattice *lattice, const struct particles *p)
{
	const struct grid g = lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 affine = p->has_affine;
	const bool lanes = clx_splat_path(lattice->cl) == SPLAT_BLOCK;
	return LAUNCH_EITHER(lattice->cl, lanes, particles_bounds_lanes, particles_bounds,
			     lanes ? lattice_chunks(p->count)
				   : clx_range1(lattice_striding_items(lattice, p->count)),
			     .g = &g, .position = &p->now.position, .velocity = &p->now.velocity,
			     .affine = &p->now.affine, .has_affine = I32(affine),
			     .stride = I32(stride), .n = I32(n), .scalars = &lattice->scalars);
}
