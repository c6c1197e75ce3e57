/*
 * host/stages/grid/vof.c on a device, with velocities that are given: the sum of C to the unit, its
 * bounds, full liquid, and published tests of transport.
 *
 * Bars: errors of the prototype in double precision times 1.5 at most, and not above what public
 * codes give (Roenby et al. 2016, isoAdvector; Rider & Kothe 1998; LeVeque 1996).
 */
#include "stage_fixture.h"

#include <math.h>

#include "grid/vof.h"

#define PI 3.14159265358979323846
#define ONE ((double)VOLUME_ONE)

/* ---- fields ------------------------------------------------------------------------------- */

static struct fixture make_box(int cells)
{
	return DIM == 2 ? fixture_make("method: grid\ndomain: {size: [1, 1], cells: %d}\n", cells)
			: fixture_make("method: grid\ndomain: {size: [1, 1, 1], cells: %d}\n",
				       cells);
}

static int32_t *read_volume(struct sim *sim)
{
	return fixture_read(&sim->vof.volume, sim->vof.volume.bytes);
}

static void write_volume(struct sim *sim, const int32_t *units)
{
	fixture_write(&sim->vof.volume, units, sim->vof.volume.bytes);
}

static int64_t sum_of(const struct sim *sim, const int32_t *units)
{
	int64_t sum = 0;
	for (i32 at = 0; at < sim->lattice.grid.lattice; at++)
		sum += units[at];
	return sum;
}

static void move(struct sim *sim, double dt)
{
	sim->dt = dt;
	sim->dt_f = (f32)dt;
	assert_true(
		clx_copy(sim->cl, &sim->vof.volume, 0, &sim->vof.before, 0, sim->vof.volume.bytes));
	assert_true(vof_move(sim));
	sim->steps++;
}

/* ---- whatever the velocity ---------------------------------------------------------------- */

/* No velocity, with divergence or without, makes or loses a unit.  (Slow: C of 2 is out of range.)
 */
static void test_sum(void **state)
{
	(void)state;
	struct fixture f = make_box(19);
	struct sim *sim = f.sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	uint64_t random = 7;
	int32_t *units = test_calloc(lattice, sizeof(*units));
	float *u = test_calloc(DIM * lattice, sizeof(*u));
	FOR_CELLS(g, i, j, k, at)
	units[at] = (int32_t)(fixture_random(&random) < 0.5 ? (fixture_random(&random) < 0.5) * ONE
							    : ONE * fixture_random(&random));
	write_volume(sim, units);
	const int64_t before = sum_of(sim, units);
	test_free(units);
	for (int step = 0; step < 20; step++) {
		for (size_t n = 0; n < DIM * lattice; n++)
			u[n] = (float)fixture_between(&random, -0.02, 0.02);
		fixture_write(&sim->u_face, u, DIM * lattice * sizeof(*u));
		move(sim, 1.0 / g->nx);
		units = read_volume(sim);
		assert_true(sum_of(sim, units) == before);
		test_free(units);
	}
	test_free(u);
	fixture_free(&f);
}

#if DIM == 2
/* ---- flows from a stream function --------------------------------------------------------- */

struct flow {
	double (*stream)(double x, double y, double t); /* u = d/dy, v = -d/dx */
	double speed, end;				/* greatest component, m/s; s */
};

static double turn_stream(double x, double y, double t)
{
	(void)t;
	return -PI * ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5));
}

#define VORTEX_PERIOD 8.0
static double vortex_stream(double x, double y, double t)
{
	const double s = sin(PI * x) * sin(PI * y);
	return -cos(PI * t / VORTEX_PERIOD) / PI * s * s;
}

static bool in_disc(double x, double y)
{
	return hypot(x - 0.5, y - 0.75) < 0.15;
}

static bool in_slotted_disc(double x, double y)
{
	return in_disc(x, y) && !(fabs(x - 0.5) < 0.025 && y < 0.85);
}

