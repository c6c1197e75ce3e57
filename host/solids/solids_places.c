#include "solids.h"
#include "stages.h"

/* Arguments that the kernels share. */
#define SHAPES BUF(sim->shape_ops), ARG(ops), BUF(sim->shape_points), BUF(sim->solid_phi)

static bool place(struct sim *sim, const struct clx_buffer *position, const struct clx_buffer *id,
		  struct clx_buffer *to)
{
	const struct particles *p = &sim->particles;
	const struct grid g = sim->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, ops = (i32)sim->solid_op_count;
	return LAUNCH(sim->cl, K_SOLIDS_ENTER_GRID, clx_range1(p->count), ARG(g), BUF(*position),
		      BUF(*id), ARG(stride), ARG(n), SHAPES, BUF(*to), BUF(sim->scalars));
}

bool solids_place_unsorted(struct sim *sim)
{
	const struct particles *p = &sim->particles;
	return place(sim, &p->before.position, &p->before.id, &sim->particles.now.position);
}

bool solids_enter_grid(struct sim *sim)
{
	struct particle_set *now = &sim->particles.now;
	return !sim->solids_split || sim->particles.count == 0 ||
	       place(sim, &now->position, &now->id, &now->position);
}

bool solids_leave_grid(struct sim *sim)
{
	struct particles *p = &sim->particles;
	const struct grid g = sim->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, ops = (i32)sim->solid_op_count;
	const i32 solids = (i32)sim->scene->solid_count;
	const u32 salt = (u32)(2 * sim->steps) ^ 0x40000000u;
	return !sim->solids_split || p->count == 0 ||
	       LAUNCH(sim->cl, K_SOLIDS_LEAVE_GRID, clx_range1(p->count), ARG(g),
		      BUF(p->before.position), BUF(sim->order), ARG(salt), BUF(p->now.position),
		      BUF(p->now.velocity), BUF(p->now.id), ARG(stride), ARG(n), SHAPES,
		      BUF(sim->solid_slip), ARG(solids), BUF(sim->scalars));
}

bool solids_forget_grid(struct sim *sim)
{
	return !sim->solids_split || particles_permute(sim, &sim->order);
}
