/*
 * Walls must not hold liquid: a slab under a ceiling, columns at side walls, liquid on a ramp.
 * Bars: cases.md (slab; BL-008, BL-010, BL-053).  2D.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_fixture.h"

#define N 64
#define FPS 240

static struct sim *make(const char *transfer, double ratio, const char *objects)
{
	return fixture_sim("domain: {size: [1, 1], cells: %d}\n"
			   "time: {fps: %d, frames: 2000, dt: %.17g}\n"
			   "liquid: {transfer: %s, flip_ratio: %g}\n%s",
			   N, FPS, 1.0 / FPS, transfer, ratio, objects);
}

struct fall {
	double mean, least, most; /* m, downwards */
};

static struct fall measure_fall(struct sim *sim, double seconds)
{
	struct cloud start = cloud_read(sim);
	fixture_run(sim, seconds, NULL, NULL);
	struct cloud end = cloud_read(sim);
	struct fall fall = {.least = 1e9, .most = -1e9};
	for (u32 p = 0; p < end.count; p++) {
		const double dropped = (double)start.x[1][p] - (double)end.x[1][p];
		fall.mean += dropped / end.count;
		fall.least = fmin(fall.least, dropped);
		fall.most = fmax(fall.most, dropped);
	}
	cloud_free(&start);
	cloud_free(&end);
	return fall;
}

/* A slab that fills the box from wall to wall, 0.2 m thick, under the ceiling, with vacuum below:
 * it has fallen 0.28 to 0.33 m after 0.25 s (free fall: 0.307 m). */
static void check_slab(const char *transfer, double ratio)
{
	struct sim *sim = make(transfer, ratio, "liquids: [{box: {min: [0, 0.8], max: [1, 1]}}]\n");
	const struct fall fall = measure_fall(sim, 0.25);
	fixture_note("slab, %s, ratio %g: particles fell %.4f to %.4f m", transfer, ratio,
		     fall.least, fall.most);
	expect("centre of mass fell, m", fall.mean, 0.28, 0.33);
	fixture_free(sim);
}

static void slab_under_ceiling(void)
{
	check_slab("flip", 0.97);
	check_slab("flip", 1.0);
	check_slab("apic", 0.97);
}

/* The same under a solid that cuts a row of cells at a part o of their height, or, o < 0, rows of
 * them at a slope of 30 degrees: the gap opens in cells with little room, which stay liquid until
 * it is that high.  Energy never exceeds its start by more than 1 %. */
static void check_slab_under_solid(const char *transfer, double o)
{
	char objects[400];
	const double y = (48.0 + fabs(o)) / N, rise = o < 0.0 ? 0.57735 : 0.0;
	snprintf(
		objects, sizeof(objects),
		"solids: [{polygon: {points: [[-1, %.17g], [2, %.17g], [2, 3], [-1, 3]]}}]\n"
		"liquids: [{polygon: {points: [[0, %.17g], [1, %.17g], [1, %.17g], [0, %.17g]]}}]\n",
		y - 1.5 * rise, y + 1.5 * rise, y - 0.5 * rise - 0.2, y + 0.5 * rise - 0.2,
		y + 0.5 * rise, y - 0.5 * rise);
	struct sim *sim = make(transfer, 0.97, objects);
	expect("measured", sim_measure(sim), 1.0, 1.0);
	const struct step_report *r = &sim->stats.report;
	const double start = r->potential_energy;
	const struct fall fall = measure_fall(sim, 0.25);
	fixture_note("slab under a solid, %s, %g: particles fell %.4f to %.4f m", transfer, o,
		     fall.least, fall.most);
	if (o < 0.0)
		expect("centre of mass fell, m", fall.mean, 0.28, 0.33);
	else /* the scheme's own path */
		expect_small("centre of mass fell too far, cells",
			     fabs(fall.mean - 0.5 * 9.81 * 0.25 * (0.25 + 1.0 / FPS)) * N, 0.2);
	expect("energy, end / start", (r->kinetic_energy + r->potential_energy) / start, 0.0, 1.01);
	fixture_free(sim);
}

static void slab_under_solid(void)
{
	static const double parts[] = {0.3, -0.3, 0.2, 0.4, 0.1, 0.7};
	for (size_t n = 0; n < (size_t)fixture_pick(2, 6); n++) {
		check_slab_under_solid("flip", parts[n]);
		if (fixture_full())
			check_slab_under_solid("apic", parts[n]);
	}
}

