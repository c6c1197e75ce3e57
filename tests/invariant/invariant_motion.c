/*
 * Solids that move, 2D and 3D: what they push and what passes them; that a tank that is moved is a
 * box that moves; that their fields are those of solids measured anew.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"
#include "solids_motion.h"
#include "statistics.h"

#if DIM == 2
#define AT(x, y) "[" #x ", " #y "]"
#define SIZE(x, y) "[" #x ", " #y "]"
#define LOW(x, y) SIZE(x, y)
#define TURN(angle) #angle
#else
#define AT(x, y) "[" #x ", " #y ", 0.125]"
#define SIZE(x, y) "[" #x ", " #y ", 0.25]"
#define LOW(x, y) "[" #x ", " #y ", 0]"
#define TURN(angle) "[0, 0, " #angle "]"
#endif
#define CELLS (DIM == 2 ? 32 : 16) /* along a metre */

static void mean_of(struct sim *sim, double mean[3], double low[3])
{
	struct cloud cloud = cloud_read(sim);
	for (int a = 0; a < DIM; a++) {
		mean[a] = 0.0;
		low[a] = 1e30;
		for (u32 p = 0; p < cloud.count; p++) {
			mean[a] += (double)cloud.x[a][p] / cloud.count;
			low[a] = fmin(low[a], (double)cloud.x[a][p]);
		}
	}
	cloud_free(&cloud);
}

/* ---- what is pushed ----------------------------------------------------------------------- */

struct side {
	double worst; /* how far, in cells, a particle got behind the plate */
};

static double plate_at(double t)
{
	return 0.3 + 0.25 * fmin(t, 2.0);
}

static void look_behind(struct sim *sim, void *user)
{
	struct side *side = user;
	double mean[3], low[3];
	mean_of(sim, mean, low);
	side->worst = fmax(side->worst, (plate_at(sim->time) - low[0]) * CELLS);
}

/* A plate of no thickness, floor to lid, pushes the water before it together: its level is that of
 * its volume over what is left of the length, no particle gets behind, and none is lost. */
static void plate_pushes_water(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: " SIZE(
			2,
			1) ", cell_size: %.17g}\ntime: {fps: 20, frames: 200}\n"
			   "liquids: [{box: {min: " LOW(0.3, 0) ", max: " SIZE(
				   2,
				   0.25) "}}]\n"
					 "solids: [{box: {min: [0.3, -1%s], max: [0.3, 2%s]},\n"
					 "  motion: [{time: 0}, {time: 2, translate: [0.5, 0%s]}]}]\n",
		1.0 / CELLS, DIM == 3 ? ", -1" : "", DIM == 3 ? ", 2" : "", DIM == 3 ? ", 0" : "");
	struct side side = {-1e30};
	double mean[3], low[3];
	fixture_run(sim, fixture_pick(2.5, 4.0), look_behind, &side);
	mean_of(sim, mean, low);
	/* Waves lift the middle by the mean of their squares over twice the depth: less than a
	 * cell. */
	expect("level by the mean height of particles, less that of the volume, cells",
	       (2.0 * mean[1] - 0.25 * 1.7 / 1.2) * CELLS, -0.5, 1.0);
	expect("cells that a particle got behind the plate", side.worst, -1.0, 0.0);
	expect_small("particles found in it", sim->stats.report.escaped, 0.0);
	expect_small("imbalances of the ledger", sim->ledger.imbalances, 0.0);
	fixture_free(sim);
}

/* A paddle that turns two times a second in a full closed box: nothing gets in, nothing is lost,
 * and the solve reaches its tolerance. */
static void paddle_turns(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: " SIZE(
			1, 1) ", cell_size: %.17g}\ntime: {fps: 20, frames: 200}\n"
			      "liquids: [{box: {min: " LOW(
				      0,
				      0) ", max: [1, 1%s]}}]\n"
					 "solids: [{box: {min: [0.3, 0.5%s], max: [0.7, 0.5%s]},\n"
					 "  motion: [{time: 0}, {time: 10, rotate: " TURN(
						 125.66) "}]}]\n",
		1.0 / CELLS, DIM == 3 ? ", 1" : "", DIM == 3 ? ", -1" : "", DIM == 3 ? ", 2" : "");
	fixture_run(sim, fixture_pick(0.3, 1.0), NULL, NULL);
	const double tip = 0.2 * 2.0 * 2.0 * 3.14159265;
	expect_small("particles found in it", sim->stats.report.escaped, 0.0);
	expect_small("imbalances of the ledger", sim->ledger.imbalances, 0.0);
	expect("greatest speed of a particle, of the tip's", sim->stats.report.max_speed / tip, 0.5,
	       4.0);
	expect_small("solves above their tolerance", sim->stats.pressure_limits, 0.0);
	fixture_free(sim);
}

