/*
 * Liquid that comes in through walls: how much, how evenly, how fast, and that the ledger knows. 2D
 * and 3D.  The rate is that of the area and velocity that the scene gives.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"
#include "sources.h"
#include "statistics.h"

#if DIM == 2
#define BOX "[1, 1]"
#define CELLS 32
#define REST "[0, 0]"
#define ALONG "0]"
#define BETWEEN(a, b) "box: {min: [0, " #a "], max: [0, " #b "]}"
#else
#define BOX "[1, 1, 1]"
#define CELLS 16
#define REST "[0, 0, 0]"
#define ALONG "0, 0]"
#define BETWEEN(a, b) "box: {min: [0, " #a ", 0.25], max: [0, " #b ", 0.75]}"
#endif
#define AREA(width) ((width) * (DIM == 3 ? 0.5 : 1.0)) /* of a part BETWEEN(), per metre in 2D */

static double particle_volume(const struct sim *sim)
{
	const double h = sim->scene->h;
	return h * h * (DIM == 3 ? h : 1.0) / sim->scene->particles_per_cell;
}

/* ---- rate and evenness -------------------------------------------------------------------- */

struct counts {
	u32 most, empty; /* in a cell; cells beside the wall without particles, once it flows */
};

/* Particles by cell of the part of the wall, four cells deep. */
static void count_near(struct sim *sim, void *user)
{
	struct counts *c = user;
	struct cloud cloud = cloud_read(sim);
	const int n = CELLS, deep = 4, rows = n * (DIM == 3 ? n : 1);
	u32 *in = calloc((size_t)(deep * rows), sizeof(*in));
	for (u32 p = 0; p < cloud.count; p++) {
		const int i = (int)(cloud.x[0][p] * (f32)n), j = (int)(cloud.x[1][p] * (f32)n),
			  k = DIM == 3 ? (int)(cloud.x[2][p] * (f32)n) : 0;
		if (i < deep && j < n && k < n)
			in[i + deep * (j + n * k)]++;
	}
	for (int at = 0; at < deep * rows; at++) {
		const int j = at / deep % n, k = at / deep / n;
		c->most = in[at] > c->most ? in[at] : c->most;
		/* The middle of the part, once its liquid is deep enough. */
		if (sources_advance(&sim->scene->inflows[0], sim->time) > 5.0 / n &&
		    j > n * 7 / 16 && j < n * 9 / 16 &&
		    (DIM == 2 || (k > n * 6 / 16 && k < n * 10 / 16)))
			c->empty += in[at] == 0;
	}
	free(in);
	cloud_free(&cloud);
}

static void check_rate(const char *time, double speed, double end, const char *more)
{
	struct counts counts = {0, 0};
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: %d, walls: {x+: open}}\ngravity: %s\n"
			    "time: {fps: 20, frames: 40, %s}\n%s\n"
			    "liquids: [{name: water}]\n"
			    "inflows: [{wall: x-, %s, velocity: [%g, " ALONG "}]\n",
			    BOX, CELLS, REST, time, more, BETWEEN(0.375, 0.625), speed);
	fixture_run(sim, end, count_near, &counts);
	const double came = particle_volume(sim) * sim->ledger.entered;
	const double layer = particle_volume(sim) * sim->sources.inflow[0].sites;
	const double due = AREA(0.25) * speed * end;
	fixture_note("%s, %g m/s %s", time, speed, more);
	expect("layers that came in, less those due", (came - due) / layer, -0.51, 0.51);
	expect_small("cells without particles in the jet", counts.empty, 0.0);
	expect("most in a cell, of those it should have",
	       (double)counts.most / sim->scene->particles_per_cell, 1.0, 2.01);
	expect_small("imbalances of the ledger", sim->ledger.imbalances, 0.0);
	expect_small("particles created, less their ids",
		     (double)sim->ledger.entered - (double)sim->particles.ids.end, 0.0);
	fixture_free(sim);
}

static void rate_at_any_step(void)
{
	check_rate("cfl: 1", 1.0, 0.6, "");
	check_rate("cfl: 2", 0.5, 0.8, "liquid: {transfer: apic}");
	check_rate("dt: 0.004", 2.0, 0.3, "liquid: {jitter: 0}");
	check_rate("cfl: 1", 1.0, 0.6, "liquid: {particles_per_cell: 6, jitter: 0}");
}

