#include "neighbours/neighbours_parts.h"

#include <math.h>

/* In spacings: SMOOTHING_RADIUS of the kernels. */
#define RADIUS 1.4

bool neighbours_space(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const double distance = RADIUS * neighbours_spacing(sim);
	const i32 stride = (i32)sim->particles.capacity, ops = (i32)sim->solids.op_count;
	const i32 rings = neighbours_rings(sim, distance);
	const f32 radius = (f32)distance;
	/* More than all of the way at once means nothing, and would not fit the integers. */
	const f32 strength = (f32)fmin(sim->scene->solver.spring_stiffness * sim->dt, 1.0);
	const u32 salt = (u32)sim->steps;
	return LAUNCH(sim->cl, neighbours_springs, clx_range1(sim->particles.count), .g = &g,
		      NEIGHBOURS(sim), .stride = I32(stride), .radius = F32(radius),
		      .rings = I32(rings), .strength = F32(strength), .salt = U32(salt),
		      .op_count = I32(ops), .move = &sim->neighbours.move);
}

bool neighbours_resample_at(struct sim *sim, f32 limit)
{
	const struct grid g = sim->lattice.grid;
	const double distance = neighbours_spacing(sim);
	const i32 stride = (i32)sim->particles.capacity, ops = (i32)sim->solids.op_count;
	const i32 rings = neighbours_rings(sim, RADIUS * distance);
	const f32 spacing = (f32)distance;
	return LAUNCH(sim->cl, neighbours_resample, clx_range1(sim->particles.count), .g = &g,
		      NEIGHBOURS(sim), .stride = I32(stride), .spacing = F32(spacing),
		      .rings = I32(rings), .limit = F32(limit), .op_count = I32(ops),
		      .move = &sim->neighbours.move, .velocity = &sim->particles.now.velocity,
		      .velocity_out = &sim->neighbours.velocity);
}
