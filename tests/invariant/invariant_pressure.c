/*
 * The projection as users meet it: divergence, full boxes, tolerances out of reach, unlucky seeds,
 * values that are not finite.  Bars: BL-029, BL-031, BL-032, BL-034 and BL-043 of cases.md.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bits.h"
#include "levelset.h"
#include "message.h"
#include "particles.h"
#include "pressure.h"
#include "sim_fixture.h"

#define G 9.81
#define DENSITY 1000.0

#if DIM == 2
#define N 32
#define SIZE "[1, 1]"
#define THREE_QUARTERS "box: {min: [0, 0], max: [1, 0.75]}"
#define FULL "box: {min: [0, 0], max: [1, 1]}"
#define DOWN "[0, -9.81]"
#else
#define N 12
#define SIZE "[1, 1, 1]"
#define THREE_QUARTERS "box: {min: [0, 0, 0], max: [1, 0.75, 1]}"
#define FULL "box: {min: [0, 0, 0], max: [1, 1, 1]}"
#define DOWN "[0, -9.81, 0]"
#endif
#define H (1.0 / N)

/* ---- BL-029 ----------------------------------------------------------------------------- */

/* Largest |div u| over liquid cells, from the faces alone: the box has no solids. */
static double greatest_divergence(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	f32 *u = fixture_read(sim, &sim->u_face);
	unsigned char *type = fixture_read(sim, &sim->cell_type);
	double most = 0.0;
	for (i32 k = 0; k < g->nz; k++)
		for (i32 j = 0; j < g->ny; j++)
			for (i32 i = 0; i < g->nx; i++) {
				if (type[lattice_at(g, i, j, k)] != CELL_LIQUID)
					continue;
				double net = 0.0;
				for (int a = 0; a < DIM; a++) {
					const size_t low = lattice_at(g, i, j, k);
					const size_t high = lattice_at(g, i + (a == 0),
								       j + (a == 1), k + (a == 2));
					net += (double)u[(size_t)a * lattice + high] -
					       (double)u[(size_t)a * lattice + low];
				}
				most = fmax(most, fabs(net) / H);
			}
	free(u);
	free(type);
	return most;
}

/* Uniform in -1..1 on every face but those of the walls. */
static void randomise_faces(struct sim *sim, u64 seed)
{
	const struct grid *g = &sim->lattice.grid;
	f32 *u = fixture_read(sim, &sim->u_face);
	const i32 cells[3] = {g->nx, g->ny, g->nz};
	u64 random = seed;
	for (int c = 0; c < DIM; c++)
		for (i32 k = 0; k < g->pz; k++)
			for (i32 j = 0; j < g->py; j++)
				for (i32 i = 0; i < g->px; i++) {
					const i32 at[3] = {i, j, k};
					const bool wall = at[c] == 0 || at[c] == cells[c];
					f32 *slot = u + (size_t)c * (size_t)g->lattice +
						    lattice_at(g, i, j, k);
					const double value = 2.0 * fixture_random(&random) - 1.0;
					*slot = has_face(g, c, i, j, k) && !wall ? (f32)value
										 : 0.0f;
				}
	fixture_write(sim, &sim->u_face, u, (size_t)g->lattice * DIM * sizeof(f32));
	free(u);
}

/* Correlation of the pressure with (-1)^(i+j+k) over liquid cells. */
static double checkerboard(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	f32 *p = fixture_read(sim, &sim->pressure);
	unsigned char *type = fixture_read(sim, &sim->cell_type);
	double n = 0.0, sum = 0.0, square = 0.0, sign_sum = 0.0, product = 0.0;
	for (i32 k = 0; k < g->nz; k++)
		for (i32 j = 0; j < g->ny; j++)
			for (i32 i = 0; i < g->nx; i++) {
				const size_t at = lattice_at(g, i, j, k);
				const double sign = (i + j + k) % 2 ? -1.0 : 1.0;
				if (type[at] != CELL_LIQUID)
					continue;
				n++;
				sum += (double)p[at];
				square += (double)p[at] * (double)p[at];
				sign_sum += sign;
				product += sign * (double)p[at];
			}
	free(p);
	free(type);
	return (product - sum * sign_sum / n) /
	       sqrt((square - sum * sum / n) * (n - sign_sum * sign_sum / n));
}