/* ---- what flows --------------------------------------------------------------------------- */

/* A whole wall as an inflow, no gravity, the other end open: a plug that moves with the inflow's
 * velocity everywhere, which is exact. */
static void plug(void)
{
	struct sim *sim = fixture_sim("domain: {size: %s, cells: %d, walls: {x+: open}}\n"
				      "gravity: %s\ntime: {fps: 20, frames: 40}\n"
				      "liquids: [{name: water}]\n"
				      "inflows: [{wall: x-, velocity: [1, " ALONG "}]\n",
				      BOX, CELLS, REST);
	fixture_run(sim, 0.5, NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	double off = 0.0, front = 0.0;
	for (u32 p = 0; p < cloud.count; p++) {
		front = fmax(front, (double)cloud.x[0][p]);
		for (int a = 0; a < DIM; a++)
			off = fmax(off, fabs((double)cloud.v[a][p] - (a == 0 ? 1.0 : 0.0)));
	}
	expect_small("greatest difference from the velocity, m/s", off, 1e-4);
	expect("front, less that of the liquid, cells", (front - 0.5) * CELLS, -0.6, 0.6);
	cloud_free(&cloud);
	fixture_free(sim);
}

/* A box that fills from below: its level rises by what comes in. */
static void filling(void)
{
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: %d, walls: {y+: open}}\n"
			    "time: {fps: 20, frames: 40}\n"
			    "liquids: [{name: water, box: {min: %s, max: [1, 0.25%s]}}]\n"
			    "inflows: [{wall: x-, %s, velocity: [0.2, " ALONG ", ramp: 0.2}]\n",
			    BOX, CELLS, REST, DIM == 3 ? ", 1" : "", BETWEEN(0.0625, 0.1875));
	const double start = particle_volume(sim) * sim->particles.count;
	fixture_run(sim, fixture_pick(1.5, 2.0), NULL, NULL);
	const double due = AREA(0.125) * 0.2 * (sim->time - 0.1);
	const double layer = particle_volume(sim) * sim->sources.inflow[0].sites;
	const double came = particle_volume(sim) * sim->ledger.entered;
	expect("layers that came in, less those due", (came - due) / layer, -0.51, 0.51);
	expect("volume under the surface, of what is there",
	       sim->stats.report.volume / (start + came), 0.99, 1.01);
	expect_small("imbalances of the ledger", sim->ledger.imbalances, 0.0);
	fixture_free(sim);
}

/* Times: nothing before the start, a ramp, nothing after the stop. */
static void times(void)
{
	const struct scene_inflow inflow = {.wall = WALL_X_HIGH,
					    .velocity = {-2.0, 5.0, 0.0},
					    .start = 1.0,
					    .stop = 4.0,
					    .ramp = 2.0};
	static const double due[][2] = {{0.0, 0.0}, {1.0, 0.0}, {2.0, 0.5},
					{3.0, 2.0}, {4.0, 4.0}, {9.0, 4.0}};
	for (size_t i = 0; i < sizeof(due) / sizeof(due[0]); i++)
		expect_small("advance, less the integral of the velocity, m",
			     sources_advance(&inflow, due[i][0]) - due[i][1], 1e-12);
}

/* A solid before a part of the wall: what it leaves open counts, for the flux and the particles. */
static void behind_a_solid(void)
{
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: %d, walls: {x+: open}}\ngravity: %s\n"
			    "time: {fps: 20, frames: 20}\nliquids: [{name: water}]\n"
			    "solids: [{box: {min: [0, 0%s], max: [0.5, 0.5%s]}}]\n"
			    "inflows: [{wall: x-, %s, velocity: [1, " ALONG "}]\n",
			    BOX, CELLS, REST, DIM == 3 ? ", 0" : "", DIM == 3 ? ", 1" : "",
			    BETWEEN(0.375, 0.625));
	fixture_run(sim, 0.4, NULL, NULL);
	const double layer = particle_volume(sim) * sim->sources.inflow[0].sites;
	const double came = particle_volume(sim) * sim->ledger.entered;
	expect("layers that came in, less those due", (came - AREA(0.125) * 0.4) / layer, -0.51,
	       0.51);
	expect_small("particles that got into the solid", sim->stats.report.escaped, 0.0);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(rate_at_any_step), CASE(plug), CASE(filling), CASE(times),
		CASE(behind_a_solid),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
