#include "moving/particles_moving.h"

#include "solids_motion.h"
#include "solids_particles.h"

bool particles_advect_moving(struct sim *sim, bool lanes)
{
	struct particles *p = &sim->particles;
	const struct solids *s = &sim->solids;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 order = (i32)sim->scene->solver.advection - ADVECTION_RK1 + 1;
	const i32 ops = (i32)s->op_count, count = (i32)s->count;
	const i32 rest = (i32)(s->count - s->mover_count);
	const u32 salt = (u32)(2 * sim->steps), true_salt = salt ^ 0x40000000u;
	const f32 most = (f32)solids_greatest_way(s, sim->time, sim->dt);
	const struct clx_range each = clx_range1(lattice_striding_items(&sim->lattice, p->count));
	return LAUNCH_EITHER(
		       sim->cl, lanes, particles_advect_moving_lanes, particles_advect_moving,
		       lanes ? lattice_chunks(p->count) : each, .g = &g, .u_face = &sim->u_face,
		       .order = I32(order), .dt = F32(sim->dt_f), .salt = U32(salt),
		       .position = &p->now.position, .velocity = &p->now.velocity, .id = &p->now.id,
		       .stride = I32(stride), .n = I32(n), .ops = &s->ops, .op_count = I32(ops),
		       .points = &s->points, .solid_phi = &s->phi, .solid_slip = &s->slip,
		       .solid_count = I32(count), .rest_count = I32(rest), .mover = &s->mover_words,
		       .most = F32(most), .scalars = &sim->lattice.scalars) &&
	       solids_leave_grid_moving(&sim->solids, p, true_salt, most, each);
}
