/*
 * What the liquid does to solids: buoyancy, the push of water at rest on plates and walls, shares
 * of a face, what drives and what lifts, and liquid that is shut in and squeezed.
 */
#include "sim_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "components.h"

#if DIM == 2
#define V(x, y) "[" #x ", " #y "]"
#define LOW(x, y) "[" #x ", " #y "]"
#define HIGH(x, y) "[" #x ", " #y "]"
#define DEPTH 1.0
#define CELLS 32
#else
/* Flows in a plane, half a metre deep; LOW and HIGH reach through the walls. */
#define V(x, y) "[" #x ", " #y ", 0]"
#define LOW(x, y) "[" #x ", " #y ", -1]"
#define HIGH(x, y) "[" #x ", " #y ", 2]"
#define DEPTH 0.5
#define CELLS 16
#endif
#if DIM == 2
#define BOX(x, y) "[" #x ", " #y "]"
#define PI_BALL(r) (3.14159265358979 * (r) * (r))
#define AT(x, y) "[" #x ", " #y "]"
#else
#define BOX(x, y) "[" #x ", " #y ", 0.5]"
#define PI_BALL(r) (4.0 / 3.0 * 3.14159265358979 * (r) * (r) * (r))
#define AT(x, y) "[" #x ", " #y ", 0.2437]"
#endif
#define WEIGHT 9810.0 /* N/m^3 */

static const struct load *load_of(const struct sim *sim, size_t solid)
{
	return &sim->loads.now[solid];
}

static double force(const struct sim *sim, size_t solid, int axis)
{
	return load_of(sim, solid)->impulse[axis] / sim->dt;
}

static double torque(const struct sim *sim, size_t solid, int axis)
{
	return load_of(sim, solid)->turning[axis] / sim->dt;
}

/* Water on a regular sub-grid, with a level on a face of the grid, before anything has moved: one
 * short substep. */
#define AT_REST                                                                                   \
	"domain: {size: " BOX(1,                                                                  \
			      1) ", cell_size: %.17g}\ntime: {fps: 100, frames: 99, dt: 0.001}\n" \
				 "liquid: {jitter: 0}\nliquids: [{box: {min: " LOW(               \
					 0, 0) ", max: " HIGH(1, 0.75) "}}]\n"                    \
								       "output: {forces: true}\n"

/* ---- water at rest ------------------------------------------------------------------------- */

struct buoyancy {
	double ball, sides, turn; /* of the buoyancy, and that times the radius */
};

static struct buoyancy float_ball(double h)
{
	const double radius = 0.1937;
	struct sim *sim = fixture_sim(AT_REST "solids: [{name: ball, sphere: {center: " AT(
					      0.4513, 0.3871) ", radius: %.17g}}]\n",
				      h, radius);
	struct buoyancy b = {0};
	fixture_step(sim);
	const double up = WEIGHT * PI_BALL(radius);
	b.ball = force(sim, 0, 1) / up - 1.0;
	for (int a = 0; a < DIM; a += 2)
		b.sides = fmax(b.sides, fabs(force(sim, 0, a)) / up);
	for (int a = 0; a < 3; a++)
		b.turn = fmax(b.turn, fabs(torque(sim, 0, a)) / (up * radius));
	fixture_free(sim);
	return b;
}

/* Archimedes: the weight of the liquid that would be in its place, to second order in h. */
static void archimedes(void)
{
	const double finer = DIM == 2 ? 2.0 : 1.5;
	const struct buoyancy coarse = float_ball(1.0 / CELLS),
			      fine = float_ball(1.0 / CELLS / finer);
	const double cells = 0.1937 * CELLS;
	expect_small("buoyancy less weight, of it, times R^2/h^2", coarse.ball * cells * cells,
		     0.3);
	expect_small("with smaller cells", fine.ball * finer * finer * cells * cells, 0.3);
	expect_small("force across, of it", coarse.sides, 5e-3);
	expect_small("torque about the middle, of force times radius", coarse.turn, 5e-3);
	expect_small("with smaller cells", fine.turn, 2e-3);
}

/* A box off the faces of the grid. */
static void box_floats(void)
{
#if DIM == 2
	const char *box = "{min: [0.331, 0.217], max: [0.683, 0.451]}";
	const double volume = 0.352 * 0.234;
#else
	const char *box = "{min: [0.331, 0.217, 0.117], max: [0.683, 0.451, 0.391]}";
	const double volume = 0.352 * 0.234 * 0.274;
#endif
	struct sim *sim = fixture_sim(AT_REST "solids: [{name: box, box: %s}]\n", 1.0 / CELLS, box);
	fixture_step(sim);
	const double up = WEIGHT * volume, h = 1.0 / CELLS;
	/* Corners (edges) are cut off by up to h^2 / 8 each. */
	expect_small("buoyancy less weight, of it", force(sim, 0, 1) / up - 1.0,
		     DIM == 2 ? 4 * h * h / 8 / volume
			      : h * h / 8 * 4 * (0.352 + 0.234 + 0.274) / volume);
	expect_small("force across, of it", force(sim, 0, 0) / up, 0.01);
	expect_small("torque about the middle, of force times width",
		     torque(sim, 0, 2) / (up * 0.352), 0.02);
	fixture_free(sim);
}

