#include "solids_particles.h"

/* Arguments that the kernels share. */
#define SHAPES BUF(solids->ops), ARG(ops), BUF(solids->points), BUF(solids->phi)

static bool place(struct solids *solids, const struct particles *p,
		  const struct clx_buffer *position, const struct clx_buffer *id,
		  struct clx_buffer *to)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, ops = (i32)solids->op_count;
	return LAUNCH(solids->lattice->cl, K_SOLIDS_ENTER_GRID, clx_range1(p->count), ARG(g),
		      BUF(*position), BUF(*id), ARG(stride), ARG(n), SHAPES, BUF(*to),
		      BUF(solids->lattice->scalars));
}

bool solids_place_unsorted(struct solids *solids, struct particles *p)
{
	return place(solids, p, &p->before.position, &p->before.id, &p->now.position);
}

bool solids_enter_grid(struct solids *solids, struct particles *p)
{
	struct particle_set *now = &p->now;
	return !solids->split || p->count == 0 ||
	       place(solids, p, &now->position, &now->id, &now->position);
}

bool solids_leave_grid(struct solids *solids, struct particles *p, u32 salt)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, ops = (i32)solids->op_count;
	const i32 count = (i32)solids->count;
	return !solids->split || p->count == 0 ||
	       LAUNCH(solids->lattice->cl, K_SOLIDS_LEAVE_GRID, clx_range1(p->count), ARG(g),
		      BUF(p->before.position), BUF(p->order), ARG(salt), BUF(p->now.position),
		      BUF(p->now.velocity), BUF(p->now.id), ARG(stride), ARG(n), SHAPES,
		      BUF(solids->slip), ARG(count), BUF(solids->lattice->scalars));
}

bool solids_forget_grid(struct solids *solids, struct particles *p)
{
	return !solids->split || particles_permute(solids->lattice, p, &p->order);
}
