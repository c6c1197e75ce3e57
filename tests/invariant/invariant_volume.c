/*
 * Volume over long runs and around obstacles: draining, sloshing, swirling, landing, leaving.  2D.
 * Bars: BL-001, BL-002, BL-004, BL-005 and BL-013 of cases.md.  Areas are of the cells that
 * hold a particle, as there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_fixture.h"

#define PI 3.14159265358979

/* ---- what the cases measure ------------------------------------------------------------- */

static double occupied_area(struct sim *sim)
{
	struct cloud cloud = cloud_read(sim);
	u32 *count = count_particles(sim, &cloud);
	double cells = 0.0;
	for (i32 at = 0; at < sim->lattice.grid.lattice; at++)
		cells += count[at] > 0;
	free(count);
	cloud_free(&cloud);
	return cells * (double)sim->lattice.grid.h * (double)sim->lattice.grid.h;
}

struct watch {
	u32 most;      /* particles in a cell */
	u32 particles; /* at the start */
	double lost;   /* frames with another number */
	double escaped;
};

static void watch(struct sim *sim, void *user)
{
	struct watch *w = user;
	const struct step_report *r = &sim->stats.report;
	w->most = r->max_ppc > w->most ? r->max_ppc : w->most;
	w->lost += sim->stats.particles != w->particles;
	w->escaped = r->escaped;
}

static struct watch run(struct sim *sim, double seconds)
{
	struct watch w = {.particles = sim->particles.count};
	fixture_run(sim, seconds, watch, &w);
	expect_small("steps with another number of particles", w.lost, 0.0);
	expect_small("escaped", w.escaped, 0.0);
	return w;
}

/* ---- BL-001 ----------------------------------------------------------------------------- */

/* A block drains through a plate with five slots, or falls without it. */
static double drain(bool plate, double seconds)
{
	static const int slots[] = {-3, 6, 18, 30, 42, 54, 64};
	char solids[1024] = "solids: [";
	size_t used = 9;
	/* The pieces between the slots; the outer two reach into the walls. */
	for (int piece = 0; piece < 6; piece++)
		used += (size_t)snprintf(solids + used, sizeof(solids) - used,
					 "%s{box: {min: [%.9g, 0.484375], max: [%.9g, 0.515625]}}",
					 piece ? ", " : "", (slots[piece] + 3) / 64.0,
					 slots[piece + 1] / 64.0);
	struct sim *sim = fixture_sim(
		"domain: {size: [1, 1], cells: 64}\ntime: {fps: 24, frames: 1000, dt: %.17g}\n"
		"liquid: {jitter: 0}\n%s%s\n"
		"liquids: [{box: {min: [0.296875, 0.546875], max: [0.703125, 0.84375]}}]\n",
		1.0 / 240.0, plate ? solids : "", plate ? "]" : "");
	fixture_note("%s the plate", plate ? "with" : "without");
	run(sim, seconds);
	const double area = occupied_area(sim);
	fixture_free(sim);
	return area;
}

/* The areas are those of a settled pool: in the short form only the count is checked. */
static void bl_001_drained(void)
{
	const double volume = 0.40625 * 0.296875;
	const double seconds = fixture_pick(1.5, 6.0);
	const double with = drain(true, seconds), without = drain(false, seconds);
	if (!fixture_full())
		return;
	expect_small("area with the plate / poured - 1", with / volume - 1.0, 0.12);
	expect_small("area without the plate / poured - 1", without / volume - 1.0, 0.12);
	expect_small("difference / poured", (with - without) / volume, 0.12);
}

/* ---- BL-002 ----------------------------------------------------------------------------- */

/* Ten seconds of sideways shaking, five of rest. */
static void bl_002_sloshing(void)
{
	/* g(t) by keys, 16 per second. */
	char keys[16384];
	size_t used = 0;
	for (int n = 0; n <= 160; n++)
		used += (size_t)snprintf(keys + used, sizeof(keys) - used,
					 "  - {time: %.6f, g: [%.6f, -9.81]}\n", n / 16.0,
					 n < 160 ? 0.3 * 9.81 * sin(2.0 * PI * n / 16.0) : 0.0);
	struct sim *sim = fixture_sim("domain: {size: [1, 0.5], cells: %d}\ngravity:\n%s"
				      "time: {fps: 24, frames: 1000, dt: %.17g}\n"
				      "liquid: {jitter: 0}\n"
				      "liquids: [{box: {min: [0, 0], max: [1, 0.25]}}]\n",
				      64, keys, 1.0 / 120.0);
	const struct watch w = run(sim, fixture_pick(2.5, 15.0));
	expect_small("most particles in a cell", w.most, 14.0);
	if (fixture_full())
		expect_small("area / poured - 1", occupied_area(sim) / 0.25 - 1.0, 0.1);
	fixture_free(sim);
}

