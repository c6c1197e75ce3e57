#include "grid/grid_levelset.h"

#include "grid/grid_survey.h"
#include "grid/vof_seed.h"
#include "timestep.h"

/* Of a correction, in cells: how far the volume is looked at beside the level set, and the most
 * that it moves. */
#define CORRECTION_STEP 0.1
#define CORRECTION_MOST 0.1

bool grid_levelset_carry(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	const struct grid g = sim->lattice.grid;
	const i32 order = (i32)scene->solver.advection - ADVECTION_RK1 + 1;
	const i32 cubic = scene->interpolation == INTERPOLATION_CUBIC;
	return LAUNCH(sim->cl, grid_carry_levelset, lattice_points(&sim->lattice), .g = &g,
		      .order = I32(order), .dt = F32(sim->dt_f), .cubic = I32(cubic),
		      .u_face = &sim->u_face, .phi = &sim->levelset.before,
		      .phi_out = &sim->levelset.phi);
}

/* ---- distances ---------------------------------------------------------------------------- */

static bool is_due(const struct sim *sim)
{
	const int every = sim->scene->redistance;
	return every > 0 ? sim->steps % (u64)every == 0 : sim->frame_ends;
}

bool grid_levelset_make_distance(struct sim *sim)
{
	struct levelset *l = &sim->levelset;
	/* Flooding exchanges its buffers; those of the simulation stay where they are. */
	struct distance d = l->distance;
	const struct grid g = sim->lattice.grid;
	return distance_flood_redistance(&d, &sim->lattice, &l->phi, &l->distances) &&
	       LAUNCH(sim->cl, grid_keep_at_walls, lattice_points(&sim->lattice), .g = &g,
		      .u_face = &sim->u_face, .phi = &l->phi, .distance = &l->distances) &&
	       clx_copy(sim->cl, &l->distances, 0, &l->phi, 0, l->phi.bytes);
}

bool grid_levelset_redistance(struct sim *sim)
{
	return !is_due(sim) || grid_levelset_make_distance(sim);
}

/* ---- volume ------------------------------------------------------------------------------- */

static int64_t units_at(const struct sim *sim, enum scalar which)
{
	const u32 *words = sim->lattice.host_scalars + which;
	return (int64_t)((u64)words[1] << 32 | words[0]);
}

/* Newton: too much, over what the surface moves by per m. */
static f32 correction(const struct sim *sim)
{
	const double h = sim->scene->h, most = CORRECTION_MOST * h;
	const int64_t below = units_at(sim, SCALAR_LEVELSET_UNITS);
	const int64_t wider = units_at(sim, SCALAR_LEVELSET_WIDER) - below;
	const double excess = (double)(below - sim->levelset.units_start);
	if (wider <= 0)
		return 0.0f;
	const double shift = excess / (double)wider * CORRECTION_STEP * h;
	return (f32)(shift > most ? most : shift < -most ? -most : shift);
}

static bool correct_volume(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	/* A pass of Newton begins with sums of its own. */
	static const u32 none[4];
	const f32 step = (f32)CORRECTION_STEP * g.h;
	if (!clx_write(sim->cl, &sim->lattice.scalars, SCALAR_LEVELSET_UNITS * sizeof(u32),
		       sizeof(none), none) ||
	    !LAUNCH(sim->cl, grid_sum_levelset, clx_range3((size_t)g.ny, (size_t)g.nz, 1), .g = &g,
		    .phi = &sim->levelset.phi, .step = F32(step),
		    .scalars = &sim->lattice.scalars) ||
	    !lattice_read_scalars(&sim->lattice))
		return false;
	const f32 by = correction(sim);
	return LAUNCH(sim->cl, grid_shift_levelset, lattice_points(&sim->lattice), .g = &g,
		      .by = F32(by), .phi = &sim->levelset.phi);
}

bool grid_levelset_fill(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	return (!sim->scene->volume_correction || correct_volume(sim)) &&
	       LAUNCH(sim->cl, grid_fill_levelset, lattice_points(&sim->lattice), .g = &g,
		      .phi = &sim->levelset.phi, .volume = &sim->vof.volume);
}

/* ---- what the solver sees ----------------------------------------------------------------- */

bool grid_levelset_cells(struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const struct clx_range points = bricks_points(b, BRICKS_BAND);
	return LAUNCH(cl, grid_limit_levelset, points, BRICKS(b, BRICKS_BAND), .g = &g,
		      .volume = &sim->vof.volume, .phi = &sim->levelset.phi,
		      .phi_out = &sim->phi_raw) &&
	       LAUNCH(cl, levelset_cells, points, BRICKS(b, BRICKS_BAND),
		      .layout = &b->layout[BRICKS_BAND], .state = &b->state, .g = &g,
		      .phi = &sim->phi_raw, .open_fraction = &sim->solids.open_fraction,
		      .phi_out = &sim->phi, .cell_type = &sim->cell_type);
}

/* ---- its part of a substep's frame -------------------------------------------------------- */

bool grid_levelset_longest_step(struct sim *sim, double *dt)
{
	sim->u_max = sim->grid_speed;
	timestep_limit(sim, sim->scene->time.cfl, dt);
	return true;
}

bool grid_levelset_know_start(struct sim *sim)
{
	struct levelset *l = &sim->levelset;
	l->start_known = l->start_known || vof_seeded_units(sim, &l->units_start);
	return l->start_known;
}

bool grid_levelset_statistics(struct sim *sim)
{
	if (!grid_statistics(sim))
		return false;
	const int64_t start = sim->levelset.units_start;
	const int64_t lost = sim->vof.units_after - start;
	sim->stats.volume_error = start > 0 ? (double)lost / (double)start : 0.0;
	return true;
}
