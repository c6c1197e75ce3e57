/*
 * Bodies and liquid, 2D and 3D: how fast they begin to rise and sink, how deep they float; what
 * their solve costs; that they add no energy.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

#if DIM == 2
#define AT(x, y) "[" #x ", " #y "]"
#define EMPTY_DEPTH ""
#else
#define AT(x, y) "[" #x ", " #y ", 0.5]"
#endif

/* ---- added mass --------------------------------------------------------------------------- */

#define CONTAINER 0.495
#define RADIUS 0.1

/* (b^2 + a^2)/(b^2 - a^2), the disc's; (b^3 + 2 a^3)/(2 (b^3 - a^3)), the sphere's: of the displaced
 * mass (Lamb 1932, art. 72 and 93). */
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
			const double exact =
				-9.81 * (ratios[n] - 1.0) / (ratios[n] + added_mass());
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
			x[a] = 0.05 + spacing * (at[a] + 0.5 +
						 0.15 * (fixture_random(&random) - 0.5));
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

static void iterations_stay_near_those_of_fixed_bodies(void)
{
	static const double ratios[] = {0.001, 0.1, 1.0, 100.0, 0.0};
	const int rows[] = {1, DIM == 2 ? 10 : 4};
	const double tolerances[] = {1e-5, 1e-6};
	for (int t = 0; t < 2; t++)
		for (int r = 0; r < 2; r++)
			for (int cells = DIM == 2 ? 64 : 32; cells <= (DIM == 2 ? 256 : 64);
			     cells *= 2) {
				const double held = iterations_of(cells, rows[r], -1.0, tolerances[t]);
				for (int n = 0; n < 5; n++) {
					const double free_ones = iterations_of(
						cells, rows[r], ratios[n], tolerances[t]);
					fixture_note("%d cells, %d in a row, ratio %g, tolerance %g: "
						     "%.1f of %.1f",
						     cells, rows[r], ratios[n], tolerances[t],
						     free_ones, held);
					expect("iterations, of those of fixed bodies",
					       free_ones / held, 0.0, 1.5);
				}
			}
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(begins_to_rise_and_sink),
		CASE(iterations_stay_near_those_of_fixed_bodies),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
