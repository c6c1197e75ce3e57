#include "solids_particles.h"

/* Arguments that the kernels share. */
#define SHAPES                                                                                  \
	.ops = &solids->ops, .op_count = I32((i32)solids->op_count), .points = &solids->points, \
	.solid_phi = &solids->phi, .references = &solids->references

static bool find_places(struct solids *solids, const struct particles *p,
			const union f32_buffer *position, const union u32_buffer *id,
			union f32_buffer *to)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	return LAUNCH(solids->lattice->cl, solids_enter_grid, clx_range1(p->count), .g = &g,
		      .position = position, .id = id, .stride = I32(stride), .n = I32(n), SHAPES,
		      .place = to, .scalars = &solids->lattice->scalars);
}

bool solids_place_unsorted(struct solids *solids, struct particles *p)
{
	return find_places(solids, p, &p->before.position, &p->before.id, &p->now.position);
}

bool solids_enter_grid(struct solids *solids, struct particles *p)
{
	struct particle_set *now = &p->now;
	return !solids->split || p->count == 0 ||
	       find_places(solids, p, &now->position, &now->id, &now->position);
}

static void swap_places(struct particles *p)
{
	const union f32_buffer places = p->places;
	p->places = p->now.position;
	p->now.position = places;
}

bool solids_enter_again(struct solids *solids, struct particles *p)
{
	if (!solids->split || p->count == 0)
		return true;
	swap_places(p);
	return find_places(solids, p, &p->places, &p->now.id, &p->now.position);
}

static bool leave_grid(struct solids *solids, struct particles *p, const union f32_buffer *origin,
		       i32 ordered, u32 salt)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 count = (i32)solids->count;
	return !solids->split || p->count == 0 ||
	       LAUNCH(solids->lattice->cl, solids_leave_grid, clx_range1(p->count), .g = &g,
		      .origin = origin, .order = &p->order, .ordered = I32(ordered),
		      .salt = U32(salt), .position = &p->now.position, .velocity = &p->now.velocity,
		      .id = &p->now.id, .stride = I32(stride), .n = I32(n), SHAPES,
		      .solid_slip = &solids->slip, .solid_count = I32(count),
		      .scalars = &solids->lattice->scalars);
}

bool solids_leave_grid(struct solids *solids, struct particles *p, u32 salt)
{
	return leave_grid(solids, p, &p->before.position, 1, salt);
}

bool solids_leave_again(struct solids *solids, struct particles *p, u32 salt)
{
	return leave_grid(solids, p, &p->places, 0, salt);
}

bool solids_leave_grid_moving(struct solids *solids, struct particles *p, u32 salt, f32 most,
			      struct clx_range each)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, count = (i32)solids->count;
	const i32 rest = (i32)(solids->count - solids->mover_count);
	return !solids->split || p->count == 0 ||
	       LAUNCH(solids->lattice->cl, solids_leave_grid_moving, each, .g = &g,
		      .origin = &p->before.position, .order = &p->order, .salt = U32(salt),
		      .position = &p->now.position, .velocity = &p->now.velocity, .id = &p->now.id,
		      .stride = I32(stride), .n = I32(n), SHAPES, .solid_slip = &solids->slip,
		      .solid_count = I32(count), .rest_count = I32(rest),
		      .mover = &solids->mover_words, .most = F32(most),
		      .scalars = &solids->lattice->scalars);
}

bool solids_forget_grid(struct solids *solids, struct particles *p)
{
	return !solids->split || particles_permute(solids->lattice, p, &p->order);
}
