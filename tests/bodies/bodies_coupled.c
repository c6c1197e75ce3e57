/*
 * Bodies and liquid, 2D and 3D: how fast they begin to rise and sink, how deep they float; what
 * their solve costs; that they add no energy.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

/* ---- added mass --------------------------------------------------------------------------- */

#define CONTAINER 0.495
#define RADIUS 0.1

/* (b^2 + a^2)/(b^2 - a^2), the disc's; (b^3 + 2 a^3)/(2 (b^3 - a^3)), the sphere's: of the
 * displaced mass (Lamb 1932, art. 72 and 93). */
static double added_mass(void)
{
	const double b = pow(CONTAINER, DIM), a = pow(RADIUS, DIM);
	return DIM == 2 ? (b + a) / (b - a) : (b + 2.0 * a) / (2.0 * (b - a));
}

/* The acceleration in the first substep of a ball of so many times the liquid's density, in a
 * round container; both are full. */
static double first_acceleration(int cells, double ratio, double shift)
{
	char middle[80], off[80];
	const double x = 0.5 + shift / cells, y = 0.5 + 0.7 * shift / cells;
	snprintf(middle, sizeof(middle), DIM == 2 ? "[%.17g, %.17g]" : "[%.17g, %.17g, 0.5]", x, y);
	snprintf(off, sizeof(off), DIM == 2 ? "[1, 1]" : "[1, 1, 1]");
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cell_size: %.17g}\ntime: {dt: 0.001, fps: 1000, frames: 1}\n"
		"solver: {tolerance: 1e-6}\n"
		"solids: [{invert: true, sphere: {center: %s, radius: %g}}]\n"
		"liquids: [{box: {min: %s, max: %s}}]\n"
		"bodies: [{sphere: {center: %s, radius: %g}, density: %.17g}]\n",
		off, 1.0 / cells, middle, CONTAINER, DIM == 2 ? "[0, 0]" : "[0, 0, 0]", off, middle,
		RADIUS, 1000.0 * ratio);
	fixture_step(sim);
	const double a = sim->bodies.now[0].velocity[1] / sim->dt;
	fixture_note("%d cells a radius, ratio %g: %.4f m/s^2, %d iterations, residual %.2g",
		     (int)(RADIUS * cells), ratio, a, sim->stats.pressure_iterations,
		     sim->stats.pressure_residual);
	fixture_free(sim);
	return a;
}

static void begins_to_rise_and_sink(void)
{
	static const double ratios[] = {0.001, 0.5, 2.0, 100.0};
	for (int n = 0; n < 4; n++)
		for (int cells = 40; cells <= (DIM == 2 ? 160 : 40); cells *= 2) {
			const double exact = -9.81 * (ratios[n] - 1.0) / (ratios[n] + added_mass());
			const double a = first_acceleration(cells, ratios[n], 0.37);
			expect_small("acceleration, relative error", a / exact - 1.0,
				     cells == 40 ? 0.04 : 0.015);
		}
}

/* ---- the solve ---------------------------------------------------------------------------- */

#define MOST_BODIES 144

/* Iterations of the first solves of as many balls as `row`^DIM, of so many times the liquid's
 * density; with 0 each of its own, from 10^-3 to 10^2; with -1 they are held. */
static double iterations_of(int cells, int row, double ratio, double tolerance)
{
	char bodies[MOST_BODIES * 160] = "";
	size_t length = 0;
	u64 random = 7;
	const int all = DIM == 2 ? row * row : row * row * row;
	const double spacing = 0.9 / row;
	for (int n = 0; n < all; n++) {
		const int at[3] = {n % row, n / row % row, n / row / row};
		double x[3], own = ratio;
		for (int a = 0; a < 3; a++)
			x[a] = 0.05 +
			       spacing * (at[a] + 0.5 + 0.15 * (fixture_random(&random) - 0.5));
		const double power = -3.0 + 5.0 * fixture_random(&random);
		if (!(ratio > 0.0))
			own = pow(10.0, power);
		char middle[96];
#if DIM == 2
		snprintf(middle, sizeof(middle), "[%.9g, %.9g]", x[0], x[1]);
#else
		snprintf(middle, sizeof(middle), "[%.9g, %.9g, %.9g]", x[0], x[1], x[2]);
#endif
		length += (size_t)snprintf(
			bodies + length, sizeof(bodies) - length,
			"  - {sphere: {center: %s, radius: %.9g}, density: %.9g%s}\n", middle,
			0.36 * spacing, 1000.0 * (own > 0.0 ? own : 1.0),
			ratio < 0.0 ? ", release: 1e6" : "");
	}
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cell_size: %.17g}\ntime: {fps: 100, frames: 3}\n"
		"solver: {tolerance: %g, separation: false}\n"
		"liquids: [{box: {min: %s, max: %s}}]\nbodies:\n%s",
		DIM == 2 ? "[1, 1]" : "[1, 1, 1]", 1.0 / cells, tolerance,
		DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[1, 0.9]" : "[1, 0.9, 1]", bodies);
	double sum = 0.0;
	for (int n = 0; n < 3; n++) {
		fixture_step(sim);
		sum += sim->stats.pressure_iterations / 3.0;
	}
	fixture_free(sim);
	return sum;
}

