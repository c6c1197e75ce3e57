#include "particle_set.h"

bool particles_permute(struct lattice *lattice, const struct particles *p,
		       const struct clx_buffer *order)
{
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	return LAUNCH(lattice->cl, K_PARTICLES_PERMUTE, clx_range1(p->count), BUF(*order), ARG(n),
		      ARG(stride), BUF(p->before.position), BUF(p->before.velocity),
		      BUF(p->before.id), BUF(p->now.position), BUF(p->now.velocity),
		      BUF(p->now.id));
}

bool particles_bounds(struct lattice *lattice, const struct particles *p)
{
	const struct grid g = lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 affine = p->has_affine;
	const bool lanes = clx_splat_path(lattice->cl) == CLX_SPLAT_BLOCK;
	return LAUNCH(lattice->cl, lanes ? K_PARTICLES_BOUNDS_LANES : K_PARTICLES_BOUNDS,
		      lanes ? lattice_chunks(p->count)
			    : clx_range1(lattice_striding_items(lattice, p->count)),
		      ARG(g), BUF(p->now.position), BUF(p->now.velocity), BUF(p->now.affine),
		      ARG(affine), ARG(stride), ARG(n), BUF(lattice->scalars));
}
