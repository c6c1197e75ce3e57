/*
 * host/lattice/distance.c on a device: distances to discs and balls that lie anywhere between
 * cells, jump flooding against brute force, the growth of the error of sweeping, planes, several
 * surfaces, none.
 */
#include "stage_fixture.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "distance.h"

#define PI 3.14159265358979323846

static struct fixture make(int cells)
{
	return DIM == 2 ? fixture_make("domain: {size: [1, 1], cells: %d}\n", cells)
			: fixture_make("domain: {size: [1, 1, 1], cells: %d}\n", cells);
}

struct solid_body {
	double middle[3], radius;
};
static const struct solid_body off_centre = {{0.4631, 0.5217, 0.4879}, 0.2743};

static double distance_to(const struct solid_body *b, const double x[3])
{
	double square = 0.0;
	for (int a = 0; a < DIM; a++)
		square += (x[a] - b->middle[a]) * (x[a] - b->middle[a]);
	return sqrt(square) - b->radius;
}

/* A field on the cells of a simulation: its values, and the true distances. */
struct cell_field {
	float *phi;
	double *exact;
};

static struct cell_field field_make(const struct grid *g)
{
	return (struct cell_field){.phi = test_calloc((size_t)g->lattice, sizeof(float)),
				   .exact = test_calloc((size_t)g->lattice, sizeof(double))};
}

static void field_free(struct cell_field *f)
{
	test_free(f->phi);
	test_free(f->exact);
}

static void centre_of(const struct grid *g, int i, int j, int k, double x[3])
{
	x[0] = (i + 0.5) * (double)g->h;
	x[1] = (j + 0.5) * (double)g->h;
	x[2] = (k + 0.5) * (double)g->h;
}

/* distorted: the same zero set with a slope from 0.5 to 3 that changes along the surface. */
static struct cell_field body_field(const struct grid *g, const struct solid_body *b,
				    bool distorted)
{
	struct cell_field f = field_make(g);
	FOR_CELLS(g, i, j, k, at)
	{
		double x[3];
		centre_of(g, i, j, k, x);
		f.exact[at] = distance_to(b, x);
		double stretch = 1.5 + sin(3.0 * x[0] + 2.0 * x[1]);
		f.phi[at] = (float)(distorted ? f.exact[at] * (1.0 + f.exact[at]) * stretch
					      : f.exact[at]);
	}
	return f;
}

enum way { SWEEP, FLOOD };

static float *run(struct sim *sim, const float *phi, enum way method)
{
	const size_t bytes = (size_t)sim->lattice.grid.lattice * sizeof(float);
	struct distance d;
	union f32_buffer in = {0}, out = {0};
	assert_true(clx_alloc(sim->cl, &in, "in", bytes / sizeof(f32)) &&
		    clx_alloc(sim->cl, &out, "out", bytes / sizeof(f32)));
	fixture_write(&in, phi, bytes);
	assert_true(distance_init(&d, &sim->lattice));
	assert_true(method == SWEEP ? distance_redistance(&d, &sim->lattice, &in, &out)
				    : distance_flood_redistance(&d, &sim->lattice, &in, &out));
	float *result = fixture_read(&out, bytes);
	distance_finish(&d, sim->cl);
	clx_free(sim->cl, &in);
	clx_free(sim->cl, &out);
	return result;
}

struct errors {
	double near, far, mean, moved; /* cells */
};

/* Errors within five cells of the surface, over all cells, and of the crossings between cells. */
static struct errors compare(const struct grid *g, const struct cell_field *f, const float *got)
{
	struct errors e = {0};
	const double h = (double)g->h;
	FOR_CELLS(g, i, j, k, at)
	{
		double error = fabs((double)got[at] - f->exact[at]) / h;
		assert_true((got[at] < 0.0f) == (f->phi[at] < 0.0f));
		if (fabs(f->exact[at]) <= 5.0 * h)
			e.near = fmax(e.near, error);
		e.far = fmax(e.far, error);
		e.mean += error / ((double)g->nx * g->ny * g->nz);
		for (int a = 0; a < DIM; a++) {
			if ((a == 0 ? i == g->nx - 1 : a == 1 ? j == g->ny - 1 : k == g->nz - 1))
				continue;
			size_t next = at + fixture_at(g, a == 0, a == 1, a == 2);
			if ((got[at] < 0.0f) == (got[next] < 0.0f))
				continue;
			double before = (double)f->phi[at] / (double)(f->phi[at] - f->phi[next]);
			double after = (double)got[at] / (double)(got[at] - got[next]);
			e.moved = fmax(e.moved, fabs(after - before));
		}
	}
	return e;
}