/* Of one body, and of many packed together: half more at most; of light ones, which are as far from
 * the fixed ones as bodies can be, up to twice as many (docs/open.md). */
static void iterations_stay_near_those_of_fixed_bodies(void)
{
	static const double ratios[] = {0.001, 0.1, 1.0, 100.0, 0.0};
	const int rows[] = {1, DIM == 2 ? 7 : 2}, most = (int)fixture_pick(64, DIM == 2 ? 256 : 64);
	for (int r = 0; r < 2; r++)
		for (int cells = DIM == 2 ? 64 : 32; cells <= (DIM == 2 ? most : most / 2);
		     cells *= 2) {
			const double held = iterations_of(cells, rows[r], -1.0, 1e-6);
			for (int n = 0; n < 5; n++) {
				const double moved = iterations_of(cells, rows[r], ratios[n], 1e-6);
				fixture_note("%d cells, %d in a row, ratio %g: %.1f of %.1f", cells,
					     rows[r], ratios[n], moved, held);
				expect("iterations, of those of fixed bodies", moved / held, 0.0,
				       ratios[n] > 0.0 && ratios[n] < 1.0 ? 2.0 : 1.5);
			}
		}
}

/* ---- floating ----------------------------------------------------------------------------- */

struct heights {
	double sum;
	int count;
};

static void add_height(struct sim *sim, void *user)
{
	struct heights *h = user;
	if (sim->time > 1.0) {
		h->sum += sim->bodies.now[0].x[1];
		h->count++;
	}
}

/* Archimedes: a box that is let go at the place where it floats stays there, by half a cell. */
static void floats_as_deep_as_it_is_heavy(void)
{
	const int cells = DIM == 2 ? 32 : 16;
	const double ratio = 0.5, height = 0.25;
	/* The liquid beside the box stands at 0.5. */
	const double bottom = 0.5 - ratio * height;
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cell_size: %.17g}\ntime: {fps: 20, frames: 60}\n"
		"liquids: [{box: {min: %s, max: %s}}]\n"
		"bodies: [{box: {min: %s, max: %s}, density: %g}]\n",
		DIM == 2 ? "[1, 1]" : "[1, 1, 0.5]", 1.0 / cells, DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
		DIM == 2 ? "[1, 0.5]" : "[1, 0.5, 0.5]",
		DIM == 2 ? "[0.34375, 0.375]" : "[0.34375, 0.375, 0.09375]",
		DIM == 2 ? "[0.65625, 0.625]" : "[0.65625, 0.625, 0.40625]", 1000.0 * ratio);
	struct heights h = {0};
	fixture_run(sim, 3.0, add_height, &h);
	expect_small("mean height, cells off", (h.sum / h.count - (bottom + 0.5 * height)) * cells,
		     0.5);
	fixture_free(sim);
}

/* ---- energy ------------------------------------------------------------------------------- */

struct energies {
	double start, most;
};

