#include "drift.h"

#include <stdlib.h>

#include "bits.h"
#include "components.h"
#include "extrapolate.h"
#include "ledger.h"
#include "particles.h"
#include "solids_particles.h"
#include "zero.h"

/* Largest displacement per substep, in cells. */
#define DRIFT_LIMIT 0.1
#define DRIFT_TOLERANCE 1e-3
#define DRIFT_MAX_ITERATIONS 20
/* drift `density`: least excess that counts, and the largest share worked off per substep. */
#define DRIFT_DEAD_BAND 0.2
#define DRIFT_DENSITY_KAPPA 0.1

/* Cells around a block in its tile, where most of its particles still are. */
#define TILE_MARGIN 2

static size_t tile_bytes(int dim)
{
	const size_t edge = (size_t)BLOCK_EDGE(dim) + 2 * TILE_MARGIN;
	return edge * edge * (dim == 3 ? edge : 1) * sizeof(u32);
}

/* Sums of the particles' linear weights, in units of 2^-bits. */
static bool splat_density(struct sim *sim, union u32_buffer *sum, int moved, i32 bits)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity;
	if (!ZERO(cl, ZERO_FIRST(sum, (size_t)g.lattice * sizeof(u32))))
		return false;
	if (clx_splat_path(cl) != SPLAT_BLOCK)
		return LAUNCH(cl, drift_density_tile, clx_groups(cl, (size_t)g.keys / BLOCK_CELLS),
			      .g = &g, .bits = I32(bits), .start = &p->cell_start,
			      .position = &p->now.position, .id = &p->now.id, .stride = I32(stride),
			      .sum = sum, .margin = I32(TILE_MARGIN),
			      .tile = LOCAL(tile_bytes(sim->dim)));
	/* Blocks of one colour must stay clear of each other: 2 (moved + 1) <= (period - 1) edge.
	 */
	const int edge = BLOCK_EDGE(sim->dim);
	const i32 period = 1 + (2 * (moved + 1) + edge - 1) / edge;
	for (i32 z = 0; z < (sim->dim == 3 ? period : 1); z++)
		for (i32 y = 0; y < period; y++)
			for (i32 x = 0; x < period; x++)
				if (!LAUNCH(cl, drift_density_block,
					    lattice_blocks(&sim->lattice, period), .g = &g,
					    .bits = I32(bits), .period = I32(period),
					    .colour_x = I32(x), .colour_y = I32(y),
					    .colour_z = I32(z), .start = &p->cell_start,
					    .position = &p->now.position, .id = &p->now.id,
					    .stride = I32(stride), .sum = sum))
					return false;
	return true;
}

/* Linear density at the cells into `sum` (u32 [L]); *to_rho makes rho/rho0 of it.  `moved` bounds,
 * in cells, how far particles are from where they were sorted. */
static bool hat_density(struct sim *sim, union u32_buffer *sum, int moved, f32 *to_rho)
{
	const struct particles *p = &sim->particles;
	u64 reach = 2 * (u64)moved + 3, contributions = sim->lattice.host_scalars[SCALAR_MAX_PPC];
	for (int a = 0; a < sim->dim; a++)
		contributions *= reach;
	if (contributions > p->count)
		contributions = p->count;
	int spare = 31 - log2_ceil(contributions ? contributions : 1);
	const i32 bits = spare > 20 ? 20 : spare;
	*to_rho = (f32)(1.0 / ((double)((u64)1 << bits) * sim->scene->particles_per_cell));
	return splat_density(sim, sum, moved, bits) && solids_cut_drift(&sim->solids, p, sum, bits);
}

/* Is the excess of density told from that of the start? */
static bool has_rest(const struct solver_settings *settings)
{
	return settings->drift == DRIFT_PUSH || settings->drift == DRIFT_SPRINGS;
}

/* Is the cell liquid, not cut, and are all around it? */
static bool is_inside(const struct sim *sim, const uint8_t *type, const uint16_t *open, i32 i,
		      i32 j, i32 k)
{
	const struct grid *g = &sim->lattice.grid;
	const i32 depth = sim->dim == 3 ? 1 : 0;
	for (i32 c = k - depth; c <= k + depth; c++)
		for (i32 b = j - 1; b <= j + 1; b++)
			for (i32 a = i - 1; a <= i + 1; a++) {
				const i32 at = (c * g->py + b) * g->px + a;
				if (a < 0 || b < 0 || c < 0 || a >= g->nx || b >= g->ny ||
				    c >= g->nz)
					continue;
				if (type[at] != CELL_LIQUID || open[at] != FRACTION_ONE)
					return false;
			}
	return true;
}

