#include "moving/motion.h"

#include "bodies/bodies.h"
#include "frame_time.h"
#include "solids_motion.h"
#include "zero.h"

i32 motion_has_flow(const struct sim *sim)
{
	return sim->sources.has_flow || sim->solids.moving;
}

bool motion_begin(struct sim *sim)
{
	bodies_begin(sim);
	return solids_move(&sim->solids, sim->time);
}

bool motion_place(struct sim *sim, double time, const struct body *bodies)
{
	sim->time = time;
	if (bodies)
		bodies_put(sim, bodies);
	return motion_begin(sim);
}

bool motion_flow(struct sim *sim)
{
	return !sim->solids.moving || (ZERO(sim->cl, ZERO_ALL(&sim->flow)) && bodies_push(sim) &&
				       solids_plan_motion(&sim->solids, sim->time, sim->dt) &&
				       solids_push_faces(&sim->solids, &sim->flow));
}

bool motion_finish(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	bodies_finish(sim);
	return !sim->solids.moving ||
	       (solids_move(&sim->solids, frame_time_substep(sim)) &&
		LAUNCH(sim->cl, levelset_types, bricks_points(b, BRICKS_BAND),
		       BRICKS(b, BRICKS_BAND), .g = &g, .phi = &sim->phi,
		       .open_fraction = &sim->solids.open_fraction, .cell_type = &sim->cell_type));
}
