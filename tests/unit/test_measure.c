/* The measurement operators on inputs whose answers are known exactly.  (Columns and points, with a
 * whole simulation around them: test_tables.c.) */
#include <math.h>

#include "measure.h"
#include "output_support.h"
#include "series.h"

#define H 0.125

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

/* ---- the front -------------------------------------------------------------------------- */

/* A layer `depth` deep on n^2 particles per cell (4), from 0 to `reach`, and one drop beyond. */
static void check_front(int nz)
{
	const struct grid grid = {.nx = 16, .ny = 8, .nz = nz, .h = (f32)H};
	static f32 x[4096];
	static u32 id[4096]; /* 0, 1, 2, ... */
	size_t count = 0;
	double front, farthest;
	/* 10 full columns of 4 per cell, 2 cells high; then half a cell; then a quarter of one. */
	for (int i = 0; i < 12; i++)
		for (int n = 0; n < (i < 10 ? 8 : i == 10 ? 2 : 1) * nz; n++) {
			x[count] = (f32)((i + 0.25 + 0.5 * (n & 1)) * H);
			id[count] = (u32)count;
			count++;
		}
	x[count] = (f32)(15.5 * H);
	id[count++] = 4000;
	CHECK(measure_front(&grid, H, 4, 0.5 * H, x, id, count, &front, &farthest));
	CHECK(near(front, 11 * H, 0.0));
	CHECK(near(farthest, 15.5 * H, 0.0));
	CHECK(measure_front(&grid, H, 4, 0.25 * H, x, id, count, &front, NULL));
	/* In a box one cell wide the drop is a layer of that depth too. */
	CHECK(near(front, nz == 1 ? 16 * H : 12 * H, 0.0));
	CHECK(measure_front(&grid, H, 4, 1.5 * H, x, id, count, &front, NULL));
	CHECK(near(front, 10 * H, 0.0));
	CHECK(measure_front(&grid, H, 4, 2.5 * H, x, id, count, &front, NULL));
	CHECK(near(front, 0.0, 0.0)); /* nowhere so deep */
	id[count - 1] = ID_REMOVED;
	CHECK(measure_front(&grid, H, 4, 0.25 * H, x, id, count, &front, &farthest));
	CHECK(near(front, 12 * H, 0.0));
	/* The last column has one particle per cell across: only the first place if that is one. */
	CHECK(near(farthest, (nz > 1 ? 11.75 : 11.25) * H, 0.0));
	CHECK(measure_front(&grid, H, 4, 0.5 * H, x, id, 0, &front, &farthest));
	CHECK(near(front, 0.0, 0.0) && near(farthest, 0.0, 0.0));
	/* On the box's far wall: still its last cell. */
	x[0] = (f32)(16 * H);
	x[1] = (f32)(16 * H);
	CHECK(measure_front(&grid, H, 4, 0.5 * H, x, (u32[]){0, 1}, 2, &front, NULL));
	CHECK(near(front, nz == 1 ? 16 * H : 0.0, 0.0));
}

/* ---- waves ------------------------------------------------------------------------------ */

#define SAMPLES 400

static void check_wave(double omega, double decay, double phase, double guess)
{
	double t[SAMPLES], y[SAMPLES];
	struct series_wave wave;
	for (int n = 0; n < SAMPLES; n++) {
		/* Uneven times, not from 0. */
		t[n] = 0.3 + (n + 0.3 * sin(n)) * 0.02;
		const double since = t[n] - t[0];
		y[n] = exp(-decay * since) * (3.0 - 2.0 * cos(2.0 * omega * since + phase));
	}
	const struct series s = {t, y, SAMPLES};
	CHECK(series_fit_wave(s, guess, true, &wave));
	CHECK(near(wave.frequency, 2.0 * omega, 1e-6));
	CHECK(near(wave.decay, decay, 1e-6));
	CHECK(near(wave.a, 3.0, 1e-5));
	CHECK(near(hypot(wave.b, wave.c), 2.0, 1e-5));
	CHECK(wave.rms < 1e-5);
	if (!(decay > 0.0)) {
		CHECK(series_fit_wave(s, guess, false, &wave));
		CHECK(near(wave.frequency, 2.0 * omega, 1e-6));
		CHECK(near(wave.decay, 0.0, 0.0));
	}
}

static void test_waves(void)
{
	struct series_wave wave;
	const double two[2] = {0.0, 1.0};
	check_wave(1.76915, 0.0, 0.0, 3.6);
	check_wave(1.76915, 0.05, 0.4, 3.2);
	check_wave(7.85, 0.3, 2.0, 17.0);
	/* Viscosity: E = E0 exp(-4 nu k^2 t), so nu comes back from s. */
	check_wave(7.85, 4.0 * 1e-3 * 39.478, 0.0, 15.0);
	CHECK(!series_fit_wave((struct series){two, two, 2}, 3.0, true, &wave));
	/* Another frequency than the one looked for. */
	double t[SAMPLES], y[SAMPLES];
	for (int n = 0; n < SAMPLES; n++) {
		t[n] = 0.02 * n;
		y[n] = cos(9.0 * t[n]);
	}
	CHECK(!series_fit_wave((struct series){t, y, SAMPLES}, 4.0, false, &wave));
}

/* ---- lines and tables ------------------------------------------------------------------- */

static void test_series(void)
{
	double t[101], y[101], late[101], rising[101], shift;
	for (int n = 0; n <= 100; n++) {
		t[n] = 0.1 * n;
		y[n] = 2.0 + 0.5 * t[n];
		late[n] = 2.0 + 0.5 * (t[n] - 0.225);
		rising[n] = n < 40 ? 0.0 : t[n] - 3.9;
	}
	const struct series s = {t, y, 101};
	CHECK(near(series_at(s, 3.25), 3.625, 1e-12));
	CHECK(near(series_at(s, -1.0), 2.0, 0.0) && near(series_at(s, 11.0), 7.0, 1e-12));
	CHECK(isnan(series_at((struct series){t, y, 0}, 1.0)));
	CHECK(near(series_slope(s), 0.5, 1e-12));
	CHECK(near(series_slope_between(s, 1.43, 3.33, 50), 0.5, 1e-12));
	CHECK(isnan(series_slope((struct series){t, y, 1})));

	const double table_t[3] = {2.0, 4.0, 6.0}, table_y[3] = {3.3, 4.4, 5.5};
	const struct series table = {table_t, table_y, 3};
	/* Series: 3, 4, 5: off by 1/11 each; by 0.3, 0.4, 0.5. */
	CHECK(near(series_rms(s, table, 0.0, true), 1.0 / 11.0, 1e-12));
	CHECK(near(series_rms(s, table, 0.0, false), sqrt((0.09 + 0.16 + 0.25) / 3.0), 1e-12));
	CHECK(near(series_mean_deviation(s, table), 0.4, 1e-12));
	const double exact_y[3] = {3.0, 4.0, 5.0};
	const struct series exact = {table_t, exact_y, 3};
	CHECK(near(series_rms_shifted((struct series){t, late, 101}, exact, 0.3, true, &shift), 0.0,
		   1e-9));
	CHECK(near(shift, 0.225, 1e-9));

	const struct series rise = {t, rising, 101};
	CHECK(near(series_arrival(rise, 0.05), 3.95, 1e-9));
	CHECK(near(series_arrival(rise, 0.0), 0.0, 0.0));
	CHECK(isnan(series_arrival(rise, 7.0)));
}

int main(void)
{
	if (!start_scratch())
		return 1;
	check_front(1);
	check_front(4);
	test_waves();
	test_series();
	return end_tests();
}
