/*
 * host/stages/sph/ on a device: kernels of smoothing against their integrals, neighbours against
 * all pairs, densities with and without lists, the operator's symmetry, momentum of a free cloud.
 */
#include "stage_fixture.h"

#include <math.h>
#include <string.h>

#include "particles.h"
#include "sph/sph_density.h"
#include "sph/sph_plan.h"
#include "sph/sph_projection.h"

#define PI 3.14159265358979323846

/* ---- kernels ------------------------------------------------------------------------------ */

/* Integral over space by Simpson's rule in r. */
static double integral_of(enum sph_kernel kernel, double radius)
{
	const int steps = 20000;
	const double norm = sph_kernel_norm(kernel, DIM, radius);
	double sum = 0.0;
	for (int i = 0; i <= steps; i++) {
		const double q = (double)i / steps, r = q * radius;
		const double shell = DIM == 2 ? 2.0 * PI * r : 4.0 * PI * r * r;
		/* At the cut the Gaussian is what it is before it. */
		const double inside = i == steps ? 1.0 - 1e-12 : q;
		sum += (i == 0 || i == steps ? 1.0
			: i % 2		     ? 4.0
					     : 2.0) *
		       shell * norm * sph_kernel_weight(kernel, inside);
	}
	return sum * radius / steps / 3.0;
}

static void test_kernels(void **state)
{
	(void)state;
	for (int k = SPH_WENDLAND; k <= SPH_GAUSSIAN; k++) {
		const enum sph_kernel kernel = (enum sph_kernel)k;
		assert_true(fabs(integral_of(kernel, 0.7) - 1.0) < 1e-6);
		/* grad W = -slope(q) W0 x / R^2. */
		for (double q = 0.05; q < 0.99; q += 0.01) {
			const double d = 1e-6;
			const double slope = (sph_kernel_weight(kernel, q + d) -
					      sph_kernel_weight(kernel, q - d)) /
					     (2.0 * d);
			assert_true(fabs(slope + sph_kernel_slope(kernel, q) * q) < 1e-5);
		}
	}
}

/* ---- places ------------------------------------------------------------------------------- */

/* A box with an open wall and closed ones, full but for a strip. */
static struct fixture make_box(const char *more)
{
	struct fixture f =
		DIM == 2
			? fixture_make(
				  "method: sph\n%s"
				  "domain: {size: [1.3, 1.0], cells: [26, 20], walls: {x+: open}}\n"
				  "liquids: [{box: {min: [0, 0], max: [2, 0.9]}}]\n",
				  more)
			: fixture_make("method: sph\n%s"
				       "domain: {size: [0.9, 0.7, 0.5], cells: [9, 7, 5], "
				       "walls: {x+: open}}\n"
				       "liquids: [{box: {min: [0, 0, 0], max: [2, 0.6, 2]}}]\n",
				       more);
	return f;
}

struct places {
	size_t n, stride;
	float *x;
};

static struct places read_places(const struct sim *sim)
{
	struct places p = {.n = sim->particles.count, .stride = sim->particles.capacity};
	p.x = fixture_read(&sim->particles.now.position, DIM * p.stride * sizeof(float));
	return p;
}

/* Moves every particle anywhere within `part` of a cell of where it is, and finds neighbours. */
static void scatter(struct sim *sim, double part, uint64_t *random)
{
	struct places p = read_places(sim);
	const double size[3] = {sim->scene->size[0], sim->scene->size[1], sim->scene->size[2]};
	for (size_t a = 0; a < DIM; a++)
		for (size_t i = 0; i < p.n; i++) {
			double x = (double)p.x[a * p.stride + i] +
				   part * sim->scene->h * (fixture_random(random) - 0.5);
			x = x < 0.01 * sim->scene->h ? 0.01 * sim->scene->h : x;
			x = x > size[a] - 0.01 * sim->scene->h ? size[a] - 0.01 * sim->scene->h : x;
			p.x[a * p.stride + i] = (float)x;
		}
	fixture_write(&sim->particles.now.position, p.x, DIM * p.stride * sizeof(float));
	test_free(p.x);
	assert_true(particles_sort(sim) && sph_find_neighbours(sim) && sph_measure_density(sim));
}