/* Water on one side of a plate (rho g H^2/2 and its moment), on both of another; thick or thin,
 * where the faces of the grid are or not.  A column of a cell has its pressure at its middle: H^2
 * to h^2/4. */
static void plates(void)
{
	static const double at[] = {0.5, 0.5 + 0.3 / CELLS, 0.5 - 0.4 / CELLS};
	static const double thick[] = {0.0, 0.0, 0.15};
	const double depth = 0.75, push = WEIGHT * depth * depth / 2.0 * DEPTH;
	/* A level is told to 0.05 cells. */
	const double least = 2.0 * 0.05 / (CELLS * depth);
	for (int n = 0; n < 3; n++) {
		struct sim *sim = fixture_sim(
			"domain: {size: " BOX(
				1,
				1) ", cell_size: %.17g}\n"
				   "time: {fps: 100, frames: 99, dt: 0.001}\nliquid: {jitter: 0}\n"
				   "liquids: [{box: {min: " LOW(
					   0,
					   0) ", max: [%.17g, 0.75%s]}}]\n"
					      "solids: [{name: gate, box: {min: [%.17g, 0%s], max: [%.17g, 1%s]}},\n"
					      "  {name: inner, box: {min: [%.17g, 0.2%s], max: [%.17g, 0.6%s]}}]\n"
					      "output: {forces: true}\n",
			1.0 / CELLS, at[n], DIM == 3 ? ", 2" : "", at[n], DIM == 3 ? ", -1" : "",
			at[n] + thick[n], DIM == 3 ? ", 2" : "", at[n] - 0.25,
			DIM == 3 ? ", -1" : "", at[n] - 0.25 + 0.4 * thick[n],
			DIM == 3 ? ", 2" : "");
		fixture_step(sim);
		fixture_note("gate at %.3f cells, %.2f cells thick", at[n] * CELLS,
			     thick[n] * CELLS);
		expect_small("push on it, less rho g H^2/2, of it", force(sim, 0, 0) / push - 1.0,
			     least);
		expect_small("upwards, of it", force(sim, 0, 1) / push, 2e-3);
		/* About the middle, half of the box high: of rho g (H - y) (y - 1/2). */
		const double moment =
			-WEIGHT * DEPTH * (depth * depth * depth / 6.0 - 0.25 * depth * depth);
		expect_small("torque on it, less that of the pressure, of push times depth",
			     (torque(sim, 0, 2) - moment) / (push * depth), 3e-3);
		expect_small("push on what has water on both sides, of that of one",
			     force(sim, 1, 0) / (WEIGHT * DEPTH * 0.4 * 0.35), 2e-3);
		fixture_free(sim);
	}
}

/* In a tank that is a solid, with a ball: together they carry the water, and the parts of a face
 * that two solids cover are one solid's or the other's. */
static void closed_set(void)
{
	static const char *const walls[] = {
		"{name: floor, box: {min: " LOW(-1, -1) ", max: " HIGH(
			2,
			0.1337) "}}, "
				"{name: left, box: {min: " LOW(-1, -1) ", max: " HIGH(
					0.1171,
					2) "}}, "
					   "{name: right, union: [{box: {min: " LOW(0.8113, -1) ", max: " HIGH(
						   2, 0.4) "}}, "
							   "{box: {min: " LOW(
								   0.8113,
								   0.4) ", max: " HIGH(2,
										       2) "}}]}, ",
		"{name: floor, box: {min: " LOW(-1, -1) ", max: " HIGH(
			2,
			0.1337) "}}, "
				"{name: left, box: {min: " LOW(-1, -1) ", max: " HIGH(
					0.1171,
					2) "}}, "
					   "{name: low, box: {min: " LOW(0.8113, -1) ", max: " HIGH(
						   2, 0.4) "}}, "
							   "{name: high, box: {min: " LOW(
								   0.8113,
								   0.4) ", max: " HIGH(2, 2) "}}, ",
	};
	double right[2] = {0.0};
	for (int n = 0; n < 2; n++) {
		struct sim *sim =
			fixture_sim(AT_REST "solids: [%s{name: ball, sphere: {center: " AT(
					    0.46, 0.4) ", radius: 0.17}}]\n",
				    1.0 / CELLS, walls[n]);
		fixture_step(sim);
		const size_t count = sim->loads.count;
		double down = 0.0, across = 0.0;
		for (size_t s = 0; s < count; s++) {
			down -= force(sim, s, 1);
			across += force(sim, s, 0);
		}
		right[n] = force(sim, 2, 0) + (n ? force(sim, 3, 0) : 0.0);
		const double volume = (0.75 - 0.1337) * (0.8113 - 0.1171) * DEPTH - PI_BALL(0.17);
		expect_small("weight carried, less that of the water, of it",
			     down / (WEIGHT * volume) - 1.0, 0.01);
		expect_small("across, of it", across / (WEIGHT * volume), 2e-3);
		fixture_free(sim);
	}
	expect_small("two solids on a wall less one, of it", right[1] / right[0] - 1.0, 1e-4);
}

