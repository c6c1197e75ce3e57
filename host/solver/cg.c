/* Iterations of the pressure solve: conjugate gradients and stationary ones
 * (kernels/pressure/cg.cl). */
#include <math.h>

#include "bits.h"
#include "components.h"
#include "mg_state.h"
#include "pcg_ic_device.h"
#include "poisson.h"
#include "reduce.h"
#include "zero.h"

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

/* Groups over the listed chunks, at least one: it brings the state up to date. */
static struct clx_range chunk_groups(const struct solve *s)
{
	const i32 count = s->lattice->bricks.run[BRICKS_SOLVER].count;
	return clx_chunk_groups(s->cl, count > 0 ? (size_t)count : 1);
}

static struct clx_range vector_elements(const struct solve *s)
{
	return bricks_elements(&s->lattice->bricks, BRICKS_SOLVER);
}

static struct cg_end end_of(const struct solve *s, enum cg_scalar what)
{
	return (struct cg_end){
		.what = (i32)what,
		.chunks = s->chunks,
		.tolerance = s->tolerance,
		.max_iterations = s->max_iterations,
	};
}

/* The state as the launch has left it. */
static bool take_next(const struct solve *s)
{
	struct multigrid *mg = s->mg;
	const union u32_buffer before = mg->state;
	mg->state = mg->next;
	mg->next = before;
	return true;
}

/* The arguments of a launch that ends a sum (kernels/pressure/cg_end.h). */
#define CHUNKS(s) BRICKS(&(s)->lattice->bricks, BRICKS_SOLVER)
#define ENDS(s, end_)                                                                   \
	.partial = &(s)->lattice->partial, .end = (end_), .meeting = &(s)->mg->meeting, \
	.lane = LOCAL(PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES), .state = &(s)->mg->state, \
	.next = &(s)->mg->next

static bool sum_products(const struct solve *s, const union f32_buffer *a,
			 const union f32_buffer *b, enum cg_scalar what)
{
	const struct cg_end end = end_of(s, what);
	return LAUNCH(s->cl, cg_dot, chunk_groups(s), CHUNKS(s), .a = a, .b = b, ENDS(s, &end)) &&
	       take_next(s);
}

/* v.v and the greatest |v|. */
static bool measure(const struct solve *s, const union f32_buffer *v, enum cg_scalar what)
{
	const struct cg_end end = end_of(s, what);
	return LAUNCH(s->cl, cg_measure, chunk_groups(s), CHUNKS(s), .v = v, ENDS(s, &end)) &&
	       take_next(s);
}

/* The bodies that the pressure moves, if it is solved for; else NULL. */
static struct coupling *coupling_of(const struct solve *s)
{
	struct coupling *c = s->p->coupling;
	return c && c->entries > 0 && s->p->purpose == POISSON_PRESSURE ? c : NULL;
}

/* r = b - K x where due, or always. */
static bool find_residual(const struct solve *s, i32 always)
{
	struct coupling *c = coupling_of(s);
	return LAUNCH(s->cl, cg_true_residual, MG_RANGE(s->mg, 0, 2), MG_LIST(s->mg, 0),
		      .l = &s->mg->levels[0], .open = &s->mg->open, .excess = &s->mg->excess,
		      .b = &s->p->rhs, .x = &s->p->solution, .x_low = &s->p->solution_low,
		      .r = &s->mg->b, .always = I32(always), .state = &s->mg->state) &&
	       (!c || coupling_multiply(c, &s->p->solution, &s->p->solution_low, -1.0f,
					always ? COUPLING_RUNNING : COUPLING_CHECKED, &s->mg->state,
					&s->mg->b)) &&
	       components_project(s->p, &s->mg->b);
}

/* The same, and the decision it brings. */
static bool check_residual(const struct solve *s, enum cg_scalar what)
{
	const struct cg_end end = end_of(s, what);
	/* Means come between, where there are any, and bodies. */
	if (clx_path(s->cl) == CLX_PATH_GPU && s->p->singular == 0 && !coupling_of(s))
		return LAUNCH(s->cl, cg_look, chunk_groups(s), CHUNKS(s), .l = &s->mg->levels[0],
			      .open = &s->mg->open, .excess = &s->mg->excess, .b = &s->p->rhs,
			      .x = &s->p->solution, .x_low = &s->p->solution_low, .r = &s->mg->b,
			      ENDS(s, &end)) &&
		       take_next(s);
	return find_residual(s, what == CG_STATIONARY) && measure(s, &s->mg->b, what);
}

