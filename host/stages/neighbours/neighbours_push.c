#include "neighbours/neighbours_parts.h"

/* What these kernels take. */
struct push_arguments {
	struct grid g;
	i32 stride, rings, ops;
	f32 distance;
};

static struct push_arguments arguments(const struct sim *sim, double distance)
{
	return (struct push_arguments){
		.g = sim->lattice.grid,
		.stride = (i32)sim->particles.capacity,
		.rings = neighbours_rings(sim, distance),
		.ops = (i32)sim->solids.op_count,
		.distance = (f32)distance,
	};
}

bool neighbours_count_contacts(struct sim *sim, double distance)
{
	const struct push_arguments a = arguments(sim, distance);
	return LAUNCH(sim->cl, neighbours_contacts, clx_range1(sim->particles.count), .g = &a.g,
		      NEIGHBOURS(sim), .stride = I32(a.stride), .distance = F32(a.distance),
		      .rings = I32(a.rings), .op_count = I32(a.ops),
		      .contacts = &sim->neighbours.contacts);
}

bool neighbours_push_apart(struct sim *sim, double distance)
{
	const struct push_arguments a = arguments(sim, distance);
	return LAUNCH(sim->cl, neighbours_push, clx_range1(sim->particles.count), .g = &a.g,
		      NEIGHBOURS(sim), .stride = I32(a.stride), .distance = F32(a.distance),
		      .rings = I32(a.rings), .op_count = I32(a.ops),
		      .contacts = &sim->neighbours.contacts, .move = &sim->neighbours.move);
}

bool neighbours_collide_pairs(struct sim *sim, double distance)
{
	const struct push_arguments a = arguments(sim, distance);
	return LAUNCH(sim->cl, neighbours_collide, clx_range1(sim->particles.count), .g = &a.g,
		      NEIGHBOURS(sim), .stride = I32(a.stride), .distance = F32(a.distance),
		      .rings = I32(a.rings), .op_count = I32(a.ops),
		      .contacts = &sim->neighbours.contacts,
		      .velocity = &sim->particles.now.velocity,
		      .velocity_out = &sim->neighbours.velocity);
}
