/* Iterations of the pressure solve: conjugate gradients and stationary ones
 * (kernels/pressure/cg.cl). */
#include <math.h>

#include "bits.h"
#include "components.h"
#include "mg_state.h"
#include "pcg_ic_device.h"
#include "poisson.h"
#include "reduce.h"

/* Red-black sweeps of gauss-seidel between two looks at the residual. */
#define RELAX_SWEEPS 10
#define JACOBI_WEIGHT_2D 0.8f
#define JACOBI_WEIGHT_3D (6.0f / 7.0f)

struct solve {
	struct lattice *lattice;
	struct poisson *p;
	struct multigrid *mg;
	struct clx *cl;
	i32 chunks;
	f32 tolerance;
	i32 max_iterations;
};

static bool update_scalars(const struct solve *s, i32 what)
{
	return LAUNCH(s->cl, cg_scalars, clx_groups(s->cl, 1), .what = I32(what),
		      .chunks = I32(s->chunks), .partial = &s->lattice->partial,
		      .tolerance = F32(s->tolerance), .max_iterations = I32(s->max_iterations),
		      .lane = LOCAL(PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES), .state = &s->mg->state);
}

static struct clx_range chunk_groups(const struct solve *s)
{
	return clx_chunk_groups(s->cl, (size_t)s->lattice->bricks.run[BRICKS_SOLVER].count);
}

static struct clx_range vector_elements(const struct solve *s)
{
	return bricks_elements(&s->lattice->bricks, BRICKS_SOLVER);
}

static bool sum_products(const struct solve *s, const union f32_buffer *a,
			 const union f32_buffer *b)
{
	return LAUNCH(s->cl, cg_dot, chunk_groups(s), BRICKS(&s->lattice->bricks, BRICKS_SOLVER),
		      .a = a, .b = b, .partial = &s->lattice->partial,
		      .lane = LOCAL(PAIRS_LANES * REDUCE_PAIR_BYTES), .state = &s->mg->state);
}

/* v.v and the greatest |v|, where a check is due or `always`. */
static bool measure(const struct solve *s, const union f32_buffer *v, i32 always)
{
	return LAUNCH(s->cl, cg_measure, chunk_groups(s),
		      BRICKS(&s->lattice->bricks, BRICKS_SOLVER), .v = v,
		      .partial = &s->lattice->partial, .always = I32(always),
		      .lane = LOCAL(PAIRS_LANES * (REDUCE_PAIR_BYTES + sizeof(u32))),
		      .state = &s->mg->state);
}

/* r = b - A x where due, and the decision it brings. */
static bool check_residual(const struct solve *s, i32 what)
{
	const i32 always = what == CG_STATIONARY;
	return LAUNCH(s->cl, cg_true_residual, MG_RANGE(s->mg, 0, 2), MG_LIST(s->mg, 0),
		      .l = &s->mg->levels[0], .open = &s->mg->open, .excess = &s->mg->excess,
		      .b = &s->p->rhs, .x = &s->p->solution, .x_low = &s->p->solution_low,
		      .r = &s->mg->b, .always = I32(always), .state = &s->mg->state) &&
	       components_project(s->p, &s->mg->b) && measure(s, &s->mg->b, always) &&
	       update_scalars(s, what);
}

/* z = r weighted by the diagonal, into mg->x. */
static bool apply_diagonal(const struct solve *s, f32 weight)
{
	return LAUNCH(s->cl, cg_diagonal, MG_RANGE(s->mg, 0, 2), MG_LIST(s->mg, 0),
		      .l = &s->mg->levels[0], .open = &s->mg->open, .excess = &s->mg->excess,
		      .weight = F32(weight), .r = &s->mg->b, .z = &s->mg->x,
		      .state = &s->mg->state);
}

/* s = z, or with the last direction unless this is a restart; then q = A s, over z. */
static bool find_direction(const struct solve *s)
{
	struct multigrid *mg = s->mg;
	struct poisson *p = s->p;
	return LAUNCH(s->cl, cg_direction, vector_elements(s),
		      BRICKS(&s->lattice->bricks, BRICKS_SOLVER), .z = &mg->x, .s = &p->direction,
		      .state = &mg->state) &&
	       LAUNCH(s->cl, cg_multiply, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), .l = &mg->levels[0],
		      .open = &mg->open, .excess = &mg->excess, .s = &p->direction, .q = &mg->x,
		      .state = &mg->state);
}

