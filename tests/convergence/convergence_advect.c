/*
 * Order of convergence of the Runge-Kutta paths of particles.  The velocity field is multilinear
 * in the coordinates, which interpolation reproduces exactly, and its paths are curved and not
 * linear in the start: all conditions of a method's order count.
 */
#include "stage_fixture.h"

#include <math.h>
#include <string.h>

#include "particles.h"

#define TIME 2.0 /* s */
#define PARTICLES 200

/* About the middle of the unit box: a turn, and terms of all degrees that interpolation keeps. */
static void velocity_at(const double x[3], double u[3])
{
	const double a = x[0] - 0.5, b = x[1] - 0.5, c = DIM == 3 ? x[2] - 0.5 : 0.0;
	u[0] = -2.0 * b + 3.0 * a * b + 0.1 + 2.0 * b * c;
	u[1] = 2.0 * a - 2.5 * a * b - 0.05 + 3.0 * a * c - 4.0 * a * b * c;
	u[2] = 0.8 * b - 0.5 * a + 2.0 * a * b;
}

/* End of a path by 4000 classical Runge-Kutta steps in double: error below 1e-12. */
static void follow(double x[3])
{
	const int steps = 4000;
	const double dt = TIME / steps;
	for (int n = 0; n < steps; n++) {
		double k[4][3], at[3] = {0.0};
		static const double part[4] = {0.0, 0.5, 0.5, 1.0};
		for (int stage = 0; stage < 4; stage++) {
			for (int a = 0; a < DIM; a++)
				at[a] = x[a] + (stage ? part[stage] * dt * k[stage - 1][a] : 0.0);
			velocity_at(at, k[stage]);
		}
		for (int a = 0; a < DIM; a++)
			x[a] += dt / 6.0 * (k[0][a] + 2.0 * k[1][a] + 2.0 * k[2][a] + k[3][a]);
	}
}

static struct fixture make(void)
{
	return DIM == 2 ? fixture_make("domain: {size: [1, 1], cells: 8}\n"
				       "liquids: [{box: {min: [0, 0], max: [1, 1]}}]\n")
			: fixture_make("domain: {size: [1, 1, 1], cells: 8}\n"
				       "liquids: [{box: {min: [0, 0, 0], max: [1, 1, 0.5]}}]\n");
}

static void write_field(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	float *u = test_calloc(lattice * DIM, sizeof(float));
	for (int k = 0; k < g->pz; k++)
		for (int j = 0; j < g->py; j++)
			for (int i = 0; i < g->px; i++)
				for (int c = 0; c < DIM; c++) {
					double at[3] = {i + (c == 0 ? 0.0 : 0.5),
							j + (c == 1 ? 0.0 : 0.5),
							k + (c == 2 ? 0.0 : 0.5)};
					double x[3], value[3];
					for (int a = 0; a < 3; a++)
						x[a] = at[a] * (double)g->h;
					velocity_at(x, value);
					u[(size_t)c * lattice + fixture_at(g, i, j, k)] =
						(float)value[c];
				}
	fixture_write(&sim->u_face, u, lattice * DIM * sizeof(float));
	test_free(u);
}

/* Root mean square distance from the true ends after `steps` equal steps. */
static double error_after(struct sim *sim, const float *start, const double *end, int steps)
{
	const size_t stride = sim->particles.capacity;
	fixture_write(&sim->particles.now.position, start, stride * DIM * sizeof(float));
	sim->dt = TIME / steps;
	sim->dt_f = (f32)sim->dt;
	for (int n = 0; n < steps; n++)
		assert_true(particles_advect(sim));
	float *x = fixture_read(&sim->particles.now.position, stride * DIM * sizeof(float));
	double square = 0.0;
	for (size_t n = 0; n < PARTICLES; n++)
		for (size_t a = 0; a < DIM; a++) {
			double d = (double)x[a * stride + n] - end[a * PARTICLES + n];
			square += d * d / PARTICLES;
		}
	test_free(x);
	return sqrt(square);
}

/* 8 steps are 0.5 rad each. */
static void check_order(enum scene_advection method, int order, int coarsest)
{
	uint64_t random = 1;
	struct fixture f = make();
	const size_t stride = f.sim->particles.capacity;
	assert_true(f.sim->particles.count >= PARTICLES);
	float *start = test_calloc(stride * DIM, sizeof(float));
	double *end = test_calloc(PARTICLES * DIM, sizeof(double)), error[3];
	for (size_t n = 0; n < stride; n++) {
		double x[3] = {0.0}, square;
		/* Around the middle: the paths stay in the box, away from the outermost samples. */
		do {
			square = 0.0;
			for (size_t a = 0; a < DIM; a++) {
				start[a * stride + n] = (float)fixture_between(&random, 0.35, 0.65);
				x[a] = (double)start[a * stride + n];
				square += (x[a] - 0.5) * (x[a] - 0.5);
			}
		} while (square > 0.15 * 0.15);
		if (n >= PARTICLES)
			continue;
		follow(x);
		for (size_t a = 0; a < DIM; a++)
			end[a * PARTICLES + n] = x[a];
	}
	write_field(f.sim);
	f.scene->solver.advection = method;
	for (int n = 0; n < 3; n++)
		error[n] = error_after(f.sim, start, end, coarsest << n);
	double first = log2(error[0] / error[1]), second = log2(error[1] / error[2]);
	print_message("order %d: errors %.3g %.3g %.3g m, orders %.2f %.2f\n", order, error[0],
		      error[1], error[2], first, second);
	assert_true(first > order - 0.2 && first < order + 0.3);
	assert_true(second > order - 0.15 && second < order + 0.3);
	test_free(start);
	test_free(end);
	fixture_free(&f);
}

static void test_rk1(void **state)
{
	(void)state;
	check_order(ADVECTION_RK1, 1, 128);
}

static void test_rk2(void **state)
{
	(void)state;
	check_order(ADVECTION_RK2, 2, 16);
}

static void test_rk3(void **state)
{
	(void)state;
	check_order(ADVECTION_RK3, 3, 8);
}

/* Positions are floats: finer steps than these end in their rounding. */
static void test_rk4(void **state)
{
	(void)state;
	check_order(ADVECTION_RK4, 4, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rk1),
		cmocka_unit_test(test_rk2),
		cmocka_unit_test(test_rk3),
		cmocka_unit_test(test_rk4),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
