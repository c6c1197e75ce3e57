/*
 * Liquid that leaves through walls, and flows in and out under a pressure: how fast, to which
 * level, how evenly, and that the ledger knows.  2D and 3D.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

#if DIM == 2
#define BOX "[1, 1]"
#define CELLS 32
#define REST "[0, 0]"
#define ALONG ""
#define WIDE 1.0
#else
#define BOX "[1, 1, 0.25]"
#define CELLS 16
#define REST "[0, 0, 0]"
#define ALONG ", 0.25"
#define WIDE 0.25
#endif

static double particle_volume(const struct sim *sim)
{
	const double h = sim->scene->h;
	return h * h * (DIM == 3 ? h : 1.0) / sim->scene->particles_per_cell;
}

/* Created less alive less removed, whatever went in and out: none is lost. */
static void check_ledger(struct sim *sim)
{
	expect_small("imbalances of the ledger", sim->ledger.imbalances, 0.0);
	expect_small("ids given, less particles created",
		     (double)sim->particles.ids.end - sim->ledger.seeded - sim->ledger.entered,
		     0.0);
}

/* A pool beside liquid at rest of the same level: neither flows, for good. */
static void rest(void)
{
	static const char *const walls[] = {"x+", "x-", "y-"};
	for (size_t w = 0; w < 3; w++) {
		struct sim *sim = fixture_sim(
			"domain: {size: " BOX ", cells: %d}\ntime: {fps: 20, frames: 40}\n"
			"liquids: [{name: water, box: {min: " REST ", max: [1, 0.5" ALONG "]}}]\n"
			"outflows: [{wall: %s, hydrostatic: 0.5}]\n",
			CELLS, walls[w]);
		const double start = sim->particles.count;
		fixture_note("through %s", walls[w]);
		fixture_run(sim, 1.0, NULL, NULL);
		struct cloud cloud = cloud_read(sim);
		expect("particles, of those at the start", cloud.count / start, 0.99, 1.01);
		/* Of a fall by a cell; a closed box of such seeds has about as much. */
		expect_small("root mean square speed, of sqrt(g h)",
			     cloud_vrms(&cloud) / sqrt(9.81 / CELLS), 0.1);
		expect_small("particles that went in or out, of all",
			     (sim->stats.report.flown + sim->ledger.entered) / start, 0.02);
		check_ledger(sim);
		cloud_free(&cloud);
		fixture_free(sim);
	}
}

/*
 * A full channel between two pressures, without gravity, moves as one: with a = p/rho at one end, 0
 * at the other, and the pressure a - u^2/2 where it comes in, du/dt = (a - u^2/2)/L:
 * u = sqrt(2 a) tanh(sqrt(a/2) t/L), whose end is Torricelli's.
 */
static void check_channel(int high, const char *more)
{
	struct sim *sim =
		fixture_sim("domain: {size: " BOX ", cells: %d}\ngravity: " REST "\n"
			    "time: {fps: 20, frames: 80}\n%s\n"
			    "liquids: [{name: water, box: {min: " REST ", max: [1, 1" ALONG "]}}]\n"
			    "outflows: [{wall: %s, pressure: 500}, {wall: %s, pressure: 0}]\n",
			    CELLS, more, high ? "x+" : "x-", high ? "x-" : "x+");
	const double start = sim->particles.count, end = fixture_pick(2.0, 4.0), a = 0.5;
	fixture_note("from %s, %s", high ? "x+" : "x-", more);
	fixture_run(sim, end, NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	u32 *in = count_particles(sim, &cloud), most = 0, empty = 0;
	const struct grid *g = &sim->lattice.grid;
	for (int k = 0; k < g->nz; k++)
		for (int j = 0; j < g->ny; j++)
			for (int i = 0; i < g->nx; i++) {
				const u32 n = in[lattice_at(g, i, j, k)];
				most = n > most ? n : most;
				empty += n == 0;
			}
	const double due = sqrt(2.0 * a) * tanh(sqrt(0.5 * a) * end);
	/* First order in the substep. */
	expect("mean speed, of the exact one",
	       (high ? -1.0 : 1.0) * cloud_mean(&cloud, cloud.v[0]) / due, 0.985, 1.015);
	expect("particles, of those at the start", cloud.count / start, 0.99, 1.01);
	expect_small("cells without particles, of all", (double)empty / (g->nx * g->ny * g->nz),
		     0.005);
	expect("most in a cell, of those it should have",
	       (double)most / sim->scene->particles_per_cell, 1.0, 3.01);
	/* The integral of u. */
	const double way = 2.0 * log(cosh(sqrt(0.5 * a) * end));
	expect("volume that came in, of the exact one",
	       particle_volume(sim) * sim->ledger.entered / (way * WIDE), 0.98, 1.02);
	expect("volume that left, of the exact one",
	       particle_volume(sim) * sim->stats.report.flown / (way * WIDE), 0.98, 1.02);
	check_ledger(sim);
	free(in);
	cloud_free(&cloud);
	fixture_free(sim);
}

static void channel(void)
{
	check_channel(0, "");
	check_channel(1, "liquid: {transfer: apic}");
}

/* The mean of the volume from some time on. */
struct mean {
	double from, sum, time;
};

static void add_volume(struct sim *sim, void *user)
{
	struct mean *mean = user;
	if (sim->time < mean->from)
		return;
	mean->sum += sim->stats.dt * particle_volume(sim) * sim->stats.particles;
	mean->time += sim->stats.dt;
}

/* A tank that is fuller than what is beside it, or emptier, comes to its level; through a part of a
 * wall, where what flows in or out takes its energy with it. */
static void check_level(double depth)
{
	const double end = fixture_pick(6.0, 12.0);
	struct mean mean = {.from = 0.5 * end};
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX ", cells: %d}\ntime: {fps: 20, frames: 240}\n"
		"liquids: [{name: water, box: {min: " REST ", max: [1, %g" ALONG "]}}]\n"
		"outflows: [{wall: x+, box: {min: " REST ", max: [1, 0.25" ALONG "]},\n"
		"  hydrostatic: 0.5}]\n",
		CELLS, depth);
	fixture_note("from a depth of %g m", depth);
	fixture_run(sim, end, add_volume, &mean);
	expect("level, less that outside, cells", (mean.sum / mean.time / WIDE - 0.5) * CELLS, -1.0,
	       1.0);
	expect_small("error of the volume under the surface", sim->stats.volume_error, 0.02);
	check_ledger(sim);
	fixture_free(sim);
}