/* By 32 x 32 points a cell. */
static void fill(struct sim *sim, bool (*inside)(double x, double y), int32_t *units)
{
	const struct grid *g = &sim->lattice.grid;
	FOR_CELLS(g, i, j, k, at)
	{
		int count = 0;
		for (int n = 0; n < 32 * 32; n++)
			count += inside((i + (n % 32 + 0.5) / 32) / g->nx,
					(j + (n / 32 + 0.5) / 32) / g->ny);
		units[at] = count << 20;
	}
	write_volume(sim, units);
}

/* At the faces, exactly without divergence on the grid but for rounding. */
static void set_flow(struct sim *sim, const struct flow *flow, double t, float *u)
{
	const struct grid *g = &sim->lattice.grid;
	const double n = g->nx;
	for (int j = 0; j <= g->ny; j++)
		for (int i = 0; i <= g->nx; i++) {
			const size_t at = fixture_at(g, i, j, 0);
			const double here = flow->stream(i / n, j / n, t);
			u[at] = (float)(n * (flow->stream(i / n, (j + 1) / n, t) - here));
			u[(size_t)g->lattice + at] =
				(float)(-n * (flow->stream((i + 1) / n, j / n, t) - here));
		}
	fixture_write(&sim->u_face, u, DIM * (size_t)g->lattice * sizeof(*u));
}

/* The integral of the error where all should be as it was. */
static double carry(int cells, const struct flow *flow, bool (*inside)(double x, double y))
{
	struct fixture f = make_box(cells);
	struct sim *sim = f.sim;
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	int32_t *start = test_calloc(lattice, sizeof(*start));
	float *u = test_calloc(DIM * lattice, sizeof(*u));
	const int steps = (int)ceil(flow->end * flow->speed * cells / 0.5);
	const double dt = flow->end / steps;
	double error = 0.0;
	fill(sim, inside, start);
	for (int step = 0; step < steps; step++) {
		set_flow(sim, flow, (step + 0.5) * dt, u);
		move(sim, dt);
	}
	int32_t *end = read_volume(sim);
	for (size_t at = 0; at < lattice; at++) {
		error += fabs((end[at] - start[at]) / ONE) / (cells * (double)cells);
		assert_in_range((u32)(end[at] + 4), 0, VOLUME_ONE + 4096);
	}
	assert_true(sum_of(sim, start) == sum_of(sim, end));
	print_message("%d cells, %d steps: E1 = %.5f\n", cells, steps, error);
	test_free(start);
	test_free(end);
	test_free(u);
	fixture_free(&f);
	return error;
}

static void test_zalesak(void **state)
{
	(void)state;
	const struct flow turn = {turn_stream, PI, 1.0};
	const double coarse = carry(64, &turn, in_slotted_disc);
	const double fine = carry(128, &turn, in_slotted_disc);
	assert_true(coarse <= 0.0045 && fine <= 0.0016);
	assert_true(log2(coarse / fine) >= 1.1);
}

static void test_vortex(void **state)
{
	(void)state;
	const struct flow vortex = {vortex_stream, 1.0, VORTEX_PERIOD};
	assert_true(carry(32, &vortex, in_disc) <= 0.065);
	assert_true(carry(64, &vortex, in_disc) <= 0.016);
	assert_true(carry(128, &vortex, in_disc) <= 0.0026);
}

/* Between walls, stirred: what is full stays full, to rounding of what faces sweep. */
static void test_full(void **state)
{
	(void)state;
	const struct flow vortex = {vortex_stream, 1.0, VORTEX_PERIOD};
	struct fixture f = make_box(24);
	struct sim *sim = f.sim;
	const struct grid *g = &sim->lattice.grid;
	int32_t *units = test_calloc((size_t)g->lattice, sizeof(*units));
	float *u = test_calloc(DIM * (size_t)g->lattice, sizeof(*u));
	FOR_CELLS(g, i, j, k, at)
	units[at] = VOLUME_ONE;
	write_volume(sim, units);
	test_free(units);
	for (int step = 0; step < 100; step++) {
		set_flow(sim, &vortex, 0.0, u);
		move(sim, 0.4 / 24);
	}
	units = read_volume(sim);
	FOR_CELLS(g, i, j, k, at)
	assert_in_range((u32)(units[at] - VOLUME_ONE + 100 * 256), 0, 2 * 100 * 256);
	test_free(units);
	test_free(u);
	fixture_free(&f);
}
#else
/* ---- LeVeque's deformation ---------------------------------------------------------------- */

