/* Measures the pressure solvers on an equation whose fields are set. */
#include <math.h>
#include <stdlib.h>

#include "bench_pressure.h"
#include "components.h"

/* Points of a history: every iteration up to DENSE_POINTS, then every GROWTH times as many, and all
 * powers of two; MOST_ITERATIONS use up any time limit. */
#define MOST_ITERATIONS 100000
#define DENSE_POINTS 24
#define GROWTH 1.3
/* Iterations that may be repeated to look at them, whatever the time. */
#define FEW 64
/* A residual from which nothing comes back. */
#define DIVERGED 1e6
/* Solves and sweeps timed; the median counts.  Sweeps are timed in eights: one is short. */
#define FEW_SOLVES 3
#define SWEEP_SAMPLES 5
#define SWEEPS 8
/* Stage number of what is measured here. */
#define OTHER_STAGE (CLX_MAX_STAGES - 1)

/* ---- one solve ---------------------------------------------------------------------------- */

static bool build_rhs(const struct bench_equation *e)
{
	struct poisson *p = e->poisson;
	const struct grid g = p->lattice->grid;
	const struct kick still = {0}; /* the velocity already has what forces add */
	const i32 none = 0;	       /* no inflow */
	return poisson_begin(p, POISSON_PRESSURE) &&
	       LAUNCH(p->lattice->cl, pressure_rhs, bricks_level(p->mg.bricks, 0),
		      MG_LIST(&p->mg, 0), .g = &g, .level = &p->mg.levels[0],
		      .cell_type = p->cell_type, .phi = p->phi, .open_fraction = p->open_fraction,
		      .opened = p->opened, .u_face = e->velocity, .kick = &still,
		      .flow = e->velocity, .has_flow = I32(none), .b = &p->rhs);
}

/* Operator and components; *ms of both. */
static bool set_up_operator(const struct bench_equation *e, double *ms)
{
	struct clx *cl = e->poisson->lattice->cl;
	const double start = bench_clock();
	clx_stage(cl, OTHER_STAGE);
	if (!poisson_build_operator(e->poisson) || !components_label(e->poisson) || !clx_wait(cl))
		return false;
	*ms = bench_clock() - start;
	return true;
}

/* Runs to the end of what is enqueued; *ms of its kernels since the last call. */
static bool take_device_ms(struct clx *cl, double *ms)
{
	double stages[CLX_MAX_STAGES];
	if (!clx_stage_times(cl, stages))
		return false;
	*ms = stages[OTHER_STAGE];
	return true;
}

/* From q = 0, at most `most` iterations; expected as poisson.h says.  The right-hand side is made
 * anew, since a solve takes its means out, which done twice would round twice. */
static bool solve_up_to(const struct bench_equation *e, int most, int expected,
			struct pressure_point *point)
{
	struct poisson *p = e->poisson;
	struct clx *cl = p->lattice->cl;
	struct poisson_result result;
	clx_stage(cl, OTHER_STAGE);
	if (!build_rhs(e) || !take_device_ms(cl, &point->device_ms))
		return false;
	p->expected[POISSON_PRESSURE][POISSON_FROM_ZERO] = expected;
	const double start = bench_clock();
	if (!poisson_solve(p, false, PRESSURE_TOLERANCE, most, &result))
		return false;
	point->iterations = result.iterations;
	point->residual = result.residual;
	point->ms = bench_clock() - start;
	return take_device_ms(cl, &point->device_ms);
}

/* ---- a solver ----------------------------------------------------------------------------- */

/* Adds a solve to the history. */
static bool add_point(const struct bench_equation *e, int most, struct pressure_row *row)
{
	struct pressure_point point;
	if (!solve_up_to(e, most, most, &point))
		return false;
	if (row->point_count < PRESSURE_MAX_POINTS)
		row->points[row->point_count++] = point;
	return true;
}

/* Solves of at most 1, 2, 4, ... iterations, until one reaches the tolerance or the next would take
 * too long. */
static bool double_iterations(const struct bench_equation *e, double limit,
			      struct pressure_row *row)
{
	const double start = bench_clock();
	for (int most = 1; most <= MOST_ITERATIONS; most *= 2) {
		if (!add_point(e, most, row))
			return false;
		row->end = row->points[row->point_count - 1];
		row->reached = row->end.residual <= PRESSURE_TOLERANCE;
		/* Conjugate gradients may rise above their start on the way down. */
		if (row->reached || !(row->end.residual < DIVERGED) || row->end.iterations < most ||
		    bench_clock() - start + 2.0 * row->end.ms > limit)
			break;
	}
	return true;
}

static int by_iterations(const void *a, const void *b)
{
	const struct pressure_point *x = a, *y = b;
	return (x->iterations > y->iterations) - (x->iterations < y->iterations);
}

/* Fills the gaps between the powers of two while there is time.  Every point is a solve that stops
 * there: the residual is the true one, and the solver's own course is not touched by looking. */
static bool fill_history(const struct bench_equation *e, double limit, struct pressure_row *row)
{
	const double start = bench_clock(), each = row->end.ms / fmax(row->end.iterations, 1.0);
	for (int most = 1; most < row->end.iterations;
	     most = most < DENSE_POINTS ? most + 1 : (int)(most * GROWTH)) {
		if ((most & (most - 1)) == 0)
			continue;
		if (bench_clock() - start + each * most > limit)
			break;
		if (!add_point(e, most, row))
			return false;
	}
	qsort(row->points, row->point_count, sizeof(*row->points), by_iterations);
	return true;
}

/* Time to tolerance of a solve that was cut short, from its later contraction; 0: does not
 * converge. */
