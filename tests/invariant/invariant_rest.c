/*
 * Liquid at rest that nothing may disturb: open walls that it does not flow through, and other
 * bodies of liquid that it does not touch.  2D and 3D.
 */
#include <math.h>
#include <stdio.h>

#include "sim_fixture.h"

#if DIM == 2
#define UNIT_BOX "[1, 1]"
#define CORNER "[0, 0]"
#define AT(x, y) "[" #x ", " #y "]"
#else
#define UNIT_BOX "[1, 1, 1]"
#define CORNER "[0, 0, 0]"
#define AT(x, y) "[" #x ", " #y ", 1]"
#endif

/* ---- open walls --------------------------------------------------------------------------- */

/* Nothing flows out, so nothing is removed: a correction of positions is not an outflow. */
static void check_brim(const char *what, int cells, const char *walls, const char *more)
{
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: %d, walls: {%s}}\ntime: {fps: 24}\n"
			    "liquids: [{box: {min: %s, max: %s}}]\n%s\n",
			    UNIT_BOX, cells, walls, CORNER, UNIT_BOX, more);
	const u32 before = sim->particles.count;
	fixture_run(sim, fixture_pick(6.0, 48.0) / 24.0, NULL, NULL);
	fixture_note("%s, %d cells, %u particles", what, cells, before);
	expect_small("particles that left", (double)before - (double)sim->particles.count, 0.0);
	fixture_free(sim);
}

#if DIM == 2
#define ALL_OPEN "x-: open, x+: open, y-: open, y+: open"
#define WEIGHTLESS "gravity: [0, 0]\n"
#else
#define ALL_OPEN "x-: open, x+: open, y-: open, y+: open, z-: open, z+: open"
#define WEIGHTLESS "gravity: [0, 0, 0]\n"
#endif

static void full_to_an_open_wall(void)
{
	check_brim("open above", DIM == 2 ? 32 : 24, "y+: open", "");
	check_brim("open above, APIC", DIM == 2 ? 64 : 13, "y+: open", "liquid: {transfer: apic}");
	check_brim("open on all sides, g = 0", DIM == 2 ? 64 : 20, ALL_OPEN, WEIGHTLESS);
	/* Solids push off what comes too near, towards the wall too. */
	check_brim("open above, a ball in it", DIM == 2 ? 32 : 13, "y+: open",
		   DIM == 2 ? "solids: [{sphere: {center: [0.5, 0.96], radius: 0.2}}]"
			    : "solids: [{sphere: {center: [0.5, 0.96, 0.5], radius: 0.2}}]");
}

/* ---- bodies of liquid --------------------------------------------------------------------- */

/* Greatest distance of particles with the same id, of those that both have, m. */
static double apart(const struct sim *a, const struct sim *b)
{
	struct cloud one = cloud_read(a), two = cloud_read(b);
	double worst = 0.0;
	const u32 count = one.count < two.count ? one.count : two.count;
	for (u32 p = 0; p < count; p++)
		for (int c = 0; c < DIM; c++)
			worst = fmax(worst, fabs((double)one.x[c][p] - (double)two.x[c][p]));
	cloud_free(&one);
	cloud_free(&two);
	return worst;
}

/* A pool alone, and with other liquid behind walls that are thicker than the reach of transfers and
 * extrapolation: the first liquid has the first ids. */
static void check_apart(const char *what, int cells, const char *solids, const char *pool,
			const char *other)
{
	static const char *const format = "domain: {size: %s, cells: %d}\n"
					  "time: {fps: 24, dt: 0.004166666666666667}\n"
					  "solids: [%s]\nliquids: [%s%s%s]\n";
	struct sim *alone = fixture_sim(format, UNIT_BOX, cells, solids, pool, "", "");
	struct sim *beside = fixture_sim(format, UNIT_BOX, cells, solids, pool, ", ", other);
	double worst = 0.0;
	for (int n = 1; n <= (int)fixture_pick(4, 8); n++) {
		fixture_run(alone, 0.25 * n, NULL, NULL);
		fixture_run(beside, 0.25 * n, NULL, NULL);
		worst = fmax(worst, apart(alone, beside));
	}
	fixture_note("%s", what);
	expect_small("pool with and without the other, m", worst, 1e-4);
	fixture_free(alone);
	fixture_free(beside);
}

#if DIM == 2
#define WALL "{box: {min: [0.4, 0], max: [0.6, 1]}}"
#define CORNER_WALL "{box: {min: [0.125, 0], max: [0.3, 1]}}"
#define BOX(a, b, c, d) "{box: {min: [" #a ", " #b "], max: [" #c ", " #d "]}}"
#else
#define WALL "{box: {min: [0.4, 0, 0], max: [0.6, 1, 1]}}"
#define CORNER_WALL "{box: {min: [0.125, 0, 0], max: [0.3, 1, 1]}}"
#define BOX(a, b, c, d) "{box: {min: [" #a ", " #b ", 0.1], max: [" #c ", " #d ", 0.9]}}"
#endif

static void bodies_apart(void)
{
	const int cells = DIM == 2 ? 64 : 24;
	const char *pool = "{box: {min: " CORNER ", max: " AT(0.4, 0.4) "}}";
	check_apart("pool beside three sealed pockets", cells,
		    "{difference: [{box: {min: " /* the right half, less the pockets */
#if DIM == 2
		    "[0.4, 0]"
#else
		    "[0.4, 0, 0]"
#endif
		    ", max: " UNIT_BOX "}}, " BOX(0.65, 0.05, 0.9, 0.25) ", " BOX(
			    0.65, 0.35, 0.9, 0.55) ", " BOX(0.65, 0.65, 0.9, 0.85) "]}",
		    pool,
		    BOX(0.65, 0.05, 0.9, 0.25) ", " BOX(0.65, 0.35, 0.9, 0.55) ", " BOX(0.65, 0.65,
											0.9, 0.85));
	check_apart("pool beside a deeper one", cells, WALL, pool,
#if DIM == 2
		    "{box: {min: [0.6, 0], max: [1, 0.9]}}");
#else
		    "{box: {min: [0.6, 0, 0], max: [1, 0.9, 1]}}");
#endif
	check_apart("puddle beside an ocean", DIM == 2 ? 96 : 32, CORNER_WALL,
#if DIM == 2
		    "{box: {min: [0, 0], max: [0.125, 0.0625]}}",
		    "{box: {min: [0.3, 0], max: [1, 0.9]}}");
#else
		    "{box: {min: [0, 0, 0], max: [0.125, 0.0625, 1]}}",
		    "{box: {min: [0.3, 0, 0], max: [1, 0.9, 1]}}");
#endif
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(full_to_an_open_wall),
		CASE(bodies_apart),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
