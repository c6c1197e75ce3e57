/*
 * Drains: all that comes in is gone, or as much as the rate says, to a particle; nothing that was
 * not there is made up for; and the ledger knows.
 */
#include "sim_fixture.h"

#include <math.h>
#include <stdlib.h>

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

/* ---- emitters ----------------------------------------------------------------------------- */

#if DIM == 2
#define IN(a, b, c, d) "box: {min: [" #a ", " #b "], max: [" #c ", " #d "]}"
#define CENTER "[0.5, 0.75]"
#define DOWN "[0, -1]"
#else
#define IN(a, b, c, d) "box: {min: [" #a ", " #b ", 0.25], max: [" #c ", " #d ", 0.75]}"
#define CENTER "[0.5, 0.75, 0.5]"
#define DOWN "[0, -1, 0]"
#endif

static double cells_of(double w, double h)
{
	return w * h * CELLS * CELLS * (DIM == 3 ? 0.5 * CELLS : 1.0);
}

static void check_ledger(struct sim *sim)
{
	expect_small("imbalances of the ledger", sim->ledger.imbalances, 0.0);
	expect_small("ids given, less particles created",
		     (double)sim->particles.ids.end - sim->ledger.seeded - sim->ledger.entered,
		     0.0);
}

/* Filled once, at its time, as a liquid would be at the start; where liquid is already none is
 * added. */
static void once(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX ", cells: %d}\ngravity: " REST "\n"
		"time: {fps: 20, frames: 40}\n"
		"liquids: [{name: water, " IN(0.25, 0.25, 0.5,
					      0.5) "}, {name: oil}]\n"
						   "emitters:\n"
						   "- {" IN(0.5, 0.25, 0.75,
							    0.5) ", at: 0.1, liquid: oil}\n"
								 "- {" IN(0.25, 0.25, 0.5,
									  0.5) ", at: 0.2}\n",
		CELLS);
	const double ppc = sim->scene->particles_per_cell, all = ppc * cells_of(0.25, 0.25);
	fixture_run(sim, 0.1, NULL, NULL);
	expect("particles before, of the liquid's", sim->particles.count / all, 1.0, 1.0);
	fixture_run(sim, 0.15, NULL, NULL);
	expect("particles after, of both", sim->particles.count / all, 2.0, 2.0);
	fixture_run(sim, 0.4, NULL, NULL);
	expect("particles at the end, of both", sim->particles.count / all, 2.0, 2.0);
	struct cloud cloud = cloud_read(sim);
	expect_small("greatest distance of a speed from rest, m/s", cloud_vrms(&cloud), 1e-3);
	expect("the last one's liquid",
	       id_ranges_liquid(&sim->particles.ids, sim->particles.ids.end - 1), 1.0, 1.0);
	check_ledger(sim);
	cloud_free(&cloud);
	fixture_free(sim);
}

/* Kept full: what flows out of it with its velocity comes in again.  Far from its ends a jet has
 * the density of liquid, so that the rate is the area times the velocity at the lower side. */
static void fill(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX ", cells: %d, walls: {y-: open}}\ngravity: " REST "\n"
		"time: {fps: 20, frames: 40}\nliquids: [{name: water}]\n"
		"emitters: [{" IN(0.375, 0.75, 0.625, 0.875) ", velocity: " DOWN ", fill: true}]\n",
		CELLS);
	const double ppc = sim->scene->particles_per_cell;
	fixture_run(sim, 0.5, NULL, NULL);
	const double due = ppc * (cells_of(0.25, 0.125) + cells_of(0.25, 0.5));
	/* A cell is filled when half of it is gone and no liquid is above: to three of 20 rows. */
	expect("particles that came in, of those due", sim->ledger.entered / due, 0.85, 1.15);
	struct cloud cloud = cloud_read(sim);
	u32 *in = count_particles(sim, &cloud), most = 0;
	for (i32 i = 0; i < sim->lattice.grid.lattice; i++)
		most = in[i] > most ? in[i] : most;
	expect("most in a cell, of those it should have", most / ppc, 1.0, 2.01);
	free(in);
	cloud_free(&cloud);
	check_ledger(sim);
	fixture_free(sim);
}

/* Solids keep what they hold. */
static void solid(void)
{
	struct sim *sim =
		fixture_sim("domain: {size: " BOX ", cells: %d}\ntime: {fps: 20, frames: 40}\n"
			    "liquids: [{name: water}]\nsolids: [{" IN(
				    0.25, 0, 0.5, 1) "}]\n"
						     "emitters: [{sphere: {center: " CENTER
						     ", radius: 0.2}}]\n",
			    CELLS);
	fixture_step(sim);
	const double pi = 3.14159265358979, ppc = sim->scene->particles_per_cell;
	const double half =
		(DIM == 2 ? 0.5 * pi * 0.04 : 2.0 / 3.0 * pi * 0.008) * pow(CELLS, DIM) * ppc;
	expect("particles, of half of the ball's", sim->particles.count / half, 0.96, 1.04);
	expect_small("particles in the solid", sim->stats.report.escaped, 0.0);
	check_ledger(sim);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {CASE(all),	CASE(rate), CASE(late),
						    CASE(once), CASE(fill), CASE(solid)};
	return FIXTURE_MAIN(argc, argv, cases);
}