static double extrapolate_ms(const struct pressure_row *row)
{
	const struct pressure_point *last = &row->points[row->point_count - 1];
	const struct pressure_point *middle = &row->points[row->point_count / 2];
	if (row->point_count < 4 || !(last->residual < middle->residual))
		return 0.0;
	const double rate =
		log(middle->residual / last->residual) / (last->iterations - middle->iterations);
	const double more = log(last->residual / PRESSURE_TOLERANCE) / rate;
	return last->ms * (last->iterations + more) / last->iterations;
}

/* The solve as a simulation would have it, several times; kernels per iteration of the first. */
static bool time_solves(const struct bench_equation *e, double limit, bool profile,
			struct pressure_row *row)
{
	struct clx *cl = e->poisson->lattice->cl;
	const double start = bench_clock();
	const int expected = row->end.iterations < FEW ? row->end.iterations : 0;
	double ms[FEW_SOLVES], device[FEW_SOLVES];
	size_t count = 0;
	struct bench_totals before;
	bench_take_totals(cl, &before);
	while (count < FEW_SOLVES &&
	       (count == 0 || bench_clock() - start + ms[count - 1] < limit)) {
		if (!solve_up_to(e, MOST_ITERATIONS, expected, &row->end))
			return false;
		if (profile && count == 0 && row->end.iterations > 0)
			bench_list_kernels(cl, &before, row->end.iterations, &row->kernels[1]);
		ms[count] = row->end.ms;
		device[count++] = row->end.device_ms;
	}
	row->end.ms = row->ms = bench_median(ms, count);
	row->end.device_ms = bench_median(device, count);
	return true;
}

/* Where between its last two iterations the solve passed the tolerance: residuals fall by a factor
 * per iteration, so logarithms are what is linear.  0: many iterations, and no time to look. */
static bool find_crossing(const struct bench_equation *e, double limit, struct pressure_row *row)
{
	const struct pressure_point *end = &row->end;
	struct pressure_point before = {.residual = 1.0};
	const int whole = end->iterations - 1;
	if (whole >= FEW && end->ms * whole / end->iterations > limit)
		return true;
	if (whole > 0 && !solve_up_to(e, whole, whole, &before))
		return false;
	if (end->residual > 0.0 && end->residual < before.residual)
		row->crossing = whole + log(before.residual / PRESSURE_TOLERANCE) /
						log(before.residual / end->residual);
	return true;
}

/* Over-relaxation that is best for a pool half as deep as the box: the lowest mode there is a
 * quarter of a wave along y only (Young 1954). */
static double best_relaxation(const struct lattice *lattice)
{
	const double pi = acos(-1.0);
	const double jacobi = (lattice->dim - 1 + cos(pi / lattice->grid.ny)) / lattice->dim;
	return 2.0 / (1.0 + sqrt(1.0 - jacobi * jacobi));
}

static void choose_solver(const struct bench_equation *e, const struct pressure_row *row)
{
	struct solver_settings *settings = e->settings;
	settings->pressure = row->solver;
	settings->full_cycles = 0;
	settings->v_cycles = MOST_ITERATIONS;
	settings->over_relaxation = best_relaxation(e->poisson->lattice);
	if (row->sweeps)
		settings->sweeps = e->poisson->mg.sweeps = row->sweeps;
}

bool bench_solve(const struct bench_equation *e, const struct bench_options *options,
		 struct pressure_row *row)
{
	struct clx *cl = e->poisson->lattice->cl;
	const double limit = 1e3 * options->seconds, end = bench_clock() + limit;
	struct pressure_point warm;
	struct bench_totals before;
	choose_solver(e, row);
	/* Drivers finish compiling at the first launch. */
	if (!set_up_operator(e, &row->setup_ms) || !solve_up_to(e, 1, 1, &warm))
		return false;
	bench_take_totals(cl, &before);
	if (!set_up_operator(e, &row->setup_ms))
		return false;
	if (options->profile)
		bench_list_kernels(cl, &before, 1.0, &row->kernels[0]);
	if (!double_iterations(e, limit, row) ||
	    (row->reached && (!time_solves(e, end - bench_clock(), options->profile, row) ||
			      !find_crossing(e, end - bench_clock(), row))))
		return false;
	row->bytes = bench_solver_bytes(row->solver, &e->poisson->mg);
	if (!row->reached)
		row->ms = extrapolate_ms(row);
	return options->no_history || fill_history(e, end - bench_clock(), row);
}

/* ---- one sweep ---------------------------------------------------------------------------- */

static bool time_sweeps(struct multigrid *mg, int sweeps, double *ms)
{
	return take_device_ms(mg->cl, ms) && multigrid_relax(mg, sweeps, 1.0f) &&
	       take_device_ms(mg->cl, ms);
}

bool bench_sweep(const struct bench_equation *e, double *ms)
{
	struct multigrid *mg = &e->poisson->mg;
	double samples[SWEEP_SAMPLES], setup, one, many;
	/* A finished solve leaves the mark that turns the kernels off, and a tiny residual. */
	if (!set_up_operator(e, &setup) || !build_rhs(e) ||
	    !clx_zero(mg->cl, &mg->state, 0, mg->state.bytes) ||
	    !clx_copy(mg->cl, &e->poisson->rhs, 0, &mg->b, 0, (size_t)mg->finest * sizeof(f32)) ||
	    !time_sweeps(mg, SWEEPS, &many))
		return false;
	for (int i = 0; i < SWEEP_SAMPLES; i++) {
		if (!time_sweeps(mg, 1, &one) || !time_sweeps(mg, 1 + SWEEPS, &many))
			return false;
		samples[i] = (many - one) / SWEEPS;
	}
	*ms = bench_median(samples, SWEEP_SAMPLES);
	return true;
}