/* Kinetic and potential, of liquid and bodies. */
static double energy_of(const struct sim *sim)
{
	const double g[3] = {0.0, -9.81, 0.0};
	struct cloud cloud = cloud_read(sim);
	const double mass = 1000.0 / pow(1.0 / sim->scene->h, DIM) / sim->scene->particles_per_cell;
	double sum = 0.0;
	for (u32 p = 0; p < cloud.count; p++) {
		double square = 0.0;
		for (int a = 0; a < DIM; a++)
			square += (double)cloud.v[a][p] * (double)cloud.v[a][p];
		sum += mass * (0.5 * square + 9.81 * (double)cloud.x[1][p]);
	}
	cloud_free(&cloud);
	for (size_t n = 0; n < sim->bodies.count; n++) {
		const struct scene_body *of = &sim->scene->solids[sim->bodies.first + n].body;
		sum += body_kinetic(of, &sim->bodies.now[n]) +
		       body_potential(of, &sim->bodies.now[n], g);
	}
	return sum;
}

static void look_at_energy(struct sim *sim, void *user)
{
	struct energies *e = user;
	e->most = fmax(e->most, energy_of(sim));
}

/* The most energy within a second, of that at the start, of a pool with a ball; it may be held. */
static double energy_grows(double ratio, bool held)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cell_size: %.17g}\ntime: {fps: 20, frames: 20}\n"
		"liquids: [{box: {min: %s, max: %s}}]\n"
		"bodies: [{sphere: {center: %s, radius: 0.12}, density: %g%s}]\n",
		DIM == 2 ? "[1, 1]" : "[1, 1, 0.5]", DIM == 2 ? 1.0 / 32 : 1.0 / 16,
		DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[1, 0.5]" : "[1, 0.5, 0.5]",
		DIM == 2 ? "[0.45, 0.2]" : "[0.45, 0.2, 0.25]", 1000.0 * ratio,
		held ? ", release: 1e6" : "");
	struct energies e = {energy_of(sim), 0.0};
	fixture_run(sim, 1.0, look_at_energy, &e);
	fixture_free(sim);
	return e.most / e.start;
}

/* A ball that the liquid moves adds no more energy than one that is held, but for a thousandth:
 * seeds are not quite even. */
static void energy_does_not_grow(void)
{
	static const double ratios[] = {0.001, 0.1, 2.0};
	for (int n = 0; n < 3; n++) {
		const double held = energy_grows(ratios[n], true);
		fixture_note("ratio %g, held: %.5f", ratios[n], held);
		expect("most energy, of that at the start", energy_grows(ratios[n], false), 0.5,
		       held + 0.001);
	}
}

/* ---- release and locks -------------------------------------------------------------------- */

/* Where a box comes to in half a second without gravity, x from 0.5 on, and keys of the scene. */
static double place_after(const char *keys)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cell_size: 0.125}\ntime: {fps: 20, frames: 10}\ngravity: %s\n"
		"liquids: [{box: {min: %s, max: %s}}]\nbodies: [{box: {min: %s, max: %s}, density: 500, %s}]\n",
		DIM == 2 ? "[2, 1]" : "[2, 1, 1]", DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
		DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[2, 0.2]" : "[2, 0.2, 1]",
		DIM == 2 ? "[0.375, 0.5]" : "[0.375, 0.5, 0.375]",
		DIM == 2 ? "[0.625, 0.75]" : "[0.625, 0.75, 0.625]", keys);
	fixture_run(sim, 0.5, NULL, NULL);
	const double x = sim->bodies.now[0].x[0];
	fixture_free(sim);
	return x;
}

static void goes_on_as_it_is_let_go(void)
{
	char keys[160];
	snprintf(keys, sizeof(keys),
		 "release: 0.25, motion: [{time: 0}, {time: 0.25, translate: %s}]",
		 DIM == 2 ? "[0.125, 0]" : "[0.125, 0, 0]");
	expect_small("led at 0.5 m/s for half of the time, then as fast", place_after(keys) - 0.75,
		     1e-6);
	snprintf(keys, sizeof(keys), "release: 0.25, velocity: %s",
		 DIM == 2 ? "[0.5, 0]" : "[0.5, 0, 0]");
	expect_small("held for half of the time, then let go with a velocity",
		     place_after(keys) - 0.625, 1e-6);
	snprintf(keys, sizeof(keys), "lock: [x], velocity: %s",
		 DIM == 2 ? "[0.5, 0]" : "[0.5, 0, 0]");
	expect_small("locked", place_after(keys) - 0.5, 0.0);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(begins_to_rise_and_sink),
		CASE(iterations_stay_near_those_of_fixed_bodies),
		CASE(floats_as_deep_as_it_is_heavy),
		CASE(energy_does_not_grow),
		CASE(goes_on_as_it_is_let_go),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