/* x_i - x_j for one of the images of j, as the kernels have it. */
static float square_of(const struct sim *sim, const struct places *p, size_t i, size_t j, int code)
{
	float square = 0.0f;
	for (size_t a = 0; a < DIM; a++, code /= 3) {
		const float here = p->x[a * p->stride + i], there = p->x[a * p->stride + j];
		const float size = a == 0   ? sim->lattice.grid.size_x
				   : a == 1 ? sim->lattice.grid.size_y
					    : sim->lattice.grid.size_z;
		const float apart = code % 3 == 0   ? here - there
				    : code % 3 == 1 ? here + there
						    : (here + there) - 2.0f * size;
		square += apart * apart;
	}
	return square;
}

static bool has_image(const struct sim *sim, int code)
{
	for (int a = 0; a < DIM; a++, code /= 3)
		if (code % 3 && sim->scene->open[2 * a + code % 3 - 1])
			return false;
	return true;
}

static int compare_words(const void *a, const void *b)
{
	const u32 left = *(const u32 *)a, right = *(const u32 *)b;
	return (left > right) - (left < right);
}

/* Every particle that is nearer than R, images included, is in the list, and nothing else. */
static void test_neighbours(void **state)
{
	(void)state;
	uint64_t random = 5;
	struct fixture f = make_box("");
	struct sim *sim = f.sim;
	scatter(sim, 1.0, &random);
	const struct sph_params s = sph_params_of(sim);
	struct places p = read_places(sim);
	u32 *count = fixture_read(&sim->sph.count, p.n * sizeof(u32));
	u32 *list = fixture_read(&sim->sph.list, sim->sph.list.bytes);
	const int codes = DIM == 2 ? 9 : 27;
	size_t images = 0, listed = 0;
	u32 found[1024];
	for (size_t i = 0; i < p.n; i++) {
		size_t n = 0;
		for (size_t j = 0; j < p.n; j++)
			for (int code = 0; code < codes; code++)
				if ((j != i || code) && has_image(sim, code) &&
				    square_of(sim, &p, i, j, code) < s.square) {
					assert_true(n < 1024);
					found[n++] = (u32)j | (u32)code << SPH_INDEX_BITS;
					images += code > 0;
				}
		assert_int_equal(count[i], n);
		if (n > (size_t)s.slots)
			continue;
		u32 ours[1024];
		for (size_t k = 0; k < n; k++)
			ours[k] = list[i * (size_t)s.particle_step + k * (size_t)s.slot_step];
		qsort(found, n, sizeof(u32), compare_words);
		qsort(ours, n, sizeof(u32), compare_words);
		assert_memory_equal(ours, found, n * sizeof(u32));
		listed += n;
	}
	assert_true(images > p.n / 2 && listed > 0);
	test_free(count);
	test_free(list);
	test_free(p.x);
	fixture_free(&f);
}

/* Lists, lists too short for most, none: the same bits. */
static void test_lists(void **state)
{
	(void)state;
	const int slots[] = {SPH_SLOTS(DIM), DIM == 2 ? 18 : 40, 0};
	float *first = NULL, *last = NULL;
	for (int t = 0; t < 3; t++) {
		uint64_t random = 9;
		struct fixture f = make_box("");
		struct sim *sim = f.sim;
		sim->sph.slots = slots[t];
		scatter(sim, 0.6, &random);
		sim->dt = 0.002;
		sim->dt_f = 0.002f;
		assert_true(sph_project(sim));
		const size_t bytes = sim->particles.count * sizeof(float);
		float *density = fixture_read(&sim->particles.now.density, bytes);
		float *pressure = fixture_read(&sim->particles.now.pressure, bytes);
		if (t == 0) {
			first = density;
			last = pressure;
		} else {
			assert_memory_equal(density, first, bytes);
			assert_memory_equal(pressure, last, bytes);
			test_free(density);
			test_free(pressure);
		}
		fixture_free(&f);
	}
	test_free(first);
	test_free(last);
}

