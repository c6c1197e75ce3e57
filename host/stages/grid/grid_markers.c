#include "grid/grid_markers.h"

#include "grid/grid_start.h"
#include "grid/vof_seed.h"
#include "ledger.h"
#include "seed.h"

/* The velocity is that of volumes by shapes, which no substep looks at. */
static bool seed_velocity(struct sim *sim)
{
	struct vof *v = &sim->vof;
	const size_t points = (size_t)sim->lattice.grid.lattice;
	const bool ok =
		clx_alloc(sim->cl, &v->plane, "distances of planes", points) &&
		clx_alloc(sim->cl, &v->normal, "normals of planes", points * (size_t)sim->dim) &&
		vof_seed(sim) && grid_start_velocity(sim) &&
		clx_zero(sim->cl, &v->volume, 0, v->volume.bytes);
	clx_free(sim->cl, &v->plane);
	clx_free(sim->cl, &v->normal);
	return ok;
}

bool grid_markers_seed(struct sim *sim)
{
	if (!seed_particles(sim) || !seed_velocity(sim))
		return false;
	ledger_open(sim, sim->particles.count, 0);
	return true;
}

bool grid_markers_cells(struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const struct clx_range points = bricks_points(b, BRICKS_BAND);
	return LAUNCH(cl, grid_mark, points, BRICKS(b, BRICKS_BAND), .g = &g,
		      .start = &sim->particles.cell_start, .phi = &sim->phi_raw,
		      .volume = &sim->vof.volume) &&
	       LAUNCH(cl, levelset_cells, points, BRICKS(b, BRICKS_BAND),
		      .layout = &b->layout[BRICKS_BAND], .state = &b->state, .g = &g,
		      .phi = &sim->phi_raw, .open_fraction = &sim->solids.open_fraction,
		      .phi_out = &sim->phi, .cell_type = &sim->cell_type);
}
