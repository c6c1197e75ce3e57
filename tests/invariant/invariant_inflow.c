/*
 * Liquid that comes in through walls: how much, how evenly, how fast, and that the ledger knows. 2D
 * and 3D.  The rate is that of the area and velocity that the scene gives.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"
#include "sim_full.h"
#include "sources.h"
#include "statistics.h"

#if DIM == 2
#define BOX "[1, 1]"
#define CELLS 32
#define REST "[0, 0]"
#define ALONG "0]"
#define BACK ""
#define FRONT ""
#define BETWEEN(a, b) "box: {min: [0, " #a "], max: [0, " #b "]}"
#else
#define BOX "[1, 1, 1]"
#define CELLS 16
#define REST "[0, 0, 0]"
#define ALONG "0, 0]"
#define BACK ", 0"
#define FRONT ", 1"
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
	expect("layers that came in, less those due", (came - due) / layer, -1.01, 0.01);
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

static const char *const walls[] = {"x-", "x+", "y-", "y+", "z-", "z+"};

/* The flux through the faces of the walls, which the solve gets, m^2/s or m^3/s into the box. */
static double flux_in(struct sim *sim, int wall)
{
	const struct grid *g = &sim->lattice.grid;
	f32 *flow = fixture_read(sim, &sim->flow);
	double sum = 0.0, outside = 0.0;
	for (int k = 0; k < g->pz; k++)
		for (int j = 0; j < g->py; j++)
			for (int i = 0; i < g->px; i++)
				for (int a = 0; a < DIM; a++) {
					const int here[3] = {i, j, k},
						  end[3] = {g->nx, g->ny, g->nz};
					const double value =
						(double)flow[(size_t)a * (size_t)g->lattice +
							     lattice_at(g, i, j, k)];
					if (a == wall / 2 && here[a] == (wall % 2 ? end[a] : 0))
						sum += wall % 2 ? -value : value;
					else
						outside += fabs(value);
				}
	free(flow);
	expect_small("flux through other faces", outside, 0.0);
	const double h = sim->scene->h;
	return sum * h * (DIM == 3 ? h : 1.0);
}

/* A whole wall as an inflow, no gravity, the other end open: a plug that moves with the inflow's
 * velocity everywhere, which is exact. */
static void check_plug(int wall)
{
	const int axis = wall / 2, sign = wall % 2 ? -1 : 1;
	int v[3] = {0, 0, 0};
	v[axis] = sign;
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d, walls: {%s: open}}\n"
		"gravity: %s\ntime: {fps: 20, frames: 40}\n"
		"liquids: [{name: water}]\ninflows: [{wall: %s, velocity: [%d, %d%s%s]}]\n",
		BOX, CELLS, walls[wall ^ 1], REST, walls[wall], v[0], v[1], DIM == 3 ? ", " : "",
		DIM == 2    ? ""
		: v[2] == 0 ? "0"
		: v[2] > 0  ? "1"
			    : "-1");
	fixture_note("from wall %s", walls[wall]);
	fixture_run(sim, 0.5, NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	double off = 0.0, front = 0.0;
	for (u32 p = 0; p < cloud.count; p++) {
		const double x = (double)cloud.x[axis][p];
		front = fmax(front, sign > 0 ? x : 1.0 - x);
		for (int a = 0; a < DIM; a++)
			off = fmax(off, fabs((double)cloud.v[a][p] - v[a]));
	}
	const struct ledger_flow *total = &sim->ledger.accounts.total;
	expect_small("greatest difference from the velocity, m/s", off, 1e-4);
	expect("front, less that of the liquid, cells", (front - 0.5) * CELLS, -0.6, 0.1);
	expect("flux, of the wall's area times the velocity", flux_in(sim, wall), 0.99999, 1.00001);
	expect_small("momentum without a cause, of what came in",
		     total->momentum_rest[axis] / total->momentum_entered[axis], 1e-3);
	cloud_free(&cloud);
	fixture_free(sim);
}

static void plug(void)
{
	for (int wall = 0; wall < 2 * DIM; wall++)
		check_plug(wall);
}

/* A jet at 45 degrees is one at any substep: its lower edge starts where the part of the wall does,
 * and nothing of it is thrown off. */
static void oblique(void)
{
	for (int cfl = 1; cfl <= 2; cfl++) {
		struct sim *sim = fixture_sim(
			"domain: {size: %s, cells: %d, walls: {x+: open}}\ngravity: %s\n"
			"time: {fps: 20, frames: 20, cfl: %d}\nliquids: [{name: water}]\n"
			"inflows: [{wall: x-, %s, velocity: [1, 1%s]}]\n",
			BOX, CELLS, REST, cfl, BETWEEN(0.25, 0.5), DIM == 3 ? ", 0" : "");
		fixture_note("at 45 degrees, cfl %d", cfl);
		fixture_run(sim, 0.3, NULL, NULL);
		struct cloud cloud = cloud_read(sim);
		u32 astray = 0;
		for (u32 p = 0; p < cloud.count; p++) {
			const double along = (double)cloud.x[1][p] - (double)cloud.x[0][p];
			astray += along < 0.25 - 1.5 / CELLS || along > 0.5 + 1.5 / CELLS;
		}
		expect_small("particles more than a cell and a half off the jet, of all",
			     (double)astray / cloud.count, 0.02);
		cloud_free(&cloud);
		fixture_free(sim);
	}
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
	expect("layers that came in, less those due", (came - due) / layer, -1.01, 0.01);
	expect("volume under the surface, of what is there",
	       sim->stats.report.volume / (start + came), 0.99, 1.01);
	expect_small("imbalances of the ledger", sim->ledger.imbalances, 0.0);
	fixture_free(sim);
}

