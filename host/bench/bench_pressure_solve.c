/* Measures the pressure solvers on a simulation whose fields are set. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_pressure.h"
#include "components.h"
#include "message.h"
#include "stages.h"

#define MOST_POINTS 200
#define MOST_ITERATIONS 100000
/* Every iteration up to here is a point of the history, then every GROWTH times as many. */
#define DENSE_POINTS 24
#define GROWTH 1.3
/* Iterations that may be repeated to look at them, whatever the time. */
#define FEW 64
/* A residual from which nothing comes back. */
#define DIVERGED 1e6
/* Solves and sweeps timed; the median counts. */
#define SOLVES 3
#define SWEEP_SAMPLES 5
#define SWEEPS 8
/* Stage number of what is measured here. */
#define OTHER_STAGE (CLX_MAX_STAGES - 1)

static const char *const names[] = {"mgpcg", "multigrid", "cg", "jacobi", "gauss-seidel", "pcg-ic"};

const char *bench_solver_name(enum scene_solver solver)
{
	return (size_t)solver < sizeof(names) / sizeof(names[0]) ? names[solver] : NULL;
}

static void drop_message(enum message_level level, const char *text, void *user)
{
	(void)level;
	(void)text;
	(void)user;
}

/* Asks the scene reader, which knows what is built. */
bool bench_solver_available(enum scene_solver solver, int dim)
{
	char text[256];
	const int length = snprintf(
		text, sizeof(text),
		"version: 1\ndomain: {size: [1, 1%s], cells: 4}\ntime: {frames: 1}\n"
		"solver: {pressure: %s}\nliquids:\n  - {box: {min: [0, 0%s], max: [1, 1%s]}}\n",
		dim == 3 ? ", 1" : "", names[solver], dim == 3 ? ", 0" : "", dim == 3 ? ", 1" : "");
	message_set_sink(drop_message, NULL);
	struct scene *scene = scene_read_text(text, (size_t)length, "solver");
	message_set_sink(NULL, NULL);
	const bool available = scene != NULL;
	scene_free(scene);
	return available;
}

/* ---- one solve ---------------------------------------------------------------------------- */

static bool build_rhs(struct sim *sim)
{
	struct poisson *p = &sim->poisson;
	const struct grid g = sim->lattice.grid;
	const struct kick still = {0}; /* the velocity already has what forces add */
	return poisson_place_rhs(p, POISSON_PRESSURE) &&
	       LAUNCH(sim->cl, pressure_rhs, MG_RANGE(&p->mg, 0, 2), MG_LIST(&p->mg, 0), .g = &g,
		      .level = &p->mg.levels[0], .cell_type = &sim->cell_type, .phi = &sim->phi,
		      .open_fraction = &sim->solids.open_fraction, .opened = &sim->opened,
		      .u_face = &sim->u_face, .kick = &still, .b = &p->rhs);
}

/* Operator and components; *ms of both. */
static bool set_up(struct sim *sim, double *ms)
{
	const double start = bench_clock();
	clx_stage(sim->cl, OTHER_STAGE);
	if (!poisson_build_operator(&sim->poisson) || !components_label(&sim->poisson) ||
	    !clx_wait(sim->cl))
		return false;
	*ms = bench_clock() - start;
	return true;
}

struct outcome {
	int iterations;
	double residual, ms, device_ms;
};

/* From q = 0, at most `most` iterations; expected as poisson.h says.  The right-hand side is made
 * anew, since a solve takes its means out, which done twice would round twice. */
static bool solve(struct sim *sim, int most, int expected, struct outcome *o)
{
	struct poisson *p = &sim->poisson;
	double ms[CLX_MAX_STAGES];
	clx_stage(sim->cl, OTHER_STAGE);
	if (!build_rhs(sim) || !clx_stage_times(sim->cl, ms))
		return false;
	p->expected[POISSON_PRESSURE] = expected;
	const double start = bench_clock();
	struct poisson_result result;
	if (!poisson_solve(p, false, PRESSURE_TOLERANCE, most, &result))
		return false;
	o->iterations = result.iterations;
	o->residual = result.residual;
	o->ms = bench_clock() - start;
	if (!clx_stage_times(sim->cl, ms))
		return false;
	o->device_ms = ms[OTHER_STAGE];
	return true;
}

static void add_point(struct pressure_row *row, const struct outcome *o)
{
	if (row->point_count < MOST_POINTS)
		row->points[row->point_count++] =
			(struct pressure_point){o->iterations, o->residual, o->ms};
}

/* Solves of at most 1, 2, 4, ... iterations, until one reaches the tolerance or the next would take
 * too long. */