/* x += alpha s, r -= alpha q, and r.r. */
static bool update_solution(const struct solve *s)
{
	struct multigrid *mg = s->mg;
	struct poisson *p = s->p;
	return LAUNCH(s->cl, cg_update, chunk_groups(s), BRICKS(&s->lattice->bricks, BRICKS_SOLVER),
		      .s = &p->direction, .q = &mg->x, .x = &p->solution, .x_low = &p->solution_low,
		      .r = &mg->b, .partial = &s->lattice->partial,
		      .lane = LOCAL(PAIRS_LANES * REDUCE_PAIR_BYTES), .state = &mg->state);
}

/* One iteration of conjugate gradients; r is mg->b, z and q share mg->x. */
static bool krylov_iteration(const struct solve *s, bool by_multigrid)
{
	struct multigrid *mg = s->mg;
	return (by_multigrid ? multigrid_v_cycle(mg) : apply_diagonal(s, 1.0f)) &&
	       components_project(s->p, &mg->x) && sum_products(s, &mg->b, &mg->x) &&
	       update_scalars(s, CG_RZ) && find_direction(s) &&
	       sum_products(s, &s->p->direction, &mg->x) && update_scalars(s, CG_SQ) &&
	       update_solution(s) && update_scalars(s, CG_RR) && check_residual(s, CG_CHECKED);
}

/* One cycle as an iteration of its own, z = M r, whose length r.q / q.q leaves the least residual:
 * a coarse correction may overshoot by more than twice where pockets and channels are a cell wide,
 * and a cycle of length 1 would diverge there. */
static bool cycle_iteration(const struct solve *s, int number)
{
	struct multigrid *mg = s->mg;
	const bool full = number < s->p->settings->full_cycles;
	return (full ? multigrid_full_cycle(mg) : multigrid_v_cycle(mg)) &&
	       components_project(s->p, &mg->x) && find_direction(s) &&
	       sum_products(s, &mg->b, &mg->x) && update_scalars(s, CG_RZ) &&
	       sum_products(s, &mg->x, &mg->x) && update_scalars(s, CG_SQ) && update_solution(s) &&
	       check_residual(s, CG_STATIONARY);
}

/* One stationary iteration: x += M (b - A x), M by the scene's solver. */
static bool stationary_iteration(const struct solve *s)
{
	const struct solver_settings *settings = s->p->settings;
	const bool relaxed =
		settings->pressure == SOLVER_GAUSS_SEIDEL
			? multigrid_relax(s->mg, RELAX_SWEEPS, (f32)settings->over_relaxation)
			: apply_diagonal(s, s->lattice->dim == 3 ? JACOBI_WEIGHT_3D
								 : JACOBI_WEIGHT_2D);
	return relaxed && components_project(s->p, &s->mg->x) &&
	       LAUNCH(s->cl, cg_correct, vector_elements(s),
		      BRICKS(&s->lattice->bricks, BRICKS_SOLVER), .z = &s->mg->x,
		      .x = &s->p->solution, .x_low = &s->p->solution_low, .state = &s->mg->state) &&
	       check_residual(s, CG_STATIONARY);
}

static bool iterate_once(const struct solve *s, enum scene_solver kind, int number)
{
	switch (kind) {
	case SOLVER_MGPCG:
	case SOLVER_CG:
		return krylov_iteration(s, kind == SOLVER_MGPCG);
	case SOLVER_MULTIGRID:
		return cycle_iteration(s, number);
	default:
		return stationary_iteration(s);
	}
}

/* `multigrid` may be told to stop after a number of cycles, whatever they reach. */
static int iteration_limit(const struct solver_settings *settings, int max_iterations)
{
	int cycles = settings->full_cycles + settings->v_cycles;
	bool counted = settings->pressure == SOLVER_MULTIGRID;
	return counted && cycles < max_iterations ? cycles : max_iterations;
}

/* Did the solve end because r.z, of the preconditioned residual, was not positive? */
static bool lost_sign(const u32 state[])
{
	return !(float_from_bits(state[MG_RZ]) > 0.0f) && !state[MG_REACHED];
}

static bool read_state(const struct solve *s, u32 state[MG_STATE_WORDS])
{
	return clx_read(s->cl, &s->mg->state, 0, MG_STATE_WORDS * sizeof(u32), state);
}

/* b.b. */
static bool start_solve(const struct solve *s, bool warm)
{
	struct poisson *p = s->p;
	return poisson_ready(p, warm) && components_project(s->p, &p->rhs) &&
	       measure(s, &p->rhs, 1) && update_scalars(s, CG_START);
}

