#include "sph/sph_projection.h"

#include <math.h>

#include "bits.h"
#include "message.h"
#include "reduce.h"
#include "sph/sph_density.h"
#include "sph/sph_plan.h"
#include "sph/sph_state_equation.h"
#include "zero.h"

/* Of what is less dense, so much may close up unhindered: in 3D particles in the middle of liquid
 * are below 1 here and there, and would else be switched off. */
#define SLACK_3D 0.95f
/* Who counts as active, beside who pushes: r above minus this part of the root mean square of b. */
#define ACTIVE_3D 0.1f
/* Pushes that turn out to pull are left out, and the rest is solved for again, so often. */
#define ROUNDS 4
/* Excess of density goes within so much time, s. */
#define SHIFT_TIME (1.0 / 60.0)
#define SHIFT_TOLERANCE 0.1f
#define SHIFT_ITERATIONS 5
/* Residuals that are nothing, root mean square. */
#define PRESSURE_FLOOR 1e-9f
#define SHIFT_FLOOR 1e-5f
/* Of many iterations a look costs one in so many. */
#define LOOK_SHARE 8

struct solve {
	struct sim *sim;
	struct sph *s;
	struct grid g;
	struct sph_params p;
	struct clx_range each, chunks;
	i32 tension;
	f32 lowest;
	struct sph_end end;
	u32 state[SPH_WORDS];
};

static struct sph_end end_of(const struct solve *s, enum sph_sum what)
{
	struct sph_end end = s->end;
	end.what = (i32)what;
	return end;
}

static bool take_next(struct solve *s)
{
	const union u32_buffer before = s->s->state;
	s->s->state = s->s->next;
	s->s->next = before;
	return true;
}

#define ENDS(solve, end_)                                                                  \
	.partial = &(solve)->s->partial, .end = (end_), .meeting = &(solve)->s->meeting,   \
	.lane = LOCAL(PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES), .state = &(solve)->s->state, \
	.next = &(solve)->s->next

static bool make_source(struct solve *s, enum sph_purpose purpose)
{
	struct sim *sim = s->sim;
	const struct sph_end end = end_of(s, SPH_SUM_SOURCE);
	const i32 shift = purpose == SPH_SHIFT;
	/* What may pull does not let anything close up. */
	const f32 slack = s->tension ? 0.0f : sim->dim == 3 ? SLACK_3D : 1.0f;
	const double part = sim->dt / SHIFT_TIME;
	const f32 share = (f32)(part < 1.0 ? part : 1.0);
	/* From the pressures of the last substep. */
	const f32 scale = (f32)(shift ? 0.0 : sim->dt * sim->dt / sim->scene->density);
	return LAUNCH(sim->cl, sph_source, s->chunks, .g = &s->g, .p = &s->p, .shift = I32(shift),
		      .dt = F32(sim->dt_f), .slack = F32(slack), .share = F32(share),
		      .scale = F32(scale), .pressure = &sim->particles.now.pressure,
		      .velocity = &sim->particles.now.velocity, SPH_LISTS(sim),
		      .density = &s->sim->particles.now.density, .b = &s->s->source, .k = &s->s->k,
		      ENDS(s, &end)) &&
	       take_next(s);
}

/* What k, or a direction, makes. */
static bool accelerate(struct solve *s, const union f32_buffer *k)
{
	return LAUNCH(s->sim->cl, sph_accelerate, s->each, .g = &s->g, .p = &s->p,
		      SPH_LISTS(s->sim), .k = k, .a = &s->s->change);
}

static bool begin_round(struct solve *s, i32 from_zero)
{
	const struct sph_end end = end_of(s, SPH_SUM_BEGIN);
	return LAUNCH(s->sim->cl, sph_round, s->chunks, .g = &s->g, .p = &s->p,
		      .from_zero = I32(from_zero), .tension = I32(s->tension),
		      .lowest = F32(s->lowest), SPH_LISTS(s->sim), .diagonal = &s->s->diagonal,
		      .b = &s->s->source, .k = &s->s->k, .a = &s->s->change, .r = &s->s->rest,
		      .active = &s->s->active, .direction = &s->s->direction, ENDS(s, &end)) &&
	       take_next(s);
}

/* The direction before makes room for the next one. */
static void exchange_directions(struct sph *h)
{
	const union f32_buffer before = h->before;
	h->before = h->direction;
	h->direction = before;
}

static bool iterate(struct solve *s)
{
	struct clx *cl = s->sim->cl;
	struct sph *h = s->s;
	const struct sph_end product = end_of(s, SPH_SUM_PRODUCT);
	const struct sph_end update = end_of(s, SPH_SUM_UPDATE);
	exchange_directions(h);
	return LAUNCH(cl, sph_turn, s->each, .g = &s->g, .p = &s->p, SPH_LISTS(s->sim),
		      .r = &h->rest, .active = &h->active, .before = &h->before,
		      .direction = &h->direction, .a = &h->change, .state = &h->state) &&
	       LAUNCH(cl, sph_product, s->chunks, .g = &s->g, .p = &s->p, SPH_LISTS(s->sim),
		      .a = &h->change, .active = &h->active, .direction = &h->direction,
		      .product = &h->product, ENDS(s, &product)) &&
	       take_next(s) &&
	       LAUNCH(cl, sph_update, s->chunks, .p = &s->p, .direction = &h->direction,
		      .product = &h->product, .active = &h->active, .k = &h->k, .r = &h->rest,
		      ENDS(s, &update)) &&
	       take_next(s);
}

static bool read_state(struct solve *s)
{
	return clx_read(s->sim->cl, &s->s->state, 0, sizeof(s->state), s->state);
}