/* ---- a tank -------------------------------------------------------------------------------- */

#define RATE 2.0 /* m/s^2 */

/* Water in a tank of thick walls that is moved with a constant acceleration goes as in a box that
 * has it: by its middle, in the tank. */
static void tank_is_a_box_that_moves(void)
{
	char keys[8192] = "";
	double in_tank[3], in_box[3], low[3];
	const double end = fixture_pick(0.4, 0.6);
	fixture_append_push(keys, sizeof(keys), DIM, RATE);
	struct sim *tank = fixture_sim(
		"domain: {size: " SIZE(
			1.5,
			0.75) ", cell_size: %.17g, walls: {y+: open}}\n"
			      "time: {fps: 20, frames: 40}\n"
			      "liquids: [{box: {min: " LOW(
				      0.125,
				      0.125) ", max: [0.625, 0.375%s]}}]\n"
					     "solids: [{motion: [%s], union: [\n"
					     "  {box: {min: [0, 0%s], max: [0.75, 0.125%s]}},\n"
					     "  {box: {min: [0, 0%s], max: [0.125, 0.75%s]}},\n"
					     "  {box: {min: [0.625, 0%s], max: [0.75, 0.75%s]}}]}]\n",
		1.0 / CELLS, DIM == 3 ? ", 1" : "", keys, DIM == 3 ? ", -1" : "",
		DIM == 3 ? ", 1" : "", DIM == 3 ? ", -1" : "", DIM == 3 ? ", 1" : "",
		DIM == 3 ? ", -1" : "", DIM == 3 ? ", 1" : "");
	fixture_run(tank, end, NULL, NULL);
	mean_of(tank, in_tank, low);
	in_tank[0] -= 0.125 + 0.5 * RATE * end * end;
	in_tank[1] -= 0.125;
	expect_small("particles found in its walls", tank->stats.report.escaped, 0.0);
	fixture_free(tank);
	struct sim *box = fixture_sim(
		"domain: {size: " SIZE(
			0.5,
			0.625) ", cell_size: %.17g, walls: {y+: open}}\n"
			       "time: {fps: 20, frames: 40}\n"
			       "frame: {motion: [{time: 0, velocity: [0, 0%s]}, {time: 1, velocity: [%g, 0%s]}]}\n"
			       "liquids: [{box: {min: " LOW(0, 0) ", max: [0.5, 0.25%s]}}]\n",
		1.0 / CELLS, DIM == 3 ? ", 0" : "", RATE, DIM == 3 ? ", 0" : "",
		DIM == 3 ? ", 1" : "");
	fixture_run(box, end, NULL, NULL);
	mean_of(box, in_box, low);
	fixture_free(box);
	/* It has gone this far from the middle of the box. */
	expect("how far the middle went in the box, cells", (0.25 - in_box[0]) * CELLS, 0.3, 3.0);
	expect("middle along x, tank less box, cells", (in_tank[0] - in_box[0]) * CELLS, -0.25,
	       0.25);
	expect("height of the middle, tank less box, cells", (in_tank[1] - in_box[1]) * CELLS,
	       -0.25, 0.25);
}

/* ---- fields --------------------------------------------------------------------------------- */

