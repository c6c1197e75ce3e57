#include "particle_set.h"

union f32_buffer *particle_set_values(struct particle_set *set, enum particle_attribute attribute)
{
	return (void *)((char *)set + attribute_rows[attribute].member);
}

bool particles_permute(struct lattice *lattice, struct particles *p, const union u32_buffer *order)
{
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	return LAUNCH(lattice->cl, particles_permute, clx_range1(p->count), .order = order,
		      .n = I32(n), .stride = I32(stride), .position = &p->before.position,
		      .velocity = &p->before.velocity, .id = &p->before.id,
		      .position_out = &p->now.position, .velocity_out = &p->now.velocity,
		      .id_out = &p->now.id);
}

bool particles_collect(struct lattice *lattice, struct particles *p, const union u32_buffer *order)
{
	const struct grid g = lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 affine = (p->carried & ATTRIBUTE_BIT(ATTRIBUTE_AFFINE)) != 0;
	const bool in_rows = clx_in_lanes(lattice->cl);
	const i32 run = in_rows ? LANES_CHUNK : 0;
	return LAUNCH(lattice->cl, particles_collect,
		      in_rows ? lattice_chunks(p->count)
			      : clx_range1(lattice_striding_items(lattice, p->count)),
		      .g = &g, .start = &p->cell_start, .order = order, .n = I32(n),
		      .stride = I32(stride), .run = I32(run), .position = &p->before.position,
		      .velocity = &p->before.velocity, .id = &p->before.id,
		      .affine_out = &p->now.affine, .has_affine = I32(affine),
		      .position_out = &p->now.position, .velocity_out = &p->now.velocity,
		      .id_out = &p->now.id, .scalars = &lattice->scalars);
}

bool particles_permute_rest(struct lattice *lattice, struct particles *p,
			    const union u32_buffer *order)
{
	const u32 others = ATTRIBUTE_BIT(ATTRIBUTE_POSITION) | ATTRIBUTE_BIT(ATTRIBUTE_VELOCITY) |
			   ATTRIBUTE_BIT(ATTRIBUTE_ID);
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		const i32 columns = (i32)attribute_columns(a, (size_t)lattice->dim);
		if (attribute_rows[a].on_device && (p->carried & ~others & ATTRIBUTE_BIT(a)) &&
		    !LAUNCH(lattice->cl, particles_permute_columns,
			    clx_range3(p->count, (size_t)columns, 1), .order = order, .n = I32(n),
			    .stride = I32(stride), .columns = I32(columns),
			    .values = particle_set_values(&p->before, a),
			    .values_out = particle_set_values(&p->now, a)))
			return false;
	}
	return true;
}