static struct errors measure(int cells, bool distorted, enum way method)
{
	struct fixture s = make(cells);
	struct cell_field f = body_field(&s.sim->lattice.grid, &off_centre, distorted);
	float *got = run(s.sim, f.phi, method);
	struct errors e = compare(&s.sim->lattice.grid, &f, got);
	print_message(
		"%s, %d cells%s: within 5 cells %.3f, anywhere %.3f, mean %.3f, surface moved "
		"%.3f cells\n",
		method == SWEEP ? "sweeping" : "flooding", cells, distorted ? ", distorted" : "",
		e.near, e.far, e.mean, e.moved);
	test_free(got);
	field_free(&f);
	fixture_free(&s);
	return e;
}

static void test_bodies(void **state)
{
	(void)state;
	const int cells = 64;
	for (int distorted = 0; distorted < 2; distorted++)
		for (int method = SWEEP; method <= FLOOD; method++) {
			struct errors e = measure(cells, distorted, (enum way)method);
			assert_true(e.near <= 0.1);
			assert_true(e.moved <= 0.05);
			assert_true(method == SWEEP || e.far <= 0.25);
		}
}

/* Sweeping far away: the error in cells grows by a constant when the cells are halved. */
static void test_growth(void **state)
{
	(void)state;
	const int coarsest = DIM == 2 ? 32 : 16;
	struct errors e[3];
	for (int n = 0; n < 3; n++)
		e[n] = measure(coarsest << n, false, SWEEP);
	/* h log(1/h): equal steps; linear growth would double them. */
	assert_true(e[1].far > e[0].far);
	assert_true(e[2].far - e[1].far <= 1.25 * (e[1].far - e[0].far));
	assert_true(e[2].far < 1.5);
}

/* ---- jump flooding ------------------------------------------------------------------------ */

/* Squared distance between cells. */
static int between(const struct grid *g, size_t seed, int i, int j, int k)
{
	const size_t row = seed / (size_t)g->px;
	const int di = (int)(seed % (size_t)g->px) - i, dj = (int)(row % (size_t)g->py) - j;
	const int dk = (int)(row / (size_t)g->py) - k;
	return di * di + dj * dj + dk * dk;
}

static bool beside_surface(const struct grid *g, const float *phi, int i, int j, int k)
{
	const int here[3] = {i, j, k};
	int cells[3];
	fixture_cells(g, cells);
	size_t at = fixture_at(g, i, j, k);
	for (int a = 0; a < DIM; a++) {
		size_t step = fixture_at(g, a == 0, a == 1, a == 2);
		if (here[a] > 0 && (phi[at - step] < 0.0f) != (phi[at] < 0.0f))
			return true;
		if (here[a] < cells[a] - 1 && (phi[at + step] < 0.0f) != (phi[at] < 0.0f))
			return true;
	}
	return false;
}