static bool probe(struct sim *sim, double limit, struct pressure_row *row)
{
	const double start = bench_clock();
	struct outcome o = {0};
	for (int most = 1; most <= MOST_ITERATIONS; most *= 2) {
		if (!solve(sim, most, most, &o))
			return false;
		add_point(row, &o);
		row->iterations = o.iterations;
		row->residual = o.residual;
		row->ms = o.ms;
		row->device_ms = o.device_ms;
		row->reached = o.residual <= PRESSURE_TOLERANCE;
		/* Conjugate gradients may rise above their start on the way down. */
		if (row->reached || !(o.residual < DIVERGED) || o.iterations < most)
			return true;
		if (bench_clock() - start + 2.0 * o.ms > limit)
			return true;
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
static bool fill_history(struct sim *sim, double limit, struct pressure_row *row)
{
	const double start = bench_clock();
	struct outcome o;
	for (int most = 1; most < row->iterations;
	     most = most < DENSE_POINTS ? most + 1 : (int)(most * GROWTH)) {
		if ((most & (most - 1)) == 0)
			continue;
		if (bench_clock() - start + row->ms_iteration * most > limit)
			break;
		if (!solve(sim, most, most, &o))
			return false;
		add_point(row, &o);
	}
	qsort(row->points, row->point_count, sizeof(*row->points), by_iterations);
	return true;
}

/* Time to tolerance of a solve that was cut short, from its later contraction; 0: does not
 * converge. */
static double extrapolate(const struct pressure_row *row)
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
static bool time_solve(struct sim *sim, double limit, struct pressure_row *row)
{
	const double start = bench_clock();
	double ms[SOLVES], device[SOLVES];
	size_t count = 0;
	int expected = row->iterations < FEW ? row->iterations : 0;
	struct bench_totals before;
	bench_take_totals(sim->cl, &before);
	while (count < SOLVES && (count == 0 || bench_clock() - start + ms[count - 1] < limit)) {
		struct outcome o;
		if (!solve(sim, MOST_ITERATIONS, expected, &o))
			return false;
		row->iterations = o.iterations;
		row->residual = o.residual;
		if (count == 0 && row->kernels && o.iterations > 0)
			bench_list_kernels(sim->cl, &before, o.iterations, row->kernels + 1);
		ms[count] = o.ms;
		device[count++] = o.device_ms;
	}
	row->ms = bench_median(ms, count);
	row->device_ms = bench_median(device, count);
	return true;
}

/* Where between its last two iterations the solve passed the tolerance: residuals fall by a factor
 * per iteration, so logarithms are what is linear.  0: many iterations, and no time to look. */
static bool measure_crossing(struct sim *sim, double limit, struct pressure_row *row)
{
	struct outcome before = {.residual = 1.0};
	const int whole = row->iterations - 1;
	if (whole >= FEW && row->ms * whole / row->iterations > limit)
		return true;
	if (whole > 0 && !solve(sim, whole, whole, &before))
		return false;
	if (row->residual > 0.0 && row->residual < before.residual)
		row->crossing = whole + log(before.residual / PRESSURE_TOLERANCE) /
						log(before.residual / row->residual);
	return true;
}

/* Over-relaxation that is best for a pool half as deep as the box: the lowest mode there is a
 * quarter of a wave along y only (Young 1954). */
static double best_relaxation(const struct sim *sim)
{
	const double pi = acos(-1.0);
	const double jacobi = (sim->dim - 1 + cos(pi / sim->lattice.grid.ny)) / sim->dim;
	return 2.0 / (1.0 + sqrt(1.0 - jacobi * jacobi));
}

bool bench_solve(struct sim *sim, struct scene *scene, double limit, bool history,
		 struct pressure_row *row)
{
	const double start = bench_clock();
	struct outcome warm;
	struct bench_totals before;
	scene->solver.pressure = row->solver;
	scene->solver.full_cycles = 0;
	scene->solver.v_cycles = MOST_ITERATIONS;
	scene->solver.over_relaxation = best_relaxation(sim);
	if (row->sweeps) {
		scene->solver.sweeps = row->sweeps;
		sim->poisson.mg.sweeps = row->sweeps;
	}
	row->points = calloc(MOST_POINTS, sizeof(*row->points));
	if (!row->points)
		return message_memory(MOST_POINTS * sizeof(*row->points), "the points of a curve");
	/* Drivers finish compiling at the first launch. */
	if (!set_up(sim, &row->setup_ms) || !solve(sim, 1, 1, &warm))
		return false;
	bench_take_totals(sim->cl, &before);
	if (!set_up(sim, &row->setup_ms))
		return false;
	if (row->kernels)
		bench_list_kernels(sim->cl, &before, 1.0, row->kernels);
	if (!probe(sim, limit, row) ||
	    (row->reached && (!time_solve(sim, start + limit - bench_clock(), row) ||
			      !measure_crossing(sim, start + limit - bench_clock(), row))))
		return false;
	const double count = row->iterations > 0 ? row->iterations : 1;
	row->bytes = bench_solver_bytes(row->solver, sim->dim, &sim->poisson.mg);
	row->contraction = row->residual > 0.0 ? pow(row->residual, 1.0 / count) : 0.0;
	row->ms_iteration = row->ms / count;
	row->device_ms /= count;
	if (!row->reached)
		row->ms = extrapolate(row);
	return !history || fill_history(sim, start + limit - bench_clock(), row);
}

/* ---- one sweep ---------------------------------------------------------------------------- */

static bool time_relaxation(struct sim *sim, int sweeps, double *ms)
{
	double stages[CLX_MAX_STAGES];
	if (!clx_stage_times(sim->cl, stages) || !multigrid_relax(&sim->poisson.mg, sweeps, 1.0f) ||
	    !clx_stage_times(sim->cl, stages))
		return false;
	*ms = stages[OTHER_STAGE];
	return true;
}

bool bench_sweep(struct sim *sim, double *ms)
{
	struct poisson *p = &sim->poisson;
	struct multigrid *mg = &p->mg;
	double samples[SWEEP_SAMPLES], setup, one, many;
	/* A finished solve leaves the mark that turns the kernels off, and a tiny residual. */
	if (!set_up(sim, &setup) || !build_rhs(sim) ||
	    !clx_zero(sim->cl, &mg->state, 0, mg->state.bytes) ||
	    !clx_copy(sim->cl, &p->rhs, 0, &mg->b, 0, (size_t)mg->finest * sizeof(f32)) ||
	    !time_relaxation(sim, SWEEPS, &many))
		return false;
	for (int i = 0; i < SWEEP_SAMPLES; i++) {
		if (!time_relaxation(sim, 1, &one) || !time_relaxation(sim, 1 + SWEEPS, &many))
			return false;
		samples[i] = (many - one) / SWEEPS;
	}
	*ms = bench_median(samples, SWEEP_SAMPLES);
	return true;
}