/* Iterations to the end of a round; launches past that change nothing. */
static bool finish_round(struct solve *s, int expected)
{
	int batch = expected;
	do {
		for (int i = 0; i < batch; i++)
			if (!iterate(s))
				return false;
		if (!read_state(s))
			return false;
		batch = 1 + (int)s->state[SPH_ITERATIONS] / LOOK_SHARE;
	} while (!s->state[SPH_DONE]);
	return true;
}

static bool solve_rounds(struct solve *s, enum sph_purpose purpose)
{
	int *expected = &s->s->expected[purpose];
	const i32 from_zero = purpose == SPH_SHIFT;
	if (!make_source(s, purpose) || (!from_zero && !accelerate(s, &s->s->k)) ||
	    !begin_round(s, from_zero))
		return false;
	for (int round = 0; round < ROUNDS; round++) {
		/* A round that changes nothing is over before it begins. */
		if (round > 0 && (!begin_round(s, 0) || !read_state(s)))
			return false;
		if (round > 0 && s->state[SPH_DONE])
			break;
		if (!finish_round(s, round == 0 && *expected > 0 ? *expected : 1))
			return false;
		if (round == 0)
			*expected = (int)s->state[SPH_ITERATIONS];
		if (!s->tension &&
		    !LAUNCH(s->sim->cl, sph_clamp, s->each, .p = &s->p, .k = &s->s->k))
			return false;
		if (!accelerate(s, &s->s->k))
			return false;
		if (s->tension || (int)s->state[SPH_ITERATIONS] >= s->end.max_iterations)
			break;
	}
	return true;
}

static struct solve make_solve(struct sim *sim, enum sph_purpose purpose)
{
	const size_t n = sim->particles.count;
	const size_t chunks = (n + PAIRS_CHUNK - 1) / PAIRS_CHUNK;
	const bool shift = purpose == SPH_SHIFT;
	return (struct solve){
		.sim = sim,
		.s = &sim->sph,
		.g = sim->lattice.grid,
		.p = sph_params_of(sim),
		.each = clx_range1(n),
		.chunks = clx_chunk_groups(sim->cl, chunks),
		.tension = sim->scene->sph.tension && !shift,
		.lowest = sim->dim == 3 ? ACTIVE_3D : 0.0f,
		.end = {.chunks = (i32)chunks,
			.n = (i32)n,
			.max_iterations =
				shift ? SHIFT_ITERATIONS : sim->scene->solver.max_iterations,
			.tolerance = shift ? SHIFT_TOLERANCE : (f32)sim->scene->solver.tolerance,
			.floor = shift ? SHIFT_FLOOR : PRESSURE_FLOOR},
	};
}

/* Only the first of a substep's particles, when there are any, need something to be solved. */
static bool solve_for(struct sim *sim, enum sph_purpose purpose, struct solve *s)
{
	*s = make_solve(sim, purpose);
	return solve_rounds(s, purpose);
}

static double residual_of(const struct solve *s)
{
	const double source = (double)float_from_bits(s->state[SPH_SOURCE]);
	return source > 0.0 ? sqrt((double)float_from_bits(s->state[SPH_RR]) / source) : 0.0;
}

bool sph_project(struct sim *sim)
{
	struct solve s;
	if (sim->scene->sph.solver == SPH_SOLVER_WCSPH)
		return sph_follow_equation(sim);
	if (sim->particles.count == 0)
		return true;
	if (!solve_for(sim, SPH_PRESSURE, &s))
		return false;
	struct step_stats *stats = &sim->stats;
	stats->pressure_iterations = (int)s.state[SPH_ITERATIONS];
	stats->pressure_residual = residual_of(&s);
	stats->pressure_solves = 1;
	stats->pressure_limits = stats->pressure_iterations >= s.end.max_iterations;
	if (!(stats->pressure_residual < (double)INFINITY))
		sim->step_failed = STEP_DIVERGED;
	const f32 rate = (f32)(1.0 / sim->dt);
	const f32 scale = (f32)(sim->scene->density / (sim->dt * sim->dt));
	return LAUNCH(sim->cl, sph_accept, s.each, .p = &s.p, .rate = F32(rate),
		      .scale = F32(scale), .a = &sim->sph.change, .k = &sim->sph.k,
		      .velocity = &sim->particles.now.velocity,
		      .pressure = &sim->particles.now.pressure);
}

bool sph_multiply(struct sim *sim)
{
	struct solve s = make_solve(sim, SPH_PRESSURE);
	const struct sph_end end = end_of(&s, SPH_SUM_PRODUCT);
	struct sph *h = &sim->sph;
	s.tension = 1;
	/* All that have a diagonal are active. */
	return ZERO(sim->cl, ZERO_ALL(&h->state)) && ZERO(sim->cl, ZERO_ALL(&h->meeting)) &&
	       accelerate(&s, &h->direction) &&
	       LAUNCH(sim->cl, sph_product, s.chunks, .g = &s.g, .p = &s.p, SPH_LISTS(sim),
		      .a = &h->change, .active = &h->diagonal, .direction = &h->direction,
		      .product = &h->product, ENDS(&s, &end));
}

bool sph_find_shift(struct sim *sim)
{
	struct solve s;
	sim->sph.shift_iterations = 0;
	if (sim->scene->sph.solver == SPH_SOLVER_WCSPH || sim->particles.count == 0)
		return true;
	if (!solve_for(sim, SPH_SHIFT, &s))
		return false;
	sim->sph.shift_iterations = (int)s.state[SPH_ITERATIONS];
	return true;
}