bool drift_measure_rest(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const size_t points = (size_t)g.lattice;
	union u32_buffer *density = CLX_AS(u32, &sim->poisson.direction);
	u64 total = 0, cells = 0;
	f32 to_rho;
	if (!has_rest(&sim->scene->solver))
		return true;
	sim->neighbours.rest = 1.0;
	if (sim->particles.count == 0)
		return true;
	if (!hat_density(sim, density, 0, &to_rho))
		return false;
	u32 *sum = clx_read_copy(sim->cl, density, points * sizeof(u32));
	uint8_t *type = clx_read_copy(sim->cl, &sim->cell_type, points);
	uint16_t *open = clx_read_copy(sim->cl, &sim->solids.volume_open, points * sizeof(*open));
	const bool ok = sum && type && open;
	for (i32 k = 0; ok && k < g.nz; k++)
		for (i32 j = 0; j < g.ny; j++)
			for (i32 i = 0; i < g.nx; i++)
				if (is_inside(sim, type, open, i, j, k)) {
					total += sum[(k * g.py + j) * g.px + i];
					cells++;
				}
	free(sum);
	free(type);
	free(open);
	if (cells > 0 && total > 0)
		sim->neighbours.rest = (double)to_rho * (double)total / (double)cells;
	return ok;
}

/* Of drift `push` and `springs`: each particle more than at rest lets density_stiffness flow out of
 * a cell; in any case no more than DRIFT_DENSITY_KAPPA of the excess is worked off. */
static double push_flow(const struct sim *sim)
{
	const struct scene *scene = sim->scene;
	const double flow =
		scene->solver.density_stiffness * scene->particles_per_cell * sim->neighbours.rest;
	const double most = DRIFT_DENSITY_KAPPA * scene->h / sim->dt;
	return flow < most ? flow : most;
}

bool drift_add_divergence(struct sim *sim)
{
	struct multigrid *mg = &sim->poisson.mg;
	const struct grid g = sim->lattice.grid;
	const i32 split = sim->solids.split;
	const struct solver_settings *settings = &sim->scene->solver;
	const bool push = has_rest(settings);
	f32 to_rho;
	if (push ? !(settings->density_stiffness > 0.0) : settings->drift != DRIFT_DENSITY)
		return true;
	double kappa = sim->dt / settings->drift_time;
	if (kappa > DRIFT_DENSITY_KAPPA)
		kappa = DRIFT_DENSITY_KAPPA;
	const f32 scale = (f32)(push ? push_flow(sim) : (double)g.h * kappa / sim->dt);
	const f32 dead_band = push ? 0.0f : (f32)DRIFT_DEAD_BAND;
	/* The density lies in the search direction, which a solve clears when it begins. */
	union u32_buffer *density = CLX_AS(u32, &sim->poisson.direction);
	if (!hat_density(sim, density, 0, &to_rho))
		return false;
	if (push)
		to_rho = (f32)((double)to_rho / sim->neighbours.rest);
	return LAUNCH(sim->cl, drift_add_divergence, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), .g = &g,
		      .level = &mg->levels[0], .to_rho = F32(to_rho), .scale = F32(scale),
		      .dead_band = F32(dead_band), .sum = density,
		      .volume_open = &sim->solids.volume_open, .cell_type = &sim->cell_type,
		      .opened = &sim->opened, .split = I32(split),
		      .open_fraction = &sim->solids.open_fraction, .b = &sim->poisson.rhs);
}

/* The density correction's equation: -div grad q = what the cells hold too much.  False after
 * reporting, or with sim->step_failed. */
