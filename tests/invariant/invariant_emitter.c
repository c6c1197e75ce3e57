/*
 * Liquid that appears in shapes: how much, where, and that the ledger knows.  2D and 3D.
 */
#include <math.h>
#include <stdlib.h>

#include "sim_fixture.h"

#if DIM == 2
#define BOX "[1, 1]"
#define CELLS 32
#define REST "[0, 0]"
#define IN(a, b, c, d) "box: {min: [" #a ", " #b "], max: [" #c ", " #d "]}"
#define CENTER "[0.5, 0.75]"
#define DOWN "[0, -1]"
#else
#define BOX "[1, 1, 1]"
#define CELLS 16
#define REST "[0, 0, 0]"
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
	static const struct fixture_case cases[] = {CASE(once), CASE(fill), CASE(solid)};
	return FIXTURE_MAIN(argc, argv, cases);
}