/* ---- BL-004 ----------------------------------------------------------------------------- */

/* A swirl over the whole pool must not tear holes. */
static void bl_004_swirl(void)
{
	struct sim *sim = fixture_sim("domain: {size: [1, 1], cells: 64}\n"
				      "time: {fps: 24, frames: 1000, dt: %.17g}\n"
				      "liquid: {jitter: 0}\n"
				      "liquids: [{box: {min: [0, 0], max: [1, 0.75]}}]\n",
				      1.0 / 240.0);
	struct cloud cloud = cloud_read(sim);
	for (u32 p = 0; p < cloud.count; p++) {
		const double x = PI * (double)cloud.x[0][p], y = PI * (double)cloud.x[1][p] / 0.75;
		cloud.v[0][p] = (f32)(sin(x) * cos(y));
		cloud.v[1][p] = (f32)(-0.75 * cos(x) * sin(y));
	}
	cloud_write(sim, &cloud);
	cloud_free(&cloud);
	double empty_most = 0.0, spread_most = 0.0;
	const int halves = (int)fixture_pick(2, 10);
	for (int half = 1; half <= halves; half++) {
		run(sim, 0.5 * half);
		cloud = cloud_read(sim);
		u32 *count = count_particles(sim, &cloud);
		double cells = 0.0, empty = 0.0, sum = 0.0, square = 0.0;
		for (i32 j = 2; j < 40; j++) /* below 0.625 m */
			for (i32 i = 2; i < 62; i++) {
				const double n = count[lattice_at(&sim->lattice.grid, i, j, 0)];
				cells++;
				empty += n == 0.0;
				sum += n;
				square += n * n;
			}
		const double mean = sum / cells;
		empty_most = fmax(empty_most, empty / cells);
		spread_most = fmax(spread_most, sqrt(square / cells - mean * mean) / mean);
		if (half == halves)
			expect("centre of mass at the end, m", cloud_mean(&cloud, cloud.x[1]), 0.36,
			       0.4);
		free(count);
		cloud_free(&cloud);
	}
	expect_small("empty cells, most", empty_most, 0.02);
	expect_small("sd of the count / mean, most", spread_most, 0.5);
	fixture_free(sim);
}

/* ---- BL-005 ----------------------------------------------------------------------------- */

static void drop_disc(bool pillar)
{
	struct sim *sim =
		fixture_sim("domain: {size: [1, 1], cells: 64}\n"
			    "time: {fps: 24, frames: 1000, dt: %.17g}\n"
			    "liquid: {jitter: 0}\n%s"
			    "liquids: [{sphere: {center: [0.5, 0.6], radius: 0.15}}]\n",
			    1.0 / 240.0,
			    pillar ? "solids: [{box: {min: [0.45, -1], max: [0.55, 0.1]}}]\n" : "");
	fixture_note("%s", pillar ? "on a pillar" : "on the floor");
	run(sim, fixture_pick(1.5, 4.0));
	if (fixture_full())
		expect_small("area / poured - 1", occupied_area(sim) / 0.0707 - 1.0, 0.12);
	fixture_free(sim);
}

static void bl_005_landing(void)
{
	drop_disc(false);
	drop_disc(true);
}

/* ---- BL-013 ----------------------------------------------------------------------------- */

/* What is left after 4 s beside an open side; every particle that went is counted. */
static double leave(int n)
{
	struct sim *sim = fixture_sim("domain: {size: [1, 1], cells: %d, walls: {x+: open}}\n"
				      "time: {fps: 24, frames: 1000, dt: %.17g}\n"
				      "liquid: {jitter: 0}\n"
				      "liquids: [{box: {min: [0, 0], max: [0.3, 0.3]}}]\n",
				      n, 1.0 / 240.0);
	const u32 start = sim->particles.count;
	fixture_run(sim, 4.0, NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	double beyond = 0.0;
	for (u32 p = 0; p < cloud.count; p++)
		beyond += (double)cloud.x[0][p] > 1.0;
	const double left = (double)cloud.count / start;
	fixture_note("%d cells: %u particles, %.3g left", n, start, left);
	expect("left + removed - start",
	       (double)cloud.count + sim->stats.report.removed_open - start, 0.0, 0.0);
	expect_small("beyond the open side", beyond, 0.0);
	expect_small("left / start", left, 0.1);
	cloud_free(&cloud);
	fixture_free(sim);
	return left;
}

static void bl_013_open_side(void)
{
	const double coarse = leave(64);
	if (fixture_full())
		expect_small("left at 128 - at 64 cells", leave(128) - coarse, 0.05);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(bl_001_drained), CASE(bl_002_sloshing),  CASE(bl_004_swirl),
		CASE(bl_005_landing), CASE(bl_013_open_side),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