static bool solve_for_drift(struct sim *sim, struct poisson_result *result)
{
	struct poisson *solver = &sim->poisson;
	struct multigrid *mg = &solver->mg;
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 split = sim->solids.split;
	double kappa = sim->dt / sim->scene->solver.drift_time;
	if (kappa > 1.0)
		kappa = 1.0;
	const f32 scale = (f32)((double)g.h * kappa);
	f32 to_rho;
	/* How far the advection has taken them. */
	if (!lattice_read_scalars(&sim->lattice))
		return false;
	const int moved = (int)sim->lattice.host_scalars[SCALAR_DRIFT_REACH];
	/* Only a position that is not a number is further away than the layers of velocities. */
	if (moved < 0 || moved > sim->layers + 4) {
		sim->step_failed = STEP_PARTICLE_NOT_FINITE;
		return false;
	}
	/* The density lies in the search direction, which a solve clears when it begins. */
	union u32_buffer *density = CLX_AS(u32, &solver->direction);
	/* Walls that have let go have changed the operator; solids that have moved, and outflows
	 * that were open then. */
	if ((sim->solids.moving || sim->outflows.faces > 0) &&
	    (!poisson_list_unknowns(solver, &sim->opened) || !components_set_up(solver)))
		return false;
	return (!solver->updated || LAUNCH(cl, drift_close_walls, lattice_flat(&sim->lattice),
					   .g = &g, .opened = &sim->opened)) &&
	       poisson_return_operator(solver) && hat_density(sim, density, moved, &to_rho) &&
	       poisson_begin(solver, POISSON_DRIFT) &&
	       LAUNCH(cl, drift_rhs, bricks_in_rows(cl, mg->bricks, BRICKS_LEVEL), MG_LIST(mg, 0),
		      .g = &g, .level = &mg->levels[0], .to_rho = F32(to_rho), .scale = F32(scale),
		      .sum = density, .volume_open = &sim->solids.volume_open,
		      .cell_type = &sim->cell_type, .opened = &sim->opened, .split = I32(split),
		      .open_fraction = &sim->solids.open_fraction, .b = &solver->rhs) &&
	       ledger_drift(sim) &&
	       poisson_solve(solver, false, DRIFT_TOLERANCE, DRIFT_MAX_ITERATIONS, result);
}

/* Moves the particles by what the solution tells. */
static bool move_particles(struct sim *sim)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 ops = (i32)sim->solids.op_count, solids = (i32)sim->scene->solid_count;
	const u32 salt = (u32)(2 * sim->steps + 1);
	const f32 limit = (f32)(DRIFT_LIMIT * (double)g.h);
	const bool lanes = particles_collide_in_lanes(sim);
	return LAUNCH(cl, drift_displacement, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		      .g = &g, .level = &sim->poisson.mg.levels[0], .q = &sim->poisson.solution,
		      .cell_type = &sim->cell_type, .phi = &sim->phi,
		      .open_fraction = &sim->solids.open_fraction, .opened = &sim->opened,
		      .displacement = &sim->displacement, .valid = &sim->drift_valid) &&
	       extrapolate_field(sim, &sim->displacement, NULL, 2, &sim->drift_valid) &&
	       LAUNCH_EITHER(cl, lanes, drift_move_lanes, drift_move,
			     lanes ? lattice_chunks(p->count) : clx_range1(p->count), .g = &g,
			     .displacement = &sim->displacement, .limit = F32(limit),
			     .salt = U32(salt), .position = &p->now.position,
			     .velocity = &p->now.velocity, .id = &p->now.id, .stride = I32(stride),
			     .n = I32(n), .ops = &sim->solids.ops, .op_count = I32(ops),
			     .points = &sim->solids.points, .solid_phi = &sim->solids.phi,
			     .solid_slip = &sim->solids.slip, .solid_count = I32(solids),
			     .scalars = &sim->lattice.scalars);
}

static bool move_apart(struct sim *sim)
{
	struct poisson_result result;
	if (sim->scene->solver.drift != DRIFT_POSITION || sim->particles.count == 0)
		return true;
	if (!solve_for_drift(sim, &result))
		return sim->step_failed != STEP_FINE;
	sim->stats.drift_iterations = result.iterations;
	sim->stats.drift_solves = 1;
	sim->stats.drift_limits = !result.reached;
	/* Particles where they are do no harm; the next substep tries again. */
	return result.failed || move_particles(sim);
}

bool drift_correct(struct sim *sim)
{
	const u32 salt = (u32)(2 * sim->steps) ^ 0x40000000u;
	/* Among solids that move they are at their true places before. */
	if (sim->solids.moving)
		return sim->scene->solver.drift != DRIFT_POSITION ||
		       (solids_enter_again(&sim->solids, &sim->particles) && move_apart(sim) &&
			solids_leave_again(&sim->solids, &sim->particles, salt));
	return move_apart(sim) && solids_leave_grid(&sim->solids, &sim->particles, salt);
}
