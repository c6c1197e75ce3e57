/*
 * particles_advect() on a device: one step of every Runge-Kutta method through a random field
 * against double precision; velocities stay, removed particles stay where they are.
 */
#include "stage_fixture.h"

#include <math.h>
#include <string.h>

#include "particles.h"
#include "reference.h"

#define EPS 0x1p-24
#define SPEED 1.5 /* greatest component, m/s */
#define STEP 0.02 /* s: 0.48 cells */

static struct fixture make(void)
{
	return DIM == 2 ? fixture_make("domain: {size: [1.5, 1], cells: 24}\n"
				       "liquids: [{box: {min: [0, 0], max: [1.5, 1]}}]\n")
			: fixture_make("domain: {size: [1.5, 1, 0.75], cells: 24}\n"
				       "liquids: [{box: {min: [0, 0, 0], max: [1, 1, 0.5]}}]\n");
}

static void sample(const struct grid *g, const float *u, const double x[3], double value[3])
{
	for (int c = 0; c < DIM; c++)
		value[c] = reference_sample(g, DIM, c, u + (size_t)c * (size_t)g->lattice, x, NULL);
}

/* The tableaux: Euler, midpoint, Ralston's third order, classical. */
static const struct tableau {
	int stages;
	double part[4]; /* of dt, and of the previous slope, at which each stage looks */
	double weight[4];
} tableaux[] = {
	{1, {0.0}, {1.0}},
	{2, {0.0, 0.5}, {0.0, 1.0}},
	{3, {0.0, 0.5, 0.75}, {2.0 / 9.0, 3.0 / 9.0, 4.0 / 9.0}},
	{4, {0.0, 0.5, 0.5, 1.0}, {1.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0}},
};

static void step(const struct grid *g, const float *u, const struct tableau *m, double x[3])
{
	double slope[3] = {0.0}, sum[3] = {0.0};
	for (int stage = 0; stage < m->stages; stage++) {
		double at[3];
		for (int a = 0; a < 3; a++)
			at[a] = x[a] + m->part[stage] * STEP * slope[a];
		sample(g, u, at, slope);
		for (int a = 0; a < DIM; a++)
			sum[a] += m->weight[stage] * slope[a];
	}
	for (int a = 0; a < DIM; a++)
		x[a] += STEP * sum[a];
}

static void check_method(int order)
{
	uint64_t random = 3;
	struct fixture f = make();
	struct sim *sim = f.sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t stride = sim->particles.capacity, faces = (size_t)g->lattice * DIM;
	float *u = test_calloc(faces, sizeof(float));
	for (size_t n = 0; n < faces; n++)
		u[n] = (float)fixture_between(&random, -SPEED, SPEED);
	fixture_write(&sim->u_face, u, faces * sizeof(float));
	float *x0 = fixture_read(&sim->particles.now.position, stride * DIM * sizeof(float));
	float *v0 = fixture_read(&sim->particles.now.velocity, stride * DIM * sizeof(float));
	u32 *id = fixture_read(&sim->particles.now.id, stride * sizeof(u32));
	for (size_t n = 0; n < stride * DIM; n++)
		v0[n] = (float)fixture_between(&random, -SPEED, SPEED);
	for (size_t n = 0; n < stride; n += 11)
		id[n] = ID_REMOVED;
	fixture_write(&sim->particles.now.velocity, v0, stride * DIM * sizeof(float));
	fixture_write(&sim->particles.now.id, id, stride * sizeof(u32));
	f.scene->solver.advection = (enum scene_advection)(ADVECTION_RK1 + order - 1);
	sim->dt = STEP;
	sim->dt_f = (f32)STEP;
	assert_true(particles_advect(sim));
	float *x = fixture_read(&sim->particles.now.position, stride * DIM * sizeof(float));
	float *v = fixture_read(&sim->particles.now.velocity, stride * DIM * sizeof(float));

	/* A place among the samples is known to 24 cells * EPS, twice rounded; neighbouring samples
	 * differ by up to 2 SPEED, which acts over a step; the sum is rounded at 1.5 m. */
	const double bound = STEP * DIM * 2.0 * SPEED * (48.0 * EPS + 8.0 * EPS) * 4.0 + 3.0 * EPS;
	size_t checked = 0;
	for (size_t n = 0; n < sim->particles.count; n++) {
		double expected[3] = {0.0};
		bool inside = true;
		for (size_t a = 0; a < DIM; a++) {
			expected[a] = (double)x0[a * stride + n];
			/* Near walls the collision has its say. */
			inside &= expected[a] > 0.05 && expected[a] < sim->scene->size[a] - 0.05;
		}
		if (id[n] == ID_REMOVED) {
			for (size_t a = 0; a < DIM; a++)
				assert_true(x[a * stride + n] == x0[a * stride + n]);
			continue;
		}
		if (!inside)
			continue;
		step(g, u, &tableaux[order - 1], expected);
		for (size_t a = 0; a < DIM; a++) {
			double error = fabs((double)x[a * stride + n] - expected[a]);
			if (error > bound)
				fail_msg("order %d, particle %zu, axis %zu: off by %g, allowed %g",
					 order, n, a, error, bound);
			assert_true(v[a * stride + n] == v0[a * stride + n]);
		}
		checked++;
	}
	assert_true(checked > sim->particles.count / 2);
	test_free(u);
	test_free(x0);
	test_free(v0);
	test_free(id);
	test_free(x);
	test_free(v);
	fixture_free(&f);
}

static void test_tableaux(void **state)
{
	(void)state;
	for (int order = 1; order <= 4; order++)
		check_method(order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tableaux),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
