#include "grid/advect_velocity.h"

#include <math.h>

bool advect_velocity(struct sim *sim)
{
	struct clx *cl = sim->cl;
	struct vof *v = &sim->vof;
	const struct scene *scene = sim->scene;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const i32 order = (i32)scene->solver.advection - ADVECTION_RK1 + 1;
	const i32 correct = scene->velocity_advection == VELOCITY_MACCORMACK;
	/* Paths, and the samples around their ends. */
	const i32 reach = (i32)floor(scene->time.cfl) + 2;
	return LAUNCH(cl, advect_trace, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		      .g = &g, .order = I32(order), .dt = F32(sim->dt_f), .reach = I32(reach),
		      .ranges = I32(correct), .u = &v->u_before, .volume = &v->volume,
		      .traced = &v->traced, .least = &v->least, .most = &v->most) &&
	       LAUNCH(cl, advect_velocity, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		      .g = &g, .order = I32(order), .dt = F32(sim->dt_f), .correct = I32(correct),
		      .u = &v->u_before, .traced = &v->traced, .least = &v->least, .most = &v->most,
		      .volume = &v->volume, .cell_type = &sim->cell_type, .u_face = &sim->u_face,
		      .valid = &sim->valid);
}