/* z = r weighted by the diagonal, into mg->x. */
static bool apply_diagonal(const struct solve *s, f32 weight)
{
	return LAUNCH(s->cl, cg_diagonal, MG_RANGE(s->mg, 0, 2), MG_LIST(s->mg, 0),
		      .l = &s->mg->levels[0], .open = &s->mg->open, .excess = &s->mg->excess,
		      .weight = F32(weight), .r = &s->mg->b, .z = &s->mg->x,
		      .state = &s->mg->state);
}

/* s = z, or with the last direction unless this is a restart. */
static bool find_direction(const struct solve *s)
{
	return LAUNCH(s->cl, cg_direction, vector_elements(s), CHUNKS(s), .z = &s->mg->x,
		      .s = &s->p->direction, .state = &s->mg->state);
}

/* Takes the bodies' columns out of z, of the residual as it is. */
static bool deflate(const struct solve *s)
{
	struct coupling *c = coupling_of(s);
	return !c || coupling_correct(c, s->mg, &s->mg->b, false, &s->mg->state, &s->mg->x);
}

/* q = K s, over z. */
static bool multiply(const struct solve *s)
{
	struct multigrid *mg = s->mg;
	struct coupling *c = coupling_of(s);
	return LAUNCH(s->cl, cg_multiply, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), .l = &mg->levels[0],
		      .open = &mg->open, .excess = &mg->excess, .s = &s->p->direction, .q = &mg->x,
		      .state = &mg->state) &&
	       (!c || coupling_multiply(c, &s->p->direction, NULL, 1.0f, COUPLING_RUNNING,
					&mg->state, &mg->x));
}

/* The same, and s.q. */
static bool multiply_and_sum(const struct solve *s)
{
	struct multigrid *mg = s->mg;
	const struct cg_end end = end_of(s, CG_SQ);
	if (clx_path(s->cl) == CLX_PATH_CPU || coupling_of(s))
		return multiply(s) && sum_products(s, &s->p->direction, &mg->x, CG_SQ);
	return LAUNCH(s->cl, cg_product, chunk_groups(s), CHUNKS(s), .l = &mg->levels[0],
		      .open = &mg->open, .excess = &mg->excess, .s = &s->p->direction, .q = &mg->x,
		      ENDS(s, &end)) &&
	       take_next(s);
}

/* x += alpha s, r -= alpha q, and r.r. */
static bool update_solution(const struct solve *s, enum cg_scalar what)
{
	struct multigrid *mg = s->mg;
	struct poisson *p = s->p;
	const struct cg_end end = end_of(s, what);
	const i32 sparse = clx_path(s->cl) == CLX_PATH_GPU;
	return LAUNCH(s->cl, cg_update, chunk_groups(s), CHUNKS(s), .sparse = I32(sparse),
		      .s = &p->direction, .q = &mg->x, .x = &p->solution, .x_low = &p->solution_low,
		      .r = &mg->b, ENDS(s, &end)) &&
	       (what == CG_NONE || take_next(s));
}

/* One iteration of conjugate gradients; r is mg->b, z and q share mg->x. */
static bool krylov_iteration(const struct solve *s, bool by_multigrid)
{
	struct multigrid *mg = s->mg;
	return (by_multigrid ? multigrid_v_cycle(mg) : apply_diagonal(s, 1.0f)) &&
	       components_project(s->p, &mg->x) && deflate(s) &&
	       sum_products(s, &mg->b, &mg->x, CG_RZ) && find_direction(s) && multiply_and_sum(s) &&
	       update_solution(s, CG_RR) && check_residual(s, CG_CHECKED);
}

/* One cycle as an iteration of its own, z = M r, whose length r.q / q.q leaves the least residual:
 * a coarse correction may overshoot by more than twice where pockets and channels are a cell wide,
 * and a cycle of length 1 would diverge there. */
