/*
 * Drains: all that comes in is gone, or as much as the rate says, to a particle; nothing that was
 * not there is made up for; and the ledger knows.
 */
#include "sim_fixture.h"

#include <math.h>

#if DIM == 2
#define BOX "[1, 1]"
#define CELLS 32
#define REST "[0, 0]"
#define CORNER "box: {min: [-1, -1], max: [0.25, 0.25]}"
#define POOL "box: {min: [0, 0], max: [1, 0.5]}"
#define BLOCK "box: {min: [0.3, 0.5], max: [0.7, 0.9]}"
#define FLOOR "box: {min: [0, 0], max: [1, 0.1]}"
#else
#define BOX "[1, 1, 1]"
#define CELLS 16
#define REST "[0, 0, 0]"
#define CORNER "box: {min: [-1, -1, -1], max: [0.25, 0.25, 0.25]}"
#define POOL "box: {min: [0, 0, 0], max: [1, 0.5, 1]}"
#define BLOCK "box: {min: [0.3, 0.5, 0.3], max: [0.7, 0.9, 0.7]}"
#define FLOOR "box: {min: [0, 0, 0], max: [1, 0.1, 1]}"
#endif

static double particle_volume(const struct sim *sim)
{
	return pow(sim->scene->h, DIM) / sim->scene->particles_per_cell;
}

static u32 drained(const struct sim *sim, int i)
{
	return sim->lattice.host_scalars[SCALAR_DRAINED + i];
}

/* Particles of a corner of the box, 0.25 wide. */
static u32 in_corner(const struct sim *sim)
{
	struct cloud c = cloud_read(sim);
	u32 found = 0;
	for (u32 p = 0; p < c.count; p++)
		found += c.x[0][p] < 0.25f && c.x[1][p] < 0.25f && (DIM == 2 || c.x[2][p] < 0.25f);
	cloud_free(&c);
	return found;
}

static void check_sums(const struct sim *sim, const struct ledger_accounts *a)
{
	const struct ledger_flow *f = &a->total;
	expect_small("imbalances of the ledger", sim->ledger.imbalances, 0.0);
	expect("alive + drained, of those seeded",
	       (double)(sim->stats.particles + sim->stats.report.drained) / sim->ledger.seeded, 1,
	       1);
	const double end =
		a->start.kinetic + f->gravity_work + f->kinetic_rest - f->kinetic_removed;
	expect_small("kinetic energy, less what the ledger says, of the work",
		     (a->now.kinetic - end) / fabs(f->gravity_work), 1e-9);
}

/* A pool runs out into a corner of its floor. */
static void all(void)
{
	struct sim *sim = fixture_sim("domain: {size: %s, cells: %d}\ntime: {frames: 50, fps: 50}\n"
				      "liquids: [{%s}]\ndrains: [{name: sink, %s}]\n",
				      BOX, CELLS, POOL, CORNER);
	const u32 there = in_corner(sim);
	fixture_step(sim);
	expect("particles that went at once, of those in the drain",
	       (double)drained(sim, 0) / there, 0.9, 1.2);
	while (sim->frame < 20) {
		fixture_step(sim);
		if (in_corner(sim) > 0)
			expect_small("particles in the drain", in_corner(sim), 0.0);
	}
	expect("drained, of those in it at the start", (double)drained(sim, 0) / there,
	       DIM == 2 ? 3.0 : 2.0, 100.0);
	check_sums(sim, &sim->ledger.accounts);
	fixture_free(sim);
}

/* Under water its rate is exact, whatever the substep; two share what there is. */
static void check_rate(const char *time)
{
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: %d}\ntime: {frames: 50, fps: 50, %s}\n"
			    "liquids: [{%s}]\ndrains:\n- {%s, rate: 0.02}\n"
			    "- {name: slow, %s, rate: 0.003}\n",
			    BOX, CELLS, time, POOL, FLOOR, FLOOR);
	fixture_note("%s", time);
	double worst = 0.0;
	while (sim->frame < 20) {
		fixture_step(sim);
		for (int i = 0; i < 2; i++) {
			const double due = floor(sim->scene->drains[i].rate * sim->time /
						 particle_volume(sim));
			worst = fmax(worst, fabs(due - drained(sim, i)));
		}
	}
	expect_small("particles drained, less those due", worst, 0.0);
	expect("level, volume left / of what should be",
	       sim->stats.particles * particle_volume(sim) / (0.5 - 0.023 * sim->time), 0.97, 1.03);
	check_sums(sim, &sim->ledger.accounts);
	fixture_free(sim);
}

static void rate(void)
{
	check_rate("cfl: 1");
	check_rate("cfl: 2");
	check_rate("dt: 0.003");
}

/* A block falls into a drain: what was due before it came is not taken afterwards. */
static void late(void)
{
	struct sim *sim = fixture_sim("domain: {size: %s, cells: %d}\ntime: {frames: 50, fps: 50}\n"
				      "liquids: [{%s}]\ndrains: [{%s, rate: 0.05}]\n",
				      BOX, CELLS, BLOCK, FLOOR);
	double before = 0.0;
	while (sim->frame < 25) {
		fixture_step(sim);
		before = drained(sim, 0) == 0 ? sim->time : before;
	}
	expect("time of the first, s", before, 0.2, 0.3);
	const double due = 0.05 * (sim->time - before) / particle_volume(sim);
	expect("drained since, of those due", drained(sim, 0) / due, 0.9, 1.001);
	check_sums(sim, &sim->ledger.accounts);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {CASE(all), CASE(rate), CASE(late)};
	return FIXTURE_MAIN(argc, argv, cases);
}