static struct sim *make_random(bool separation, const char *liquid)
{
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
			    "time: {fps: 60, dt: %.17g}\nliquid: {jitter: 0}\n"
			    "solver: {separation: %s}\nliquids: [{%s}]\n",
			    SIZE, N, DOWN, 1.0 / 60.0, separation ? "true" : "false", liquid);
	fixture_begin(sim, 1.0 / 60.0);
	fixture_stage(particles_sort(sim) && levelset_update(sim));
	return sim;
}

static double reported_reduction(const struct sim *sim)
{
	return (double)float_from_bits(sim->lattice.host_scalars[SCALAR_DIVERGENCE_AFTER]) /
	       (double)float_from_bits(sim->lattice.host_scalars[SCALAR_DIVERGENCE_BEFORE]);
}

/* One projection of random velocities, then a second one. */
static void check_projection(const char *liquid)
{
	struct sim *sim = make_random(false, liquid);
	const size_t faces = (size_t)sim->lattice.grid.lattice * DIM;
	randomise_faces(sim, 29);
	const double before = greatest_divergence(sim);
	fixture_stage(pressure_project(sim));
	f32 *once = fixture_read(sim, &sim->u_face);
	fixture_note("%s: |div u| was %.3g 1/s, %d iterations", liquid, before,
		     sim->stats.pressure_iterations);
	expect_small("|div u| after / before", greatest_divergence(sim) / before, 1e-4);
	expect("the same, as reported", reported_reduction(sim), 0.0, 1e-4);
	fixture_stage(pressure_project(sim));
	f32 *twice = fixture_read(sim, &sim->u_face);
	double change = 0.0;
	for (size_t f = 0; f < faces; f++)
		change = fmax(change, fabs((double)twice[f] - (double)once[f]));
	expect_small("change by a second projection, m/s", change, 1e-4);
	free(once);
	free(twice);
	fixture_free(sim);
}

static void bl_029_divergence(void)
{
	check_projection(THREE_QUARTERS);
	check_projection(FULL);
	/* Walls that let go count as open in what is reported. */
	struct sim *sim = make_random(true, THREE_QUARTERS);
	randomise_faces(sim, 29);
	fixture_stage(pressure_project(sim));
	expect("separation on: |div u| after / before, reported", reported_reduction(sim), 0.0,
	       1e-4);
	fixture_free(sim);
}

/* No trace of a decoupled grid: the checkerboard has the largest eigenvalue, so the pressure of
 * random velocities holds about (lambda_max sum 1/lambda)^-1/2 = 2 % of it, of random sign; a
 * decoupled operator would be full of it.  The case's 1 % is asked of the mean over many fields. */
static void bl_029_checkerboard(void)
{
	enum { FIELDS = 64 };
	struct sim *sim = make_random(false, THREE_QUARTERS);
	double mean = 0.0, square = 0.0;
	for (u64 field = 1; field <= FIELDS; field++) {
		randomise_faces(sim, field << 32);
		fixture_stage(pressure_project(sim));
		const double c = checkerboard(sim);
		mean += c / FIELDS;
		square += c * c / FIELDS;
	}
	expect_small("correlation of p with the checkerboard, mean", mean, 0.01);
	expect_small("correlation of p with the checkerboard, rms", sqrt(square), 0.04);
	fixture_free(sim);
}

/* ---- BL-031 ----------------------------------------------------------------------------- */

struct full_box {
	double speed, mean_most;
};

static double mean_pressure(struct sim *sim)
{
	f32 *p = fixture_read(sim, &sim->pressure);
	double sum = 0.0;
	for (i32 at = 0; at < sim->lattice.grid.lattice; at++)
		sum += (double)p[at];
	free(p);
	return sum / pow(N, DIM);
}

