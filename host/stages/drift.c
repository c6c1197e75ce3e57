#include "pressure.h"
#include "solids.h"
#include "stages.h"

/* Time in which an excess of density is worked off, s. */
#define DRIFT_TAU (1.0 / 60.0)
/* Largest displacement per substep, in cells. */
#define DRIFT_LIMIT 0.1
#define DRIFT_TOLERANCE 1e-1
#define DRIFT_MAX_ITERATIONS 20
/* drift `density`: least excess that counts, and the largest share worked off per substep. */
#define DRIFT_DEAD_BAND 0.2
#define DRIFT_DENSITY_KAPPA 0.1

/* Sums of the particles' linear weights, in units of 2^-bits. */
static bool splat_density(struct sim *sim, struct clx_buffer *sum, int moved, i32 bits)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	if (!clx_zero(cl, sum, 0, (size_t)g.lattice * sizeof(u32)))
		return false;
	if (clx_splat_path(cl) != CLX_SPLAT_BLOCK)
		return LAUNCH(cl, K_DRIFT_DENSITY_ATOMIC, clx_range1(p->count), ARG(g), ARG(bits),
			      BUF(p->now.position), BUF(p->now.id), ARG(stride), ARG(n), BUF(*sum));
	/* Blocks of one colour must stay clear of each other: 2 (moved + 1) <= (period - 1) edge.
	 */
	const int edge = sim->dim == 3 ? BLOCK_EDGE_3D : BLOCK_EDGE_2D;
	const i32 period = 1 + (2 * (moved + 1) + edge - 1) / edge;
	for (i32 z = 0; z < (sim->dim == 3 ? period : 1); z++)
		for (i32 y = 0; y < period; y++)
			for (i32 x = 0; x < period; x++)
				if (!LAUNCH(cl, K_DRIFT_DENSITY_BLOCK, stages_blocks(sim, period),
					    ARG(g), ARG(bits), ARG(period), ARG(x), ARG(y), ARG(z),
					    BUF(p->cell_start), BUF(p->now.position),
					    BUF(p->now.id), ARG(stride), BUF(*sum)))
					return false;
	return true;
}

/* Linear density at the cells into `sum` (u32 [L]); *to_rho makes rho/rho0 of it.  `moved` bounds,
 * in cells, how far particles are from where they were sorted. */
static bool hat_density(struct sim *sim, struct clx_buffer *sum, int moved, f32 *to_rho)
{
	const struct particles *p = &sim->particles;
	u64 reach = 2 * (u64)moved + 3, contributions = sim->host_scalars[SCALAR_MAX_PPC];
	for (int a = 0; a < sim->dim; a++)
		contributions *= reach;
	if (contributions > p->count)
		contributions = p->count;
	int spare = 31 - stages_log2_ceil(contributions ? contributions : 1);
	const i32 bits = spare > 20 ? 20 : spare;
	*to_rho = (f32)(1.0 / ((double)((u64)1 << bits) * sim->scene->particles_per_cell));
	return splat_density(sim, sum, moved, bits) && solids_cut_drift(sim, sum, bits);
}

/* How far, in whole cells, particles are outside the blocks in which they were sorted. */
static bool measure_reach(struct sim *sim, int *cells)
{
	struct particles *p = &sim->particles;
	const struct grid g = sim->grid;
	const i32 stride = (i32)p->capacity;
	if (!stages_set_scalar(sim, SCALAR_DRIFT_REACH, 0) ||
	    !LAUNCH(sim->cl, K_DRIFT_REACH, clx_range3((size_t)g.bx, (size_t)g.by, (size_t)g.bz),
		    ARG(g), BUF(p->cell_start), BUF(p->now.position), BUF(p->now.id), ARG(stride),
		    BUF(sim->scalars)) ||
	    !stages_read_scalars(sim))
		return false;
	*cells = (int)sim->host_scalars[SCALAR_DRIFT_REACH];
	return true;
}

bool drift_add_divergence(struct sim *sim)
{
	struct multigrid *mg = &sim->solver->mg;
	const struct grid g = sim->grid;
	const i32 split = sim->solids_split;
	f32 to_rho;
	if (sim->scene->solver.drift != DRIFT_DENSITY)
		return true;
	double kappa = sim->dt / DRIFT_TAU;
	if (kappa > DRIFT_DENSITY_KAPPA)
		kappa = DRIFT_DENSITY_KAPPA;
	const f32 scale = (f32)((double)g.h * kappa / sim->dt), dead_band = (f32)DRIFT_DEAD_BAND;
	/* The density lies in the search direction, which starts from zeros. */
	struct clx_buffer *density = &sim->solver->direction;
	return hat_density(sim, density, 0, &to_rho) &&
	       LAUNCH(sim->cl, K_DRIFT_ADD_DIVERGENCE, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), ARG(g),
		      ARG(mg->levels[0]), ARG(to_rho), ARG(scale), ARG(dead_band), BUF(*density),
		      BUF(sim->volume_open), BUF(sim->cell_type), BUF(sim->opened), ARG(split),
		      BUF(sim->open_fraction), BUF(sim->solver->rhs)) &&
	       clx_zero(sim->cl, density, 0, density->bytes);
}