/* BL-008: a strip two cells wide along a side wall falls freely, every particle of it. */
static void check_strip(const char *transfer, double ratio, bool right)
{
	struct sim *sim = make(transfer, ratio,
			       right ? "liquids: [{jitter: 0, box: {min: [0.96875, 0.40625], "
				       "max: [1, 0.90625]}}]\n"
				     : "liquids: [{jitter: 0, box: {min: [0, 0.40625], "
				       "max: [0.03125, 0.90625]}}]\n");
	const struct fall fall = measure_fall(sim, 0.25);
	fixture_note("%s wall, %s, ratio %g", right ? "right" : "left", transfer, ratio);
	expect("least fall of a particle, m", fall.least, 0.28, 0.33);
	expect("greatest fall of a particle, m", fall.most, 0.28, 0.33);
	fixture_free(sim);
}

static void bl_008_strips_at_walls(void)
{
	for (int right = 0; right < 2; right++) {
		check_strip("flip", 1.0, right);
		check_strip("pic", 1.0, right);
		check_strip("apic", 1.0, right);
	}
}

/* BL-010: a block slides off a ramp of 30 degrees without leaving much behind. */
static void bl_010_ramp(void)
{
	struct sim *sim = make("flip", 0.97,
			       "solids: [{polygon: {points: [[-1, 1.16], [1, 0], [1, -1], "
			       "[-1, -1]]}}]\n"
			       "liquids: [{jitter: 0, box: {min: [0, 0.6], max: [0.2, 0.8]}}]\n");
	const u32 particles = sim->particles.count;
	fixture_run(sim, fixture_pick(2.0, 3.0), NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	double stuck = 0.0;
	for (u32 p = 0; p < cloud.count; p++) {
		const double x = (double)cloud.x[0][p], y = (double)cloud.x[1][p];
		const double speed = hypot((double)cloud.v[0][p], (double)cloud.v[1][p]);
		/* Within a cell of the upper half of the ramp. */
		const double distance = (y - 0.58 * (1.0 - x)) / hypot(1.0, 0.58);
		stuck += x < 0.5 && distance < 1.0 / N && speed < 0.05;
	}
	expect_small("share of particles stuck on the upper half", stuck / cloud.count, 0.02);
	expect("particles", cloud.count, particles, particles);
	expect_small("escaped", sim->stats.report.escaped, 0.0);
	cloud_free(&cloud);
	fixture_free(sim);
}

/* BL-053: no solids, an empty list, or one far outside are the same scene; the block falls freely
 * until it lands. */
static void bl_053_no_obstacles(void)
{
	static const char *const solids[] = {"", "solids: []\n",
					     "solids: [{sphere: {center: [9, 9], radius: 1}}]\n"};
	u64 hash[3] = {0};
	for (int run = 0; run < 3; run++) {
		char objects[512];
		snprintf(objects, sizeof(objects),
			 "%sliquids: [{box: {min: [0.3, 0.6], max: [0.6, 0.9]}}]\n", solids[run]);
		struct sim *sim = make("flip", 0.97, objects);
		const double t = 30.0 / FPS;
		const struct fall fall = measure_fall(sim, t);
		/* The scheme's own path is g t (t + dt) / 2. */
		expect("fall / (g t (t + dt) / 2)", fall.mean / (0.5 * 9.81 * t * (t + 1.0 / FPS)),
		       0.98, 1.02);
		hash[run] = sim->stats.hash;
		fixture_free(sim);
	}
	expect("hash: empty list equals none", hash[1] == hash[0], 1.0, 1.0);
	expect("hash: far solid equals none", hash[2] == hash[0], 1.0, 1.0);
}

/* A block without weight that leaves the walls it touches does so rigidly: walls do not pull, and
 * nothing pushes.  Where all of them let go the pressure equation has no right-hand side left. */
static void block_leaves_walls(void)
{
	static const char *const velocity[] = {"[10, 3.333]", "[2, 0]", "[0, 5]"};
	for (int n = 0; n < 3; n++) {
		struct sim *sim = fixture_sim("domain: {size: [1, 0.6666666666666666], cells: 24}\n"
					      "gravity: [0, 0]\n"
					      "time: {frames: 3, fps: 240}\n"
					      "liquids: [{box: {min: [0, 0], max: [0.4, 0.4]}, "
					      "velocity: %s}]\n",
					      velocity[n]);
		expect("measured", sim_measure(sim), 1.0, 1.0);
		const double energy = sim->stats.report.kinetic_energy;
		for (int step = 0; step < 3; step++) {
			fixture_step(sim);
			expect("kinetic energy / at the start",
			       sim->stats.report.kinetic_energy / energy, 0.9, 1.01);
		}
		fixture_free(sim);
	}
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(block_leaves_walls), CASE(slab_under_ceiling), CASE(bl_008_strips_at_walls),
		CASE(slab_under_solid),	  CASE(bl_010_ramp),	    CASE(bl_053_no_obstacles),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