static void level(void)
{
	check_level(0.75);
	check_level(0.3);
}

/* Through a slot in the wall, into air: Torricelli's speed, and between a sharp edge's contraction
 * of the jet (pi/(pi + 2)) and none.  The wall's plane has pressure 0, which contracts less. */
static void slot(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX ", cells: %d}\ntime: {fps: 20, frames: 40}\n"
		"liquids: [{name: water, box: {min: " REST ", max: [1, 0.8" ALONG "]}}]\n"
		"outflows: [{wall: x+, box: {min: " REST ", max: [1, 0.125" ALONG "]},\n"
		"  pressure: 0}]\n",
		CELLS);
	fixture_run(sim, 0.3, NULL, NULL);
	const double before = particle_volume(sim) * sim->particles.count;
	fixture_run(sim, 0.7, NULL, NULL);
	const double after = particle_volume(sim) * sim->particles.count;
	const double depth = 0.5 * (before + after) / WIDE - 0.0625;
	expect("rate, of the slot's area and sqrt(2 g depth)",
	       (before - after) / (0.4 * 0.125 * WIDE * sqrt(2.0 * 9.81 * depth)), 0.611, 1.0);
	expect_small("particles that came in", sim->ledger.entered, 0.0);
	check_ledger(sim);
	fixture_free(sim);
}

/* A given speed takes a given volume. */
static void speed(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX ", cells: %d}\ntime: {fps: 20, frames: 40}\n"
		"liquids: [{name: water, box: {min: " REST ", max: [1, 0.8" ALONG "]}}]\n"
		"outflows: [{name: out, wall: x+, box: {min: " REST ", max: [1, 0.25" ALONG "]},\n"
		"  velocity: 0.5}]\n",
		CELLS);
	fixture_run(sim, 1.0, NULL, NULL);
	const double left = particle_volume(sim) * sim->stats.report.flown;
	expect("volume that left, of what is due", left / (0.5 * 0.25 * WIDE), 0.98, 1.02);
	expect("volume under the surface, of what is left",
	       sim->stats.report.volume / (particle_volume(sim) * sim->particles.count), 0.98,
	       1.02);
	check_ledger(sim);
	fixture_free(sim);
}

/* A substep that fails when it is about to count leaves what faces owe as it was. */
static void failure(void)
{
	struct sim *sim[2];
	u64 hash[2] = {0, 1};
	for (int n = 0; n < 2; n++) {
		sim[n] = fixture_sim(
			"domain: {size: " BOX ", cells: 8}\ngravity: " REST "\n"
			"liquids: [{name: water, box: {min: " REST ", max: [1, 1" ALONG "]}}]\n"
			"outflows: [{wall: x+, pressure: 500}, {wall: x-, pressure: 0}]\n");
		for (int step = 0; step < 6; step++)
			fixture_step(sim[n]);
	}
	struct outflows *o = &sim[1]->outflows;
	double changed = 0.0, owing = 0.0;
	struct outflow_face *before = calloc(o->faces, sizeof(*before));
	memcpy(before, o->face, o->faces * sizeof(*before));
	const bool strict = sim[1]->ledger.strict;
	sim[1]->ledger.strict = true;
	sim[1]->ledger.seeded++; /* it does not add up */
	expect_small("substeps of a ledger that does not add up", sim_substep(sim[1]), 0.0);
	sim[1]->ledger.seeded--;
	sim[1]->ledger.strict = strict;
	for (u32 f = 0; f < o->faces; f++) {
		owing += fabs(before[f].owed);
		changed += fabs(o->face[f].owed - before[f].owed) +
			   (o->face[f].turn != before[f].turn);
	}
	free(before);
	expect("owed by faces, particles", owing, 1e-3, 1e9);
	expect_small("changed by a substep that failed", changed, 0.0);
	for (int n = 0; n < 2; n++) {
		for (int step = 0; step < 3; step++)
			fixture_step(sim[n]);
		fixture_stage(sim_hash(sim[n], sim[n]->frame, &hash[n]));
	}
	expect_small("hashes unlike those without a failure", hash[0] != hash[1], 0.0);
	fixture_free(sim[0]);
	fixture_free(sim[1]);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(rest), CASE(channel), CASE(level), CASE(slot), CASE(speed), CASE(failure),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