static bool cycle_iteration(const struct solve *s, int number)
{
	struct multigrid *mg = s->mg;
	const bool full = number < s->p->settings->full_cycles;
	return (full ? multigrid_full_cycle(mg) : multigrid_v_cycle(mg)) &&
	       components_project(s->p, &mg->x) && deflate(s) && find_direction(s) && multiply(s) &&
	       sum_products(s, &mg->b, &mg->x, CG_RZ) && sum_products(s, &mg->x, &mg->x, CG_SQ) &&
	       update_solution(s, CG_NONE) && check_residual(s, CG_STATIONARY);
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
	       LAUNCH(s->cl, cg_correct, vector_elements(s), CHUNKS(s), .z = &s->mg->x,
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

/* Zeros where a solve needs them: for the sums, as chunks that are not listed sum up to 0, and in
 * the vectors of level 0; and q = 0, r = b, if asked for. */
static bool begin(const struct solve *s, i32 from_zero)
{
	struct poisson *p = s->p;
	return LAUNCH(s->cl, cg_begin, clx_range1((size_t)p->mg.finest),
		      .elements = I32(p->mg.finest), .chunks = I32(s->chunks),
		      .from_zero = I32(from_zero), .b = &p->rhs, .x = &p->solution,
		      .x_low = &p->solution_low, .r = &p->mg.b, .z = &p->mg.x, .s = &p->direction,
		      .partial = &s->lattice->partial, .meeting = &p->mg.meeting);
}

/* From the q that is there, unless 0 is nearer. */
static bool choose_start(const struct solve *s)
{
	const struct cg_end end = end_of(s, CG_START);
	return check_residual(s, CG_CHECKED) &&
	       LAUNCH(s->cl, cg_choose_start, chunk_groups(s), CHUNKS(s), .b = &s->p->rhs,
		      .x = &s->p->solution, .x_low = &s->p->solution_low, .r = &s->mg->b,
		      .end = &end, .state = &s->mg->state, .next = &s->mg->next) &&
	       take_next(s);
}

/* What the bodies' columns can tell of it comes first: A-DEF2 asks for that, though the residual
 * may become larger. */
static bool start_with_bodies(const struct solve *s, struct coupling *c, bool warm)
{
	return measure(s, &s->p->rhs, CG_START_LAST) && (!warm || find_residual(s, 0)) &&
	       coupling_correct(c, s->mg, &s->mg->b, true, &s->mg->state, &s->p->solution) &&
	       check_residual(s, CG_CHECKED);
}

/* From q = 0, r = b; or from the q that is there. */
static bool start(const struct solve *s, bool warm)
{
	struct coupling *c = coupling_of(s);
	if (!components_project(s->p, &s->p->rhs) || !begin(s, !warm))
		return false;
	if (c)
		return start_with_bodies(s, c, warm);
	return warm ? measure(s, &s->p->rhs, CG_START_LAST) && choose_start(s)
		    : measure(s, &s->p->rhs, CG_START);
}

static int expected_iterations(const struct poisson *p, bool warm)
{
	const int expected = p->expected[p->purpose][warm];
	return expected > 0 ? expected : p->purpose == POISSON_DRIFT ? 1 : 6;
}

static void learn_iterations(struct poisson *p, bool warm, int iterations)
{
	int *last = &p->last[p->purpose][warm];
	/* What takes very long is no rule for the next. */
	const int counted = iterations < 1 ? 1 : iterations < 64 ? iterations : 6;
	p->expected[p->purpose][warm] = *last > 0 && *last < counted ? *last : counted;
	*last = counted;
}

/* Where more are needed a look costs less than an iteration; of many a few make no difference. */
#define LOOK_SHARE 32

/* Iterations to the end; state: how it is then. */
static bool iterate_to_end(const struct solve *s, enum scene_solver kind, bool warm,
			   u32 state[MG_STATE_WORDS])
{
	if (!start(s, warm))
		return false;
	int done = 0;
	for (;;) {
		/* Enqueue what is expected, then look; iterations past the end change nothing, so
		 * the result does not depend on this. */
		const int batch = done ? 1 + done / LOOK_SHARE : expected_iterations(s->p, warm);
		for (int i = 0; i < batch && done < s->max_iterations; i++, done++)
			if (!iterate_once(s, kind, done))
				return false;
		if ((s->p->follow && !s->p->follow(s->p->follow_user)) || !read_state(s, state))
			return false;
		if (state[MG_DONE] || done >= s->max_iterations)
			break;
	}
	s->p->enqueued += (uint64_t)done;
	s->p->needed += state[MG_ITERATIONS];
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
		if (!ZERO(p->lattice->cl, ZERO_ALL(&p->solution), ZERO_ALL(&p->solution_low)) ||
		    !pcg_ic_device_solve(p, tolerance, max_iterations, result))
			return false;
		p->stalled = result->iterations < max_iterations;
		p->follow = NULL;
		result->followed = false;
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
	result->followed = p->follow && state[MG_DONE] && !lost_sign(state);
	result->changes = state[MG_CHANGES];
	p->follow = NULL;
	p->stalled = result->iterations < max_iterations;
	learn_iterations(p, warm, result->iterations);
	return true;
}