#define SCENE_OF_MOVERS                                                                                    \
	"domain: {size: " SIZE(                                                                            \
		1,                                                                                         \
		1) ", cell_size: %.17g}\ntime: {fps: 20, frames: 40}\n"                                    \
		   "liquids: [{box: {min: " LOW(                                                           \
			   0,                                                                              \
			   0) ", max: [1, 0.5%s]}}]\n"                                                     \
			      "solids: [{sphere: {center: " AT(                                            \
				      0.3,                                                                 \
				      0.4) ", radius: 0.1},\n"                                             \
					   "  motion: [{time: 0}, {time: 1, translate: [0.4, 0.1%s]}]},\n" \
					   "  {box: {min: [0.6, 0.1%s], max: [0.9, 0.13%s]}},\n"           \
					   "  {%s: {a: " AT(0.5, 0.5) ", b: " AT(                          \
						   0.7,                                                    \
						   0.8) ", radius: %g},\n"                                 \
							"  motion: [{time: 0}, {time: 1, rotate: " TURN(   \
								3) "}]}]\n"

static struct sim *movers(double radius)
{
	return fixture_sim(SCENE_OF_MOVERS, 1.0 / CELLS, DIM == 3 ? ", 1" : "",
			   DIM == 3 ? ", 0" : "", DIM == 3 ? ", -1" : "", DIM == 3 ? ", 1" : "",
			   "capsule", radius);
}

static void compare(const void *a, const void *b, size_t bytes, const char *what)
{
	fixture_note("%s", what);
	expect_small("arrays that differ", memcmp(a, b, bytes) != 0, 0.0);
}

/* By a way of many steps or by one, with boxes around movers or all of the lattice: the same bits.
 */
static void fields_have_no_past(void)
{
	static const double radii[] = {0.07, 0.004}; /* thick, and one that splits cells */
	for (int which = 0; which < 2; which++) {
		struct sim *many = movers(radii[which]), *once = movers(radii[which]);
		const struct grid *g = &many->lattice.grid;
		const size_t points = (size_t)g->lattice;
		for (int n = 1; n <= 7; n++)
			fixture_stage(solids_move(&many->solids, n / 13.0));
		once->lattice.bricks.all = true;
		fixture_stage(solids_move(&once->solids, 7 / 13.0));
#define COMPARE(member, count, size)                                                       \
	do {                                                                               \
		void *a = clx_read_copy(many->cl, &many->solids.member, (count) * (size)), \
		     *b = clx_read_copy(once->cl, &once->solids.member, (count) * (size)); \
		compare(a, b, (count) * (size), #member);                                  \
		free(a);                                                                   \
		free(b);                                                                   \
	} while (0)
		COMPARE(open_fraction, points * DIM, sizeof(uint16_t));
		COMPARE(kernel_open, points, sizeof(uint16_t));
		COMPARE(volume_open, points, sizeof(uint16_t));
		COMPARE(phi, points, sizeof(f32));
		fixture_free(many);
		fixture_free(once);
	}
}

/* What movers push through faces has no sum over the lattice, and in full cells that of the volume
 * that they take up: a ball moves, so what it takes up does not change. */
static void pushes_add_up(void)
{
	struct sim *sim = movers(0.07);
	const struct grid *g = &sim->lattice.grid;
	fixture_stage(solids_move(&sim->solids, 0.3) &&
		      solids_plan_motion(&sim->solids, 0.3, 0.01) &&
		      solids_push_faces(&sim->solids, &sim->flow));
	f32 *flow = fixture_read(sim, &sim->flow);
	double most = 0.0, sum[3] = {0.0, 0.0, 0.0};
	for (int a = 0; a < DIM; a++)
		for (int at = 0; at < g->lattice; at++) {
			const double value =
				(double)flow[(size_t)a * (size_t)g->lattice + (size_t)at];
			most = fmax(most, fabs(value));
			sum[a] += value;
		}
	/* The ball's volume moves with 0.4 and 0.1 m/s; the capsule turns about its middle, which
	 * adds nothing: in cells times m/s. */
	const double h = 1.0 / CELLS, r = 0.1 / h, pi = 3.14159265358979;
	const double volume = DIM == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
	expect("flux along x, of volume times velocity", sum[0] / (0.4 * volume), 0.95, 1.05);
	expect("flux along y, of volume times velocity", sum[1] / (0.1 * volume), 0.8, 1.2);
	expect("greatest, of the fastest point", most / (3.0 * 0.26), 0.3, 1.0);
	free(flow);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(plate_pushes_water),  CASE(paddle_turns),	CASE(tank_is_a_box_that_moves),
		CASE(fields_have_no_past), CASE(pushes_add_up),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