/* Columns of a ball, in each cell by 24 x 24 chords. */
static double ball_part(double x, double y, double low, double high)
{
	const double square = 0.15 * 0.15 - (x - 0.35) * (x - 0.35) - (y - 0.35) * (y - 0.35);
	const double half = square > 0.0 ? sqrt(square) : 0.0;
	const double part = fmin(high, 0.35 + half) - fmax(low, 0.35 - half);
	return part > 0.0 ? part : 0.0;
}

static void set_deformation(struct sim *sim, double factor, float *u)
{
	const struct grid *g = &sim->lattice.grid;
	const double n = g->nx;
	for (int k = 0; k <= g->nz; k++)
		for (int j = 0; j <= g->ny; j++)
			for (int i = 0; i <= g->nx; i++) {
				const int c[3] = {i, j, k};
				for (int a = 0; a < 3; a++) {
					double x[3], value = a == 0 ? 2.0 : -1.0;
					for (int b = 0; b < 3; b++)
						x[b] = (c[b] + (b == a ? 0.0 : 0.5)) / n;
					for (int b = 0; b < 3; b++)
						value *= b == a ? sin(PI * x[b]) * sin(PI * x[b])
								: sin(2.0 * PI * x[b]);
					u[(size_t)(a * g->lattice) + fixture_at(g, i, j, k)] =
						(float)(factor * value);
				}
			}
	fixture_write(&sim->u_face, u, 3 * (size_t)g->lattice * sizeof(*u));
}

static double deform(int cells)
{
	struct fixture f = make_box(cells);
	struct sim *sim = f.sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	const double h = 1.0 / cells;
	const int steps = (int)ceil(3.0 * 2.0 * cells / 0.5), chords = 24;
	int32_t *start = test_calloc(lattice, sizeof(*start));
	float *u = test_calloc(3 * lattice, sizeof(*u));
	FOR_CELLS(g, i, j, k, at)
	{
		double part = 0.0;
		for (int n = 0; n < chords * chords; n++)
			part += ball_part((i + (n % chords + 0.5) / chords) * h,
					  (j + (n / chords + 0.5) / chords) * h, k * h,
					  (k + 1) * h);
		start[at] = (int32_t)(part / h / (chords * chords) * ONE);
	}
	write_volume(sim, start);
	for (int step = 0; step < steps; step++) {
		set_deformation(sim, cos(PI * (step + 0.5) / steps), u);
		move(sim, 3.0 / steps);
	}
	int32_t *end = read_volume(sim);
	double error = 0.0;
	for (size_t at = 0; at < lattice; at++) {
		error += fabs((end[at] - start[at]) / ONE) * h * h * h;
		assert_in_range((u32)(end[at] + 4), 0, VOLUME_ONE + 4096);
	}
	assert_true(sum_of(sim, start) == sum_of(sim, end));
	print_message("%d cells, %d steps: E1 = %.5f\n", cells, steps, error);
	test_free(start);
	test_free(end);
	test_free(u);
	fixture_free(&f);
	return error;
}

static void test_deformation(void **state)
{
	(void)state;
	assert_true(deform(32) <= 0.0085);
	if (fixture_full())
		assert_true(deform(64) <= 0.0030);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sum),
#if DIM == 2
		cmocka_unit_test(test_zalesak),
		cmocka_unit_test(test_vortex),
		cmocka_unit_test(test_full),
#else
		cmocka_unit_test(test_deformation),
#endif
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