/* Nothing pushes without pressure: no weight, or no liquid near. */
static void nothing(void)
{
	struct sim *sim = fixture_sim(
		AT_REST "gravity: " V(0, 0) "\nsolids: [{name: ball, sphere: {center: " AT(
			0.4513, 0.3871) ", radius: 0.2}}]\n",
		1.0 / CELLS);
	fixture_step(sim);
	for (int a = 0; a < 3; a++) {
		expect_small("force without weight", force(sim, 0, a), 1e-6 * WEIGHT);
		expect_small("torque without weight", torque(sim, 0, a), 1e-6 * WEIGHT);
	}
	fixture_free(sim);
	sim = fixture_sim(AT_REST "solids: [{name: ball, sphere: {center: " AT(
				  0.4513, 0.93) ", radius: 0.05}}]\n",
			  1.0 / CELLS);
	fixture_step(sim);
	expect_small("force above the water", force(sim, 0, 1), 0.0);
	fixture_free(sim);
}

/* Asking changes no bit of the state. */
static void asking_changes_nothing(void)
{
	u64 hash[2];
	for (int asked = 0; asked < 2; asked++) {
		struct sim *sim = fixture_sim(
			"domain: {size: " BOX(
				1, 1) ", cell_size: %.17g}\ntime: {fps: 50, frames: 9}\n"
				      "liquids: [{box: {min: " LOW(0, 0) ", max: " HIGH(
					      0.4, 0.7) "}}]\n"
							"solids: [{sphere: {center: " AT(
								0.6, 0.1) ", radius: 0.15}}]\n"
									  "output: {forces: %s}\n",
			1.0 / CELLS, asked ? "true" : "false");
		fixture_run(sim, 0.1, NULL, NULL);
		fixture_stage(sim_hash(sim, 5, &hash[asked]));
		fixture_free(sim);
	}
	expect("hashes are the same", hash[0] == hash[1], 1, 1);
}

/* ---- solids that move ---------------------------------------------------------------------- */

/* A floor that rises under a column of water at a constant speed: it carries the water's weight,
 * and its work is what the water gains; the first push, from rest, gives it its momentum. */
static void lift(void)
{
	const double speed = 0.25, h = 1.0 / CELLS, width = 0.5;
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX(
			0.5,
			1.5) ", cell_size: %.17g}\n"
			     "time: {fps: 50, frames: 99}\nliquid: {jitter: 0}\n"
			     "liquids: [{box: {min: " LOW(0, 0.25) ", max: " HIGH(
				     0.5,
				     0.75) "}}]\n"
					   "solids: [{name: floor, box: {min: " LOW(-1, -1) ", max: " HIGH(
						   2,
						   0.25) "},\n"
							 "  motion: [{time: 0}, {time: 2, translate: " V(
								 0, 0.5) "}]}]\n",
		h);
	const double mass = 1000.0 * width * 0.5 * DEPTH, weight = 9.81 * mass;
	fixture_step(sim);
	/* Its impulse is that of the start, and that of the weight. */
	expect_small("impulse of the first substep, less m V and the weight's, of them",
		     -load_of(sim, 0)->impulse[1] / (mass * speed + weight * sim->dt) - 1.0, 0.02);
	struct ledger_accounts start = sim->ledger.accounts;
	double impulse = 0.0, time = 0.0;
	while (sim->time < fixture_pick(0.2, 0.6) - 1e-9) {
		fixture_step(sim);
		impulse += load_of(sim, 0)->impulse[1];
		time += sim->dt;
	}
	const struct ledger_flow *now = &sim->ledger.accounts.total, *then = &start.total;
	const double work = now->solid_work - then->solid_work, lifted = weight * speed * time;
	expect_small("weight carried, less that of the water, of it",
		     -impulse / time / weight - 1.0, 0.02);
	expect_small("work of the floor, less m g V t, of it", work / lifted - 1.0, 0.02);
	expect_small("work of gravity and of the floor, of that",
		     (now->gravity_work - then->gravity_work + work) / lifted, 0.02);
	expect_small("rest of the kinetic energy, of that",
		     (now->kinetic_rest - then->kinetic_rest) / lifted, 0.02);
	expect_small("squeezed", now->squeezed, 0.0);
	fixture_free(sim);
}