/* From q = 0: r = b. */
static bool start_from_zero(const struct solve *s)
{
	struct poisson *p = s->p;
	return start_solve(s, false) && clx_copy(s->cl, &p->rhs, 0, &s->mg->b, 0, p->rhs.bytes) &&
	       update_scalars(s, CG_CHECKED);
}

/* From the q that is there, unless 0 is nearer: it is where there is no flux, and may be where
 * walls let go. */
static bool start_from_last(const struct solve *s)
{
	u32 state[MG_STATE_WORDS];
	if (!start_solve(s, true) || !check_residual(s, CG_CHECKED) || !read_state(s, state))
		return false;
	const f32 rr = float_from_bits(state[MG_TRUE_RR]);
	return (rr > 0.0f && rr < float_from_bits(state[MG_BB])) || start_from_zero(s);
}

/* About as many iterations as the last solve of this purpose took. */
static int expected_iterations(const struct poisson *p)
{
	const int last = p->expected[p->purpose];
	return last > 0 ? last : p->purpose == POISSON_DRIFT ? 1 : 6;
}

/* Iterations to the end; state: how it is then. */
static bool iterate_to_end(const struct solve *s, enum scene_solver kind, bool warm,
			   u32 state[MG_STATE_WORDS])
{
	if (warm ? !start_from_last(s) : !start_from_zero(s))
		return false;
	int done = 0;
	for (;;) {
		/* Enqueue what is expected, then look; iterations past the end change nothing, so
		 * the result does not depend on this. */
		const int batch = done ? 2 : expected_iterations(s->p);
		for (int i = 0; i < batch && done < s->max_iterations; i++, done++)
			if (!iterate_once(s, kind, done))
				return false;
		if ((s->p->at_end && !s->p->at_end(s->p->at_end_user)) || !read_state(s, state))
			return false;
		if (state[MG_DONE] || done >= s->max_iterations)
			break;
	}
	return true;
}

static void judge_solve(const u32 state[MG_STATE_WORDS], int iterations,
			struct poisson_result *result)
{
	const double bb = (double)float_from_bits(state[MG_BB]);
	const double rr = (double)float_from_bits(state[MG_TRUE_RR]);
	const bool finite = bb < (double)INFINITY;
	result->iterations = iterations;
	result->residual = bb == 0.0 ? 0.0 : sqrt(rr / bb);
	result->reached = state[MG_REACHED];
	result->failed = !finite || !(result->residual <= 1.0);
	if (!finite)
		result->residual = (double)NAN;
}

bool poisson_solve(struct poisson *p, bool warm, double tolerance, int max_iterations,
		   struct poisson_result *result)
{
	const enum scene_solver kind = p->settings->pressure;
	if (kind == SOLVER_PCG_IC) {
		if (!poisson_ready(p, false) ||
		    !pcg_ic_device_solve(p, tolerance, max_iterations, result))
			return false;
		p->stalled = result->iterations < max_iterations;
		return true;
	}
	max_iterations = iteration_limit(p->settings, max_iterations);
	struct solve s = {
		.lattice = p->lattice,
		.p = p,
		.mg = &p->mg,
		.cl = p->lattice->cl,
		.chunks = p->mg.finest / PAIRS_CHUNK,
		.tolerance = (f32)tolerance,
		.max_iterations = max_iterations,
	};
	p->mg.use = kind == SOLVER_MULTIGRID ? MULTIGRID_ALONE : MULTIGRID_PRECONDITIONER;
	u32 state[MG_STATE_WORDS] = {0};
	int lost = 0;

	if (!iterate_to_end(&s, kind, warm, state))
		return false;
	/* Coarse levels visited twice can make a cycle that is no longer positive: on from here
	 * with plain ones, for what is left of the iterations.  And a cycle alone can be left
	 * without a step that lowers the residual where coarse levels do not see a wall: conjugate
	 * gradients find others. */
	const int done = (int)state[MG_ITERATIONS];
	const bool cycles = kind == SOLVER_MULTIGRID;
	if ((cycles || (kind == SOLVER_MGPCG && multigrid_repeats(&p->mg))) &&
	    done < max_iterations && lost_sign(state)) {
		p->mg.plain = true;
		lost = done;
		s.max_iterations = max_iterations - done;
		if (!iterate_to_end(&s, SOLVER_MGPCG, true, state))
			return false;
	}
	judge_solve(state, lost + (int)state[MG_ITERATIONS], result);
	result->at_end = p->at_end && state[MG_DONE] && !lost_sign(state);
	result->changes = state[MG_CHANGES];
	p->stalled = result->iterations < max_iterations;
	p->expected[p->purpose] =
		result->iterations > 0 && result->iterations < 64 ? result->iterations : 6;
	return true;
}