static void watch_full(struct sim *sim, void *user)
{
	struct full_box *w = user;
	w->speed = fmax(w->speed, sim->stats.report.max_speed);
	w->mean_most = fmax(w->mean_most, fabs(mean_pressure(sim)));
}

/* No air at all: the pressure is known up to a constant, its gradient is rho g. */
static void check_full(const char *separation, double jitter)
{
	struct sim *sim = fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
				      "time: {fps: 60, frames: 1000, dt: %.17g}\n"
				      "liquid: {jitter: %g}\nsolver: {separation: %s}\n"
				      "liquids: [{%s}]\n",
				      SIZE, N, DOWN, 1.0 / 60.0, jitter, separation, FULL);
	struct full_box w = {0};
	fixture_run(sim, 100.0 / 60.0, watch_full, &w);
	const struct grid *g = &sim->lattice.grid;
	f32 *p = fixture_read(sim, &sim->pressure);
	double least = 1e9, most = 0.0;
	for (i32 k = 0; k < g->nz; k++)
		for (i32 i = 0; i < g->nx; i++) {
			const i32 low = 1, high = g->ny - 2;
			const double slope = ((double)p[lattice_at(g, i, low, k)] -
					      (double)p[lattice_at(g, i, high, k)]) /
					     (DENSITY * (high - low) * H);
			least = fmin(least, slope);
			most = fmax(most, slope);
		}
	fixture_note("separation %s, jitter %g", separation, jitter);
	expect_small("greatest speed, m/s", w.speed, 1e-3);
	expect("dp/dy / rho, least, m/s^2", least, G * 0.999, G * 1.001);
	expect("dp/dy / rho, greatest, m/s^2", most, G * 0.999, G * 1.001);
	expect_small("mean pressure, greatest / (rho g H)", w.mean_most / (DENSITY * G), 1.0);
	expect("singular components", sim->stats.report.singular_components, 1.0, 1.0);
	expect_small("escaped", sim->stats.report.escaped, 0.0);
	expect_small("retries", sim->stats.retries, 0.0);
	free(p);
	fixture_free(sim);
}

static void bl_031_full_box(void)
{
	check_full("true", 0.0);
	check_full("true", 1.0);
	check_full("false", 1.0);
}

#if DIM == 2

/* ---- BL-032 ----------------------------------------------------------------------------- */

static struct cloud run_dam(int n, double tolerance, int limit, int steps, int *warned)
{
	struct sim *sim = fixture_sim("domain: {size: [1, 1], cells: %d}\n"
				      "time: {fps: 60, frames: 1000, dt: %.17g}\n"
				      "solver: {tolerance: %g, max_iterations: %d}\n"
				      "liquids: [{box: {min: [0, 0], max: [0.25, 0.5]}}]\n",
				      n, 1.0 / 60.0, tolerance, limit);
	for (int step = 0; step < steps; step++)
		fixture_step(sim);
	struct cloud cloud = cloud_read(sim);
	*warned = fixture_warnings();
	fixture_free(sim);
	return cloud;
}

static void bl_032_tolerance_out_of_reach(void)
{
	int warned[3];
	struct cloud usual = run_dam(32, 1e-5, 200, 20, &warned[0]);
	struct cloud tight = run_dam(32, 1e-14, 200, 20, &warned[1]);
	struct cloud poor = run_dam(32, 1e-5, 1, 20, &warned[2]);
	double x = cloud_mean(&tight, tight.x[0]) - cloud_mean(&usual, usual.x[0]);
	double y = cloud_mean(&tight, tight.x[1]) - cloud_mean(&usual, usual.x[1]);
	expect_small("tolerance 1e-5: warnings", warned[0], 0.0);
	expect("tolerance 1e-14: warnings in the run", warned[1], 1.0, 1.0);
	expect_small("tolerance 1e-14: centre of mass, x, m", x, 1e-3);
	expect_small("tolerance 1e-14: centre of mass, y, m", y, 1e-3);
	expect("one iteration: warnings in the run", warned[2], 1.0, 1.0);
	expect("one iteration: finite", isfinite(cloud_vrms(&poor)), 1.0, 1.0);
	cloud_free(&usual);
	cloud_free(&tight);
	cloud_free(&poor);
}