#define RATE 2.0 /* m/s^2 */

/* A tank that is pushed, full to the brim under a lid: all of the water goes with it, so that the
 * force across is its mass times the acceleration, whatever the size of cells. */
static void full_tank_is_pushed(void)
{
	char keys[8192] = "";
	fixture_append_push(keys, sizeof(keys), DIM, RATE);
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX(
			1.5,
			0.75) ", cell_size: %.17g}\n"
			      "time: {fps: 50, frames: 99, dt: 0.02}\nliquid: {jitter: 0}\n"
			      "liquids: [{box: {min: " LOW(0.125, 0.125) ", max: " HIGH(
				      0.625,
				      0.375) "}}]\n"
					     "solids: [{name: tank, motion: [%s], difference: [\n"
					     "  {box: {min: " LOW(0, 0) ", max: " HIGH(
						     0.75,
						     0.5) "}},\n"
							  "  {box: {min: " LOW(
								  0.125,
								  0.125) ", max: " HIGH(0.625,
											0.375) "}}]}]\n",
		1.0 / CELLS, keys);
	const double mass = 1000.0 * 0.5 * 0.25 * DEPTH;
	double impulse[2] = {0.0}, work = 0.0;
	fixture_step(sim);
	const double from = sim->time;
	while (sim->time < fixture_pick(0.14, 0.3) - 1e-9) {
		fixture_step(sim);
		for (int a = 0; a < 2; a++)
			impulse[a] += load_of(sim, 0)->impulse[a];
		work += load_of(sim, 0)->work;
	}
	const double time = sim->time - from;
	expect_small("force across, less -m a, of it", -impulse[0] / (mass * RATE * time) - 1.0,
		     0.02);
	expect_small("weight carried, less m g, of it", -impulse[1] / (mass * 9.81 * time) - 1.0,
		     0.02);
	/* Its speed in a substep is that of the middle. */
	const double first = from - 0.5 * sim->dt, last = sim->time - 0.5 * sim->dt;
	const double gain = 0.5 * mass * RATE * RATE * (last * last - first * first);
	expect_small("work, less the energy that the water gains, of it", -work / gain - 1.0, 0.03);
	fixture_free(sim);
}

/* A piston goes into a full chamber. */
static void squeezed(void)
{
	const double speed = 0.1;
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX(
			1,
			0.5) ", cell_size: %.17g}\n"
			     "time: {fps: 50, frames: 99}\n"
			     "liquids: [{box: {min: " LOW(0, 0) ", max: " HIGH(
				     1,
				     1) "}}]\n"
					"solids: [{name: piston, box: {min: " LOW(-1, -1) ", max: " HIGH(
						0.25,
						2) "},\n"
						   "  motion: [{time: 0}, {time: 1, translate: " V(
							   0.1,
							   0) "}]},\n"
							      "  {name: stirrer, sphere: {center: " AT(
								      0.7,
								      0.25) ", radius: 0.1},\n"
									    "  motion: [{time: 0}, {time: 1, translate: " V(
										    0.05,
										    0.02) "}]}]\n",
		1.0 / CELLS);
	fixture_run(sim, 0.2, NULL, NULL);
	const double volume = speed * 0.2 * 0.5 * DEPTH;
	expect_small("squeezed, less what the piston takes, of it",
		     sim->ledger.accounts.total.squeezed / volume - 1.0, 0.01);
	expect("warnings", fixture_warnings(), 1, 1);
	expect("the warning has been given", sim->loads.squeeze_warned, 1, 1);
	fixture_free(sim);
}

/* One that moves in a full box squeezes nothing. */
static void stirred(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: " BOX(
			1,
			0.5) ", cell_size: %.17g}\n"
			     "time: {fps: 50, frames: 99}\n"
			     "liquids: [{box: {min: " LOW(0, 0) ", max: " HIGH(
				     1,
				     1) "}}]\n"
					"solids: [{name: stirrer, sphere: {center: " AT(
						0.5,
						0.25) ", radius: 0.13},\n"
						      "  motion: [{time: 0}, {time: 1, translate: " V(
							      0.2, 0.05) "}]}]\n",
		1.0 / CELLS);
	fixture_run(sim, 0.1, NULL, NULL);
	expect_small("squeezed, of the ball's volume",
		     sim->ledger.accounts.total.squeezed / PI_BALL(0.13), 1e-3);
	expect("warnings", fixture_warnings(), 0, 0);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(archimedes), CASE(box_floats),
		CASE(plates),	  CASE(closed_set),
		CASE(nothing),	  CASE(asking_changes_nothing),
		CASE(lift),	  CASE(full_tank_is_pushed),
		CASE(squeezed),	  CASE(stirred),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
