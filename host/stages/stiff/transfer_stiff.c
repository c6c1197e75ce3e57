#include "stiff/transfer_stiff.h"

bool transfer_stiff_p2g(struct sim *sim)
{
	struct particles *p = &sim->particles;
	const struct bricks *b = &sim->lattice.bricks;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, solids = sim->scene->solid_count > 0;
	const f32 boost = (f32)sim->scene->vortex_boost, most = (f32)scene_fast_speed(sim->scene);
	return LAUNCH(sim->cl, transfer_p2g_stiff, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .start = &p->cell_start,
		      .position = &p->now.position, .velocity = &p->now.velocity,
		      .stride = I32(stride), .boost = F32(boost), .most = F32(most),
		      .solids = I32(solids), .open_fraction = &sim->solids.open_fraction,
		      .u_face = &sim->u_face, .valid = &sim->valid);
}