static void check_flood(int cells, const struct cell_field *(*make_field)(const struct grid *g),
			const char *what, double most)
{
	struct fixture s = make(cells);
	struct sim *sim = s.sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	const struct cell_field *f = make_field(g);
	struct distance d;
	union f32_buffer in = {0};
	assert_true(clx_alloc(sim->cl, &in, "in", lattice));
	fixture_write(&in, f->phi, lattice * sizeof(float));
	assert_true(distance_init(&d, &sim->lattice) && distance_flood(&d, &sim->lattice, &in));
	u32 *nearest = fixture_read(&d.nearest[0], lattice * sizeof(u32));
	size_t *seeds = test_malloc(lattice * sizeof(*seeds)), count = 0, wrong = 0;
	double worst = 0.0;
	FOR_CELLS(g, i, j, k, at)
	if (beside_surface(g, f->phi, i, j, k))
		seeds[count++] = at;
	FOR_CELLS(g, i, j, k, at)
	{
		/* Seeds are in ascending order: of equally near ones the least is found. */
		size_t best = 0;
		int least = INT_MAX;
		for (size_t n = 0; n < count; n++) {
			int square = between(g, seeds[n], i, j, k);
			if (square < least) {
				least = square;
				best = seeds[n];
			}
		}
		if (nearest[at] == best)
			continue;
		assert_true(nearest[at] < lattice);
		int square = between(g, nearest[at], i, j, k);
		if (least <= 25)
			fail_msg("%s: cell (%d %d %d), %.2f cells from the surface, has seed %u, "
				 "not %zu",
				 what, i, j, k, sqrt(least), nearest[at], best);
		/* Another seed just as near, but for its number, is not wrong far away. */
		wrong += square > least;
		worst = fmax(worst, sqrt(square) - sqrt(least));
	}
	const double total = (double)g->nx * g->ny * g->nz;
	print_message("%s: %zu seeds, %zu of %.0f cells wrong, by at most %.3f cells\n", what,
		      count, wrong, total, worst);
	assert_true((double)wrong <= 0.002 * total);
	assert_true(worst <= most);
	distance_finish(&d, sim->cl);
	clx_free(sim->cl, &in);
	test_free(nearest);
	test_free(seeds);
	fixture_free(&s);
}

static struct cell_field current;

static const struct cell_field *one_body(const struct grid *g)
{
	current = body_field(g, &off_centre, false);
	return &current;
}

/* Many small bodies, some of them overlapping. */
static const struct cell_field *many_bodies(const struct grid *g)
{
	uint64_t random = 3;
	struct solid_body bodies[12];
	for (int n = 0; n < 12; n++) {
		for (int a = 0; a < 3; a++)
			bodies[n].middle[a] = fixture_random(&random);
		bodies[n].radius = fixture_between(&random, 0.03, 0.12);
	}
	current = field_make(g);
	FOR_CELLS(g, i, j, k, at)
	{
		double x[3], least = 1e9;
		centre_of(g, i, j, k, x);
		for (int n = 0; n < 12; n++)
			least = fmin(least, distance_to(&bodies[n], x));
		current.phi[at] = (float)least;
	}
	return &current;
}

static void test_flood(void **state)
{
	(void)state;
	const int cells = DIM == 2 ? 128 : 32;
	check_flood(cells, one_body, "one body", 0.25);
	field_free(&current);
	/* Where bodies far apart are equally near, a lost seed costs more. */
	check_flood(cells, many_bodies, "twelve bodies", 0.5);
	field_free(&current);
}

/* ---- special fields ----------------------------------------------------------------------- */

/* Planes along the axes at any place within a cell: exact to rounding, by both ways. */
static void test_planes(void **state)
{
	(void)state;
	struct fixture s = make(DIM == 2 ? 32 : 12);
	const struct grid *g = &s.sim->lattice.grid;
	for (int axis = 0; axis < DIM; axis++)
		for (int part = 0; part < 5; part++) {
			struct cell_field f = field_make(g);
			const double place = (5.5 + (part + 0.01) / 5.0) * (double)g->h;
			FOR_CELLS(g, i, j, k, at)
			{
				double x[3];
				centre_of(g, i, j, k, x);
				f.exact[at] = place - x[axis];
				f.phi[at] = (float)(2.0 * f.exact[at]);
			}
			for (int method = SWEEP; method <= FLOOD; method++) {
				float *got = run(s.sim, f.phi, (enum way)method);
				struct errors e = compare(g, &f, got);
				assert_true(e.far < 1e-4);
				test_free(got);
			}
			field_free(&f);
		}
	fixture_free(&s);
}

/* A tilted plane, away from the walls that it leaves the box through: sweeping is first order, but
 * along a plane it is exact. */