/* Times: nothing before the start, a ramp, nothing after the stop. */
static void times(void)
{
	const struct scene_inflow inflow = {.part = {.wall = WALL_X_HIGH},
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

#define EMITTER(at) \
	"emitters: [{box: {min: [0, 0.25" BACK "], max: [1, 0.5" FRONT "]}, at: " at "}]\n"

/* A box without an opening is full when its room is: half of it here, between liquid and a solid.
 * With an opening it never is, nor before it is by the last frame.  Points and emitters take half
 * of the room. */
static void full(void)
{
	static const struct {
		const char *walls, *more;
		int frames;
		double points, due; /* m^3; of the time that inflows alone take, 0: never */
	} rows[] = {
		{"", "", 200, 0.0, 1.0},
		{", walls: {y+: open}", "", 200, 0.0, 0.0},
		{"", "", 20, 0.0, 0.0},
		{"", "", 200, 0.25, 0.5},
		{"", EMITTER("0.6"), 200, 0.0, 0.5},
		{"", EMITTER("9.9"), 200, 0.0, 1.0},
	};
	const double due = 0.5 / (AREA(0.25) * 0.5);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sim *sim = fixture_sim(
			"domain: {size: %s, cells: %d%s}\ntime: {fps: 20, frames: %d}\n"
			"liquids: [{name: water, box: {min: %s, max: [1, 0.25" FRONT "]}}]\n"
			"solids: [{box: {min: [0, 0.75" BACK "], max: [1, 1" FRONT "]}}]\n"
			"inflows: [{wall: x-, %s, velocity: [0.5, " ALONG ", start: 0.5}]\n%s",
			BOX, CELLS, rows[i].walls, rows[i].frames, REST, BETWEEN(0.375, 0.625),
			rows[i].more);
		struct scene scene = *sim->scene;
		struct scene_liquid liquid = scene.liquids[0];
		liquid.points.count = (size_t)(rows[i].points / particle_volume(sim) + 0.5);
		scene.liquids = &liquid;
		const double time = sim_full_time(&scene);
		if (rows[i].due > 0.0)
			expect("time when it is full, of that due",
			       time / (0.5 + rows[i].due * due), 0.99, 1.01);
		else
			expect("it is never full", time < 0.0, 1.0, 1.0);
		fixture_free(sim);
	}
}

/* Solids before a part of the wall: what they leave open counts, for the flux and the particles,
 * which get neither into them nor behind. */
static void check_solid(const char *solid, double open, double tolerance, double beyond)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d, walls: {x+: open}}\ngravity: %s\n"
		"time: {fps: 20, frames: 20, cfl: 2}\nliquids: [{name: water}]\n"
		"solids: [{box: %s}]\ninflows: [{wall: x-, %s, velocity: [1, " ALONG "}]\n",
		BOX, CELLS, REST, solid, BETWEEN(0.375, 0.625));
	fixture_note("solid %s", solid);
	fixture_run(sim, 0.4, NULL, NULL);
	const double layer = particle_volume(sim) * sim->sources.inflow[0].sites;
	const double came = particle_volume(sim) * sim->ledger.entered;
	expect("flux, of what the area lets in", flux_in(sim, WALL_X_LOW) / AREA(open),
	       1.0 - tolerance, 1.0 + tolerance);
	expect("layers that came in, less those due",
	       (came - flux_in(sim, WALL_X_LOW) * 0.4) / layer, -1.01, 0.01);
	expect_small("particles that got into the solid", sim->stats.report.escaped, 0.0);
	struct cloud cloud = cloud_read(sim);
	u32 behind = 0;
	for (u32 p = 0; p < cloud.count; p++)
		behind += (double)cloud.x[0][p] > beyond && (double)cloud.x[1][p] > 0.4 &&
			  (double)cloud.x[1][p] < 0.6;
	expect_small("particles behind it", behind, 0.0);
	cloud_free(&cloud);
	fixture_free(sim);
}

#if DIM == 2
#define SOLID(x0, y0, x1, y1) "{min: [" #x0 ", " #y0 "], max: [" #x1 ", " #y1 "]}"
#else
#define SOLID(x0, y0, x1, y1) "{min: [" #x0 ", " #y0 ", 0], max: [" #x1 ", " #y1 ", 1]}"
#endif

static void before_a_solid(void)
{
	check_solid(SOLID(0, 0, 0.5, 0.5), 0.125, 1e-5, 1.0);
	/* Ends between faces and between sites: to the sample of a face. */
	check_solid(SOLID(0, 0, 0.5, 0.517), 0.108, 0.04, 1.0);
	/* A plate that the first layers would jump over. */
	check_solid(SOLID(0.02, 0, 0.021, 1), 0.25, 1e-5, 0.021);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(rate_at_any_step), CASE(plug), CASE(filling), CASE(times),
		CASE(before_a_solid),	CASE(full), CASE(oblique),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