/* ---- BL-034 ----------------------------------------------------------------------------- */

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* No seed is special: no step needs above ten times the median of its run. */
static void bl_034_seeds(void)
{
	enum { STEPS = 150 };
	const int seeds = (int)fixture_pick(4, 40);
	double ratio = 0.0, retries = 0.0, warned = 0.0, all_steps = 0.0;
	int most = 0;
	for (int seed = 1; seed <= seeds; seed++) {
		int iterations[STEPS], sorted[STEPS], steps = (int)fixture_pick(60, STEPS);
		struct sim *sim = fixture_sim("domain: {size: [1, 1], cells: 48}\n"
					      "time: {fps: 60, frames: 1000, dt: %.17g}\n"
					      "liquid: {seed: %d}\n"
					      "liquids: [{box: {min: [0, 0], max: [0.25, 0.5]}}]\n",
					      1.0 / 60.0, seed);
		for (int step = 0; step < steps; step++) {
			fixture_step(sim);
			sorted[step] = iterations[step] = sim->stats.pressure_iterations;
			most = iterations[step] > most ? iterations[step] : most;
		}
		qsort(sorted, (size_t)steps, sizeof(int), compare_ints);
		ratio = fmax(ratio, (double)sorted[steps - 1] / sorted[steps / 2]);
		retries += sim->stats.retries;
		all_steps += steps;
		warned += fixture_warnings();
		fixture_free(sim);
	}
	/* A step is also retried, without a warning, when a jet would carry it too far. */
	fixture_note("%d seeds: %d iterations at most, %g steps retried", seeds, most, retries);
	expect_small("iterations, most / median of the run", ratio, 10.0);
	/* A step may solve several times, once per round of separation. */
	expect_small("iterations in a step", most, 5 * 200);
	expect_small("steps retried, share", retries / all_steps, 0.01);
	expect_small("warnings: solves that diverged, or stopped too early", warned, 0.0);
}

#endif

/* ---- BL-043 ----------------------------------------------------------------------------- */

static char refusal[1024];

static void keep_error(enum message_level level, const char *text, void *user)
{
	(void)user;
	if (level == MESSAGE_ERROR && refusal[0] == '\0')
		snprintf(refusal, sizeof(refusal), "%s", text);
}

/* One bad value in a pool ends the run at once, and the message says where. */
static void check_bad_value(const char *what, bool position, f32 value)
{
	struct sim *sim = fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
				      "liquids: [{%s}]\n",
				      SIZE, N, DOWN, THREE_QUARTERS);
	struct cloud cloud = cloud_read(sim);
	char name[32];
	snprintf(name, sizeof(name), "particle %u", cloud.id[cloud.count / 2]);
	(position ? cloud.x : cloud.v)[1][cloud.count / 2] = value;
	cloud_write(sim, &cloud);
	cloud_free(&cloud);
	refusal[0] = '\0';
	message_set_sink(keep_error, NULL);
	const bool went_on = sim_substep(sim);
	message_set_sink(NULL, NULL);
	fixture_note("%s: '%s'", what, refusal);
	expect("the substep fails", went_on, 0.0, 0.0);
	expect("the message says 'finite'", strstr(refusal, "finite") != NULL, 1.0, 1.0);
	expect("the message names the frame", strstr(refusal, "frame 1") != NULL, 1.0, 1.0);
	expect("the message names the particle", strstr(refusal, name) != NULL, 1.0, 1.0);
	fixture_free(sim);
}

static void bl_043_not_finite(void)
{
	check_bad_value("velocity NaN", false, (f32)NAN);
	check_bad_value("velocity Inf", false, (f32)INFINITY);
	check_bad_value("position NaN", true, (f32)NAN);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(bl_029_divergence),
		CASE(bl_029_checkerboard),
		CASE(bl_031_full_box),
#if DIM == 2
		CASE(bl_032_tolerance_out_of_reach),
		CASE(bl_034_seeds),
#endif
		CASE(bl_043_not_finite),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
