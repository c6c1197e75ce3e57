/*
 * Whole runs with each way of keeping particles apart: water at rest stays, volume is kept, nothing
 * gets into solids, and what a boost adds.  2D and 3D.
 */
#include <string.h>

#include "neighbours_support.h"

#if DIM == 2
#define TANK "domain: {size: [1, 1], cells: 32}\n"
#define POOL "box: {min: [0, 0], max: [1, 0.5]}"
#define COLUMN "box: {min: [0, 0], max: [0.4, 0.6]}"
#define STEP \
	"solids: [{box: {min: [0.6, 0], max: [0.75, 0.2]}}, {sphere: {center: [0.3, 0.2], radius: 0.1}}]\n"
#else
#define TANK "domain: {size: [1, 1, 0.5], cells: [16, 16, 8]}\n"
#define POOL "box: {min: [0, 0, 0], max: [1, 0.5, 0.5]}"
#define COLUMN "box: {min: [0, 0, 0], max: [0.4, 0.6, 0.5]}"
#define STEP                                                                   \
	"solids: [{box: {min: [0.6, 0, 0], max: [0.75, 0.2, 0.5]}}, {sphere: " \
	"{center: [0.3, 0.2, 0.25], radius: 0.13}}]\n"
#endif

static struct sim *make(const char *keys, const char *more, const char *liquid)
{
	return fixture_sim(TANK "time: {fps: 20, frames: 40}\nsolver: {%s}\n%sliquids: [{%s}]\n",
			   keys, more, liquid);
}

/* A pool stays: its speeds, and how much there is of it. */
static void pools_rest(void)
{
	static const char *const ways[] = {"drift: push", "drift: springs, spring_stiffness: 10"};
	for (int n = 0; n < 2; n++) {
		struct sim *sim = make(ways[n], "", POOL);
		fixture_run(sim, 1.0, NULL, NULL);
		struct cloud cloud = cloud_read(sim);
		fixture_note("%s", ways[n]);
		/* sqrt(g depth) is 2.2 m/s. */
		expect_small("speeds (rms), m/s", cloud_vrms(&cloud), n == 0 ? 0.01 : 0.05);
		expect_small("volume that is too much or too little", sim->stats.volume_error,
			     n == 0 ? 0.02 : 0.05);
		cloud_free(&cloud);
		fixture_free(sim);
	}
}

/* A column that falls over solids. */
static void nothing_gets_into_solids(void)
{
	static const char *const ways[] = {
		"drift: push, resample: true, reposition: true",
		"drift: springs, spring_stiffness: 10, resample: true, reposition: true",
		"collision_distance: 0.5, reposition: true",
	};
	for (int n = 0; n < 3; n++) {
		struct sim *sim = make(ways[n], STEP, COLUMN);
		const u32 particles = sim->particles.count;
		fixture_run(sim, 0.5, NULL, NULL);
		fixture_note("%s", ways[n]);
		expect_small("escaped", sim->stats.report.escaped, 0.0);
		expect_small("repositioned", sim->stats.report.repositioned, 0.0);
		expect("particles", sim->particles.count, particles, particles);
		/* Springs only push: in a splash they swell (docs/open.md). */
		expect_small("volume that is too much or too little", sim->stats.volume_error,
			     n == 1 ? 0.2 : 0.12);
		fixture_free(sim);
	}
}

static double energy(const char *liquid)
{
	struct sim *sim = fixture_sim(
		TANK "time: {fps: 20, frames: 40}\n%sliquids: [{" COLUMN "}]\n", liquid);
	fixture_run(sim, 0.5, NULL, NULL);
	const double e = sim->stats.report.kinetic_energy;
	fixture_free(sim);
	return e;
}

static void a_boost_adds_energy(void)
{
	const double without = energy("liquid: {kernel: stiff}\n");
	const double with = energy("liquid: {kernel: stiff, vortex_boost: 1}\n");
	expect("kinetic energy with a boost of 1 / without", with / without, 1.1, 20.0);
}

/* Viscosity by blend: all of it is PIC, to the bit, by whatever kernel. */
static void all_of_the_blend_is_pic(void)
{
	static const char *const kernels[] = {"linear", "stiff"};
	for (int n = 0; n < 2; n++) {
		struct cloud cloud[2];
		struct sim *sim[2];
		for (int pic = 0; pic < 2; pic++) {
			sim[pic] = fixture_sim(TANK "time: {fps: 20, frames: 40}\n"
						    "liquid: {kernel: %s, %s}\nliquids: [{" COLUMN
						    "}]\n",
					       kernels[n], pic ? "transfer: pic" : "flip_ratio: 0");
			fixture_run(sim[pic], 0.1, NULL, NULL);
			cloud[pic] = cloud_read(sim[pic]);
		}
		u32 differ = cloud[0].count != cloud[1].count;
		for (int a = 0; a < DIM && !differ; a++)
			differ += memcmp(cloud[0].x[a], cloud[1].x[a],
					 cloud[0].count * sizeof(f32)) != 0;
		fixture_note("%s", kernels[n]);
		expect_small("arrays that differ", differ, 0.0);
		for (int pic = 0; pic < 2; pic++) {
			cloud_free(&cloud[pic]);
			fixture_free(sim[pic]);
		}
	}
}

/* Liquid without forces leaves through an open wall with the velocity that it has: those that act
 * on others do not know of particles that are gone. */
static void those_that_leave_keep_their_velocity(void)
{
	static const char *const ways[] = {"collision_distance: 0.01",
					   "drift: push, resample: true"};
	for (int n = 0; n < 2; n++) {
		struct sim *sim = fixture_sim(
			"domain: {size: %s, cells: 16, walls: {x+: open}}\ngravity: %s\n"
			"time: {fps: 100, frames: 20}\nsolver: {%s}\n"
			"liquids: [{box: {min: %s, max: %s}, velocity: %s}]\n",
			DIM == 2 ? "[1, 1]" : "[1, 1, 1]", DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
			ways[n], DIM == 2 ? "[0.5, 0.2]" : "[0.5, 0.2, 0.2]",
			DIM == 2 ? "[1, 0.8]" : "[1, 0.8, 0.8]", DIM == 2 ? "[2, 0]" : "[2, 0, 0]");
		fixture_run(sim, 0.1, NULL, NULL);
		const double gone = sim->stats.report.removed_open;
		const double mass = sim->scene->density * pow(sim->scene->h, DIM) /
				    sim->scene->particles_per_cell;
		const struct ledger_flow *f = &sim->ledger.accounts.total;
		fixture_note("%s", ways[n]);
		expect("particles that left", gone > 0.0, 1, 1);
		expect("their momentum, of mass times 2 m/s",
		       f->momentum_removed[0] / (gone * mass * 2.0), 0.95, 1.05);
		expect("their energy, of that", f->kinetic_removed / (gone * mass * 2.0), 0.9, 1.1);
		fixture_free(sim);
	}
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(pools_rest),
		CASE(nothing_gets_into_solids),
		CASE(a_boost_adds_energy),
		CASE(all_of_the_blend_is_pic),
		CASE(those_that_leave_keep_their_velocity),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