static void test_tilted(void **state)
{
	(void)state;
	static const double normals[][3] = {
		{0.6, 0.8, 0.0}, {-0.8, 0.6, 0.0}, {0.28, 0.96, 0.0}, {0.48, 0.6, 0.64}};
	const int count = DIM == 2 ? 3 : 4;
	struct fixture s = make(DIM == 2 ? 64 : 24);
	const struct grid *g = &s.sim->lattice.grid;
	for (int n = 0; n < count; n++) {
		struct cell_field f = field_make(g);
		FOR_CELLS(g, i, j, k, at)
		{
			double x[3];
			centre_of(g, i, j, k, x);
			for (int a = 0; a < DIM; a++)
				f.exact[at] += normals[n][a] * (x[a] - 0.5013);
			f.phi[at] = (float)f.exact[at];
		}
		for (int method = SWEEP; method <= FLOOD; method++) {
			float *got = run(s.sim, f.phi, (enum way)method);
			FOR_CELLS(g, i, j, k, at)
			{
				double x[3];
				bool inner = true;
				centre_of(g, i, j, k, x);
				/* The foot of the cell lies in the box. */
				for (int a = 0; a < DIM; a++) {
					double foot = x[a] - f.exact[at] * normals[n][a];
					inner &= foot > 0.12 && foot < 0.88;
				}
				if (!inner)
					continue;
				double error = fabs((double)got[at] - f.exact[at]) / (double)g->h;
				if (error > (method == SWEEP ? 0.03 : 0.002))
					fail_msg("normal %d, method %d: %.4f cells off", n, method,
						 error);
			}
			test_free(got);
		}
		field_free(&f);
	}
	fixture_free(&s);
}

/* No surface: all far, with the sign of phi. */
static void test_no_surface(void **state)
{
	(void)state;
	struct fixture s = make(16);
	const struct grid *g = &s.sim->lattice.grid;
	for (int inside = 0; inside < 2; inside++)
		for (int method = SWEEP; method <= FLOOD; method++) {
			struct cell_field f = field_make(g);
			FOR_CELLS(g, i, j, k, at)
			f.phi[at] = inside ? -0.01f : 0.0f;
			float *got = run(s.sim, f.phi, (enum way)method);
			const float far = g->size_x + g->size_y + g->size_z;
			FOR_CELLS(g, i, j, k, at)
			assert_true(got[at] == (inside ? -far : far));
			test_free(got);
			field_free(&f);
		}
	fixture_free(&s);
}

/* Random values of either sign, of all magnitudes and zeros: finite, signs kept, and no further
 * from the surface than the nearest cell of the other sign. */
static void test_noise(void **state)
{
	(void)state;
	uint64_t random = 8;
	struct fixture s = make(DIM == 2 ? 24 : 10);
	const struct grid *g = &s.sim->lattice.grid;
	struct cell_field f = field_make(g);
	FOR_CELLS(g, i, j, k, at)
	{
		double size = pow(10.0, fixture_between(&random, -12.0, 3.0));
		f.phi[at] = (float)(fixture_random(&random) < 0.5 ? -size : size);
		if (fixture_random(&random) < 0.1)
			f.phi[at] = 0.0f;
	}
	for (int method = SWEEP; method <= FLOOD; method++) {
		float *got = run(s.sim, f.phi, (enum way)method);
		FOR_CELLS(g, i, j, k, at)
		{
			assert_true(isfinite(got[at]));
			assert_true((f.phi[at] < 0.0f) ? got[at] <= 0.0f : got[at] >= 0.0f);
			if (beside_surface(g, f.phi, i, j, k))
				assert_true(fabsf(got[at]) <= 1.0001f * g->h);
		}
		test_free(got);
	}
	field_free(&f);
	fixture_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bodies), cmocka_unit_test(test_growth),
		cmocka_unit_test(test_flood),  cmocka_unit_test(test_planes),
		cmocka_unit_test(test_tilted), cmocka_unit_test(test_no_surface),
		cmocka_unit_test(test_noise),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
