#include "grid/vof.h"

/* Every order of the axes in turn, so that none comes first more often. */
static int axis_of(int dim, u64 step, int sweep)
{
	static const int orders[6][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0},
					 {0, 2, 1}, {2, 0, 1}, {1, 0, 2}};
	return dim == 2 ? (int)((step + (u64)sweep) & 1) : orders[step % 6][sweep];
}

bool vof_move(struct sim *sim)
{
	struct clx *cl = sim->cl;
	struct vof *v = &sim->vof;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const f32 courant = sim->dt_f * g.inv_h;
	for (int sweep = 0; sweep < sim->dim; sweep++) {
		const i32 axis = axis_of(sim->dim, sim->steps, sweep);
		const i32 last = sweep + 1 == sim->dim;
		if (!LAUNCH(cl, vof_flux, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
			    .g = &g, .axis = I32(axis), .courant = F32(courant),
			    .volume = &v->volume, .u_face = &sim->u_face,
			    .open_fraction = &sim->solids.open_fraction, .flux = &v->flux,
			    .scalars = &sim->lattice.scalars) ||
		    !LAUNCH(cl, vof_update, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
			    .layout = &b->layout[BRICKS_BAND], .state = &b->state, .g = &g,
			    .axis = I32(axis), .last = I32(last), .courant = F32(courant),
			    .flux = &v->flux, .u_face = &sim->u_face, .before = &v->before,
			    .volume = &v->volume))
			return false;
	}
	return true;
}

bool vof_add_divergence(struct sim *sim)
{
	struct multigrid *mg = &sim->poisson.mg;
	const struct grid g = sim->lattice.grid;
	const f32 scale = (f32)((double)g.h / sim->dt);
	return sim->vof.volume.bytes == 0 ||
	       LAUNCH(sim->cl, vof_add_divergence, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), .g = &g,
		      .level = &mg->levels[0], .scale = F32(scale), .volume = &sim->vof.volume,
		      .cell_type = &sim->cell_type, .b = &sim->poisson.rhs);
}