/* A lattice between closed walls has the density 1, and nothing pulls its particles. */
static void test_lattice(void **state)
{
	(void)state;
	static const char *const kernels[] = {"", "sph: {kernel: cubic}\n",
					      "sph: {solver: wcsph, kernel: gaussian}\n"};
	for (size_t t = 0; t < 3; t++) {
		struct fixture f =
			DIM == 2 ? fixture_make("method: sph\n%s"
						"domain: {size: [1, 1], cells: 10}\n"
						"liquids: [{box: {min: [0, 0], max: [1, 1]}}]\n",
						kernels[t])
				 : fixture_make(
					   "method: sph\n%s"
					   "domain: {size: [1, 1, 1], cells: 7}\n"
					   "liquids: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n",
					   kernels[t]);
		struct sim *sim = f.sim;
		assert_true(particles_sort(sim) && sph_find_neighbours(sim) &&
			    sph_measure_density(sim));
		const size_t n = sim->particles.count;
		assert_int_equal(n, DIM == 2 ? 100 : 343);
		float *density = fixture_read(&sim->particles.now.density, n * sizeof(float));
		u32 *count = fixture_read(&sim->sph.count, n * sizeof(u32));
		for (size_t i = 0; i < n; i++) {
			assert_true(fabs((double)density[i] - 1.0) < (t == 2 ? 5e-6 : 2e-6));
			assert_int_equal(count[i], DIM == 2 ? 20 : 56);
		}
		test_free(density);
		test_free(count);
		fixture_free(&f);
	}
}

/* ---- the operator ------------------------------------------------------------------------- */

static void write_random(union f32_buffer *buffer, size_t n, uint64_t *random, float *values)
{
	for (size_t i = 0; i < n; i++)
		values[i] = (float)fixture_between(random, -1.0, 1.0);
	fixture_write(buffer, values, n * sizeof(float));
}

/* A of sph.direction, into sph.product. */
static float *multiply(struct sim *sim)
{
	assert_true(sph_multiply(sim));
	return fixture_read(&sim->sph.product, sim->particles.count * sizeof(float));
}

static double inner(const float *a, const float *b, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; i++)
		sum += (double)a[i] * (double)b[i];
	return sum;
}

static void test_operator(void **state)
{
	(void)state;
	uint64_t random = 3;
	struct fixture f = make_box("");
	struct sim *sim = f.sim;
	scatter(sim, 0.5, &random);
	const size_t n = sim->particles.count;
	float *x = test_malloc(n * sizeof(float)), *y = test_malloc(n * sizeof(float));
	write_random(&sim->sph.direction, n, &random, x);
	float *ax = multiply(sim);
	write_random(&sim->sph.direction, n, &random, y);
	float *ay = multiply(sim);
	const double scale = sqrt(inner(ax, ax, n) * inner(y, y, n));
	assert_true(fabs(inner(y, ax, n) - inner(x, ay, n)) <= 1e-6 * scale);
	assert_true(inner(x, ax, n) > 0.0 && inner(y, ay, n) > 0.0);
	test_free(x);
	test_free(y);
	test_free(ax);
	test_free(ay);
	fixture_free(&f);
}

/* Pressure moves a free cloud's centre by rounding alone. */
static void test_momentum(void **state)
{
	(void)state;
	uint64_t random = 8;
	struct fixture f =
		DIM == 2 ? fixture_make("method: sph\ndomain: {size: [1, 1], cells: 32}\n"
					"liquids: [{sphere: {center: [0.5, 0.5], radius: 0.3}}]\n")
			 : fixture_make(
				   "method: sph\ndomain: {size: [1, 1, 1], cells: 16}\n"
				   "liquids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.3}}]\n");
	struct sim *sim = f.sim;
	scatter(sim, 0.3, &random);
	const size_t n = sim->particles.count, stride = sim->particles.capacity;
	float *v = test_calloc(DIM * stride, sizeof(float));
	double before[3] = {0}, size = 0.0;
	for (size_t a = 0; a < DIM; a++)
		for (size_t i = 0; i < n; i++) {
			v[a * stride + i] = (float)fixture_between(&random, -1.0, 1.0);
			before[a] += (double)v[a * stride + i];
			size += fabs((double)v[a * stride + i]);
		}
	fixture_write(&sim->particles.now.velocity, v, DIM * stride * sizeof(float));
	test_free(v);
	sim->dt = 0.005;
	sim->dt_f = 0.005f;
	assert_true(sph_project(sim));
	v = fixture_read(&sim->particles.now.velocity, DIM * stride * sizeof(float));
	for (size_t a = 0; a < DIM; a++) {
		double after = 0.0;
		for (size_t i = 0; i < n; i++)
			after += (double)v[a * stride + i];
		assert_true(fabs(after - before[a]) < 1e-6 * size);
	}
	assert_true(sim->stats.pressure_iterations > 1);
	test_free(v);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernels),	   cmocka_unit_test(test_lattice),
		cmocka_unit_test(test_neighbours), cmocka_unit_test(test_lists),
		cmocka_unit_test(test_operator),   cmocka_unit_test(test_momentum),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
