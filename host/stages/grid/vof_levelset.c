#include "grid/vof_levelset.h"

bool vof_levelset(struct sim *sim)
{
	struct clx *cl = sim->cl;
	struct vof *v = &sim->vof;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const struct clx_range points = bricks_points(b, BRICKS_BAND);
	return LAUNCH(cl, vof_planes, points, BRICKS(b, BRICKS_BAND), .g = &g, .volume = &v->volume,
		      .plane = &v->plane, .normal = &v->normal) &&
	       LAUNCH(cl, vof_distance, points, BRICKS(b, BRICKS_BAND), .g = &g,
		      .volume = &v->volume, .plane = &v->plane, .normal = &v->normal,
		      .phi = &sim->phi_raw) &&
	       LAUNCH(cl, levelset_cells, points, BRICKS(b, BRICKS_BAND),
		      .layout = &b->layout[BRICKS_BAND], .state = &b->state, .g = &g,
		      .phi = &sim->phi_raw, .open_fraction = &sim->solids.open_fraction,
		      .phi_out = &sim->phi, .cell_type = &sim->cell_type);
}
