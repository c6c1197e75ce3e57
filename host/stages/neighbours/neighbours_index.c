#include <math.h>

#include "neighbours/neighbours_parts.h"
#include "particles.h"
#include "scan.h"
#include "zero.h"

double neighbours_spacing(const struct sim *sim)
{
	const double n = sim->scene->particles_per_cell;
	return sim->scene->h / (sim->dim == 3 ? cbrt(n) : sqrt(n));
}

i32 neighbours_rings(const struct sim *sim, double distance)
{
	return (i32)ceil(distance / sim->scene->h - 1e-6);
}

bool neighbours_index(struct sim *sim)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const struct clx_range each = clx_range1(p->count);
	/* Ranks and keys lie where moves will. */
	union u32_buffer *rank = CLX_AS(u32, &sim->neighbours.move);
	return ZERO(cl, ZERO_FIRST(&p->cell_start, ((size_t)g.keys + 2) * sizeof(u32))) &&
	       LAUNCH(cl, particles_count, each, .g = &g, .position = &p->now.position,
		      .id = &p->now.id, .stride = I32(stride), .n = I32(n),
		      .counts = &p->cell_start, .rank = rank) &&
	       scan_exclusive(cl, &p->cell_start, (size_t)g.keys + 1, &sim->lattice.scan_scratch) &&
	       LAUNCH(cl, particles_place, each, .stride = I32(stride), .n = I32(n),
		      .start = &p->cell_start, .rank = rank, .order = &sim->neighbours.order) &&
	       LAUNCH(cl, particles_canonical, clx_range1((size_t)g.keys), .g = &g,
		      .id = &p->now.id, .start = &p->cell_start, .order = &sim->neighbours.order);
}

bool neighbours_move(struct sim *sim, f32 limit, u32 turn)
{
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 ops = (i32)sim->solids.op_count, solids = (i32)sim->scene->solid_count;
	const u32 salt = ((u32)sim->steps * 64 + turn) ^ 0x80000000u;
	return LAUNCH(sim->cl, neighbours_move, clx_range1(p->count), .g = &g,
		      .move = &sim->neighbours.move, .limit = F32(limit), .salt = U32(salt),
		      .position = &p->now.position, .velocity = &p->now.velocity, .id = &p->now.id,
		      .stride = I32(stride), .n = I32(n), .ops = &sim->solids.ops,
		      .op_count = I32(ops), .points = &sim->solids.points,
		      .solid_phi = &sim->solids.phi, .solid_slip = &sim->solids.slip,
		      .solid_count = I32(solids), .scalars = &sim->lattice.scalars);
}

static bool copy_velocities(struct sim *sim, const struct clx_buffer *from, struct clx_buffer *to)
{
	const struct particles *p = &sim->particles;
	const size_t living = (size_t)p->count * sizeof(f32),
		     row = (size_t)p->capacity * sizeof(f32);
	bool ok = true;
	for (size_t a = 0; ok && a < (size_t)sim->dim; a++)
		ok = clx_copy_raw(sim->cl, from, a * row, to, a * row, living);
	return ok;
}

bool neighbours_keep_velocities(struct sim *sim)
{
	return copy_velocities(sim, &sim->particles.now.velocity.raw,
			       &sim->neighbours.velocity.raw);
}

bool neighbours_take_velocities(struct sim *sim)
{
	return copy_velocities(sim, &sim->neighbours.velocity.raw,
			       &sim->particles.now.velocity.raw);
}