/* The density correction's equation: div grad q = what the cells hold too much. */
struct correction {
	int moved; /* cells that particles are outside the blocks in which they were sorted */
	int iterations;
	double residual;
	bool failed;
};

/* As pressure_for_drift() calls it. */
static bool solve(struct sim *sim, void *user)
{
	struct correction *c = user;
	struct pressure *solver = sim->solver;
	struct multigrid *mg = &solver->mg;
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	const i32 split = sim->solids_split;
	double kappa = sim->dt / DRIFT_TAU;
	if (kappa > 1.0)
		kappa = 1.0;
	const f32 scale = (f32)((double)g.h * kappa);
	f32 to_rho;
	/* The density lies in the search direction, which starts from zeros. */
	struct clx_buffer *density = &solver->direction;
	return LAUNCH(cl, K_DRIFT_CLOSE_WALLS, stages_flat(sim), ARG(g), BUF(sim->opened)) &&
	       pressure_build_operator(sim) && hat_density(sim, density, c->moved, &to_rho) &&
	       pressure_place_rhs(sim, &solver->rhs_of_drift) &&
	       LAUNCH(cl, K_DRIFT_RHS, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), ARG(g),
		      ARG(mg->levels[0]), ARG(to_rho), ARG(scale), BUF(*density),
		      BUF(sim->volume_open), BUF(sim->cell_type), BUF(sim->opened), ARG(split),
		      BUF(sim->open_fraction), BUF(solver->rhs)) &&
	       clx_zero(cl, density, 0, density->bytes) && ledger_drift(sim) &&
	       pressure_solve(sim, false, DRIFT_TOLERANCE, DRIFT_MAX_ITERATIONS, &c->iterations,
			      &c->residual, &c->failed);
}

/* Moves the particles by what the solution tells. */
static bool move(struct sim *sim)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	const struct bricks *b = &sim->bricks;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 ops = (i32)sim->solid_op_count, solids = (i32)sim->scene->solid_count;
	const u32 salt = (u32)(2 * sim->steps + 1);
	const f32 limit = (f32)(DRIFT_LIMIT * (double)g.h);
	const bool lanes = stages_collide_in_lanes(sim);
	return clx_zero(cl, &sim->drift_valid, 0, sim->drift_valid.bytes) &&
	       LAUNCH(cl, K_DRIFT_DISPLACEMENT, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), ARG(g), ARG(sim->solver->mg.levels[0]),
		      BUF(sim->solver->solution), BUF(sim->cell_type), BUF(sim->phi),
		      BUF(sim->open_fraction), BUF(sim->opened), BUF(sim->displacement),
		      BUF(sim->drift_valid)) &&
	       extrapolate_field(sim, &sim->displacement, NULL, 2, &sim->drift_valid) &&
	       LAUNCH(cl, lanes ? K_DRIFT_MOVE_LANES : K_DRIFT_MOVE,
		      lanes ? stages_chunks(p->count) : clx_range1(p->count), ARG(g),
		      BUF(sim->displacement), ARG(limit), ARG(salt), BUF(p->now.position),
		      BUF(p->now.velocity), BUF(p->now.id), ARG(stride), ARG(n),
		      BUF(sim->shape_ops), ARG(ops), BUF(sim->shape_points), BUF(sim->solid_phi),
		      BUF(sim->solid_slip), ARG(solids), BUF(sim->scalars));
}

static bool move_apart(struct sim *sim)
{
	struct correction c = {0};
	if (sim->scene->solver.drift != DRIFT_POSITION || sim->particles.count == 0)
		return true;
	if (!measure_reach(sim, &c.moved))
		return false;
	/* Only a position that is not a number is further away than the layers of velocities. */
	if (c.moved < 0 || c.moved > sim->layers + 4) {
		sim->step_failed = STEP_PARTICLE_NOT_FINITE;
		return true;
	}
	if (!pressure_for_drift(sim, solve, &c))
		return false;
	sim->stats.drift_iterations = c.iterations;
	sim->stats.drift_solves = 1;
	sim->stats.drift_limits = c.residual > DRIFT_TOLERANCE;
	/* Particles where they are do no harm; the next substep tries again. */
	return c.failed || move(sim);
}

bool drift_correct(struct sim *sim)
{
	return move_apart(sim) && solids_leave_grid(sim);
}
