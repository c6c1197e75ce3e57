/*
 * `method: grid`, whole runs: the sum of C in every substep, tanks at rest, a standing wave, a dam
 * that breaks.  2D and 3D.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_fixture.h"

#define G 9.81
#define PI 3.14159265358979

/* ---- what every substep must keep --------------------------------------------------------- */

struct watch {
	double units;	     /* at the start */
	double changed;	     /* substeps after which they were others */
	double excess, lack; /* the most, in units */
	double clipped;
	double start, energy; /* at the start; the greatest */
};

static double energy_of(const struct sim *sim)
{
	return sim->stats.report.kinetic_energy + sim->stats.report.potential_energy;
}

static struct watch begin(const struct sim *sim)
{
	const double energy = energy_of(sim);
	return (struct watch){.units = sim->stats.own[0], .start = energy, .energy = energy};
}

static void watch_substep(struct sim *sim, void *user)
{
	struct watch *w = user;
	w->changed += fabs(sim->stats.own[0] - w->units) > 0.0;
	w->excess = fmax(w->excess, sim->stats.own[2]);
	w->lack = fmax(w->lack, sim->stats.own[3]);
	w->clipped += sim->stats.own[4];
	w->energy = fmax(w->energy, energy_of(sim));
}

static double recount(struct sim *sim)
{
	int32_t *units = fixture_read(sim, &sim->vof.volume);
	int64_t sum = 0;
	for (i32 at = 0; at < sim->lattice.grid.lattice; at++)
		sum += units[at];
	free(units);
	return (double)sum;
}

static void expect_kept(const struct watch *w)
{
	expect_small("substeps with another sum of C", w->changed, 0.0);
	expect_small("C - 1 at most, in 2^-10", w->excess / (1 << 20), 1.0);
	expect_small("-C at most, in 2^-10", w->lack / (1 << 20), 0.0);
	expect_small("outflows cut", w->clipped, 0.0);
}

/* ---- at rest ------------------------------------------------------------------------------ */

/* The surface at a height of so many cells: anywhere in a cell, on a row, a little off it. */
static void rest_at(double cells)
{
	struct sim *sim =
		DIM == 2 ? fixture_sim("method: grid\ndomain: {size: [1, 1], cells: 32}\n"
				       "time: {fps: 10, frames: 100}\n"
				       "liquids: [{box: {min: [0, 0], max: [1, %.9g]}}]\n",
				       cells / 32)
			 : fixture_sim("method: grid\n"
				       "domain: {size: [0.5, 1, 0.25], cells: [8, 16, 4]}\n"
				       "time: {fps: 10, frames: 100}\n"
				       "liquids: [{box: {min: [0, 0, 0], max: [1, %.9g, 1]}}]\n",
				       cells / 16);
	struct watch w = begin(sim);
	fixture_note("surface at %g cells", cells);
	fixture_run(sim, fixture_pick(1.0, 2.0), watch_substep, &w);
	expect_kept(&w);
	expect_small("max |u|", sim->stats.report.max_speed, DIM == 2 ? 1e-5 : 2e-5);
	f32 *pressure = fixture_read(sim, &sim->pressure);
	const double h = (double)sim->lattice.grid.h;
	const double floor = (double)pressure[lattice_at(&sim->lattice.grid, 3, 0, 0)];
	expect_small("pressure at the floor, in rho g h", floor / (1000.0 * G * h) - (cells - 0.5),
		     0.2);
	free(pressure);
	fixture_free(sim);
}

static void at_rest(void)
{
	const double heights[] = {8.0, 8.0001, 8.3, 8.97};
	for (size_t i = 0; i < sizeof(heights) / sizeof(heights[0]); i++)
		rest_at(heights[i]);
}

/* ---- a dam -------------------------------------------------------------------------------- */

static void dam(void)
{
	struct sim *sim =
		DIM == 2 ? fixture_sim("method: grid\ndomain: {size: [2, 1.25], cells: 64}\n"
				       "time: {fps: 24, frames: 100}\n"
				       "liquids: [{box: {min: [0, 0], max: [0.5, 0.8]}}]\n")
			 : fixture_sim(
				   "method: grid\n"
				   "domain: {size: [1, 0.75, 0.5], cells: [16, 12, 8]}\n"
				   "time: {fps: 24, frames: 100}\n"
				   "liquids: [{box: {min: [0, 0, 0], max: [0.3, 0.5, 0.25]}}]\n");
	struct watch w = begin(sim);
	fixture_run(sim, DIM == 2 ? fixture_pick(0.75, 2.0) : 0.5, watch_substep, &w);
	expect_kept(&w);
	expect_small("sum of C on the host less that on the device", recount(sim) - w.units, 0.0);
	expect("greatest energy / at the start", w.energy / w.start, 1.0, DIM == 2 ? 1.01 : 1.03);
	fixture_free(sim);
}

/* A box full of liquid, stirred: it moves, and no cell loses or gains more than rounding. */
static void full_box(void)
{
	struct sim *sim =
		DIM == 2 ? fixture_sim("method: grid\ndomain: {size: [1, 1], cells: 16}\n"
				       "time: {fps: 10, frames: 100}\n"
				       "liquids: [{box: {min: [0, 0], max: [1, 1]},"
				       " angular_velocity: 2}]\n")
			 : fixture_sim("method: grid\ndomain: {size: [1, 1, 1], cells: 8}\n"
				       "time: {fps: 10, frames: 100}\n"
				       "liquids: [{box: {min: [0, 0, 0], max: [1, 1, 1]},"
				       " angular_velocity: [0, 0, 2]}]\n");
	struct watch first = begin(sim), w = first;
	fixture_step(sim);
	watch_substep(sim, &first);
	expect("its greatest speed, m/s", sim->stats.report.max_speed, 0.5, 2.0);
	fixture_step(sim);
	watch_substep(sim, &first);
	expect_small("substeps with another sum of C, of the first two", first.changed, 0.0);
	fixture_note("from the third substep on");
	fixture_run(sim, 1.0, watch_substep, &w);
	expect_kept(&w);
	expect("its greatest speed at the end, m/s", sim->stats.report.max_speed, 0.1, 2.0);
	expect("cells with liquid", sim->stats.report.liquid_cells, DIM == 2 ? 256 : 512,
	       DIM == 2 ? 256 : 512);
	fixture_free(sim);
}

#if DIM == 2
/* ---- a standing wave ---------------------------------------------------------------------- */

/* k H = pi, amplitude 0.025 of the wavelength. */
#define AMPLITUDE 0.025

static struct sim *make_wave(int n)
{
	char points[4096] = "[0, -1], [1, -1]";
	size_t used = 16;
	for (int i = 64; i >= 0; i--)
		used += (size_t)snprintf(points + used, sizeof(points) - used, ", [%.6f, %.6f]",
					 i / 64.0, 0.5 + AMPLITUDE * cos(2.0 * PI * i / 64.0));
	return fixture_sim("method: grid\ndomain: {size: [1, 1], cells: %d}\n"
			   "time: {fps: 120, frames: 10000}\n"
			   "liquids: [{polygon: {points: [%s]}}]\n",
			   n, points);
}

/* Amplitude of cos(2 pi x) in the sums of C over columns. */
static double amplitude_of(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	int32_t *units = fixture_read(sim, &sim->vof.volume);
	double sum = 0.0;
	for (i32 i = 0; i < g->nx; i++)
		for (i32 j = 0; j < g->ny; j++)
			sum += 2.0 / g->nx * cos(2.0 * PI * (i + 0.5) / g->nx) *
			       units[lattice_at(g, i, j, 0)] / VOLUME_ONE * (double)g->h;
	free(units);
	return sum;
}

struct wave {
	struct watch kept;
	double last, last_time, crossings, first, latest, peak, last_peak;
};

static void watch_wave(struct sim *sim, void *user)
{
	struct wave *w = user;
	const double amplitude = amplitude_of(sim), time = sim->time;
	watch_substep(sim, &w->kept);
	if (w->last * amplitude < 0.0) {
		const double at =
			w->last_time + (time - w->last_time) * w->last / (w->last - amplitude);
		w->first = w->crossings > 0.0 ? w->first : at;
		w->latest = at;
		w->crossings++;
		w->last_peak = w->peak;
		w->peak = 0.0;
	}
	w->peak = fmax(w->peak, fabs(amplitude));
	w->last = amplitude;
	w->last_time = time;
}

static void measure_wave(int n, double period_bar, double least)
{
	const double k = 2.0 * PI, steep = 1.0 + pow(k * AMPLITUDE, 2.0) / 8.0;
	const double exact = steep * 2.0 * PI / sqrt(G * k * tanh(k * 0.5));
	struct sim *sim = make_wave(n);
	struct wave w = {.kept = begin(sim), .last = amplitude_of(sim)};
	fixture_run(sim, ceil(120.0 * exact * 4.3) / 120.0, watch_wave, &w);
	const double period = 2.0 * (w.latest - w.first) / (w.crossings - 1.0);
	fixture_note("N = %d: %d substeps", n, (int)sim->steps);
	expect_kept(&w.kept);
	expect("crossings of 0", w.crossings, 9.0, 9.0);
	expect_small("period / theory - 1", period / exact - 1.0, period_bar);
	expect("amplitude after 4 periods", w.last_peak / AMPLITUDE, least, 1.05);
	expect("greatest energy / at the start", w.kept.energy / w.kept.start, 1.0, 1.005);
	fixture_free(sim);
}

static void standing_wave(void)
{
	measure_wave(32, 0.02, 0.85);
	if (fixture_full())
		measure_wave(64, 0.01, 0.90);
}

/* ---- the front of a dam ------------------------------------------------------------------- */

/* Martin & Moyce 1952, table 2: a column of width a = 2.25 in, 2 a high; T = t sqrt(2 g / a), Z = x
 * / a (validation/data/martin_moyce_2_front.csv). */
static const double measured[][2] = {
	{0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89}, {1.83, 2.11},
	{1.98, 2.33}, {2.2, 2.56},  {2.32, 2.78}, {2.51, 3.0},	{2.65, 3.22},
	{2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89},
};
#define MEASURED (sizeof(measured) / sizeof(measured[0]))
#define WIDTH 0.05715
#define FRONT_MOST 2000

struct front {
	struct watch kept;
	double t[FRONT_MOST], z[FRONT_MOST];
	size_t count;
};

/* The farthest column that holds half a cell of liquid. */
static void watch_front(struct sim *sim, void *user)
{
	struct front *f = user;
	const struct grid *g = &sim->lattice.grid;
	int32_t *units = fixture_read(sim, &sim->vof.volume);
	double z = 0.0;
	for (i32 i = 0; i < g->nx; i++) {
		double sum = 0.0;
		for (i32 j = 0; j < g->ny; j++)
			sum += units[lattice_at(g, i, j, 0)] / (double)VOLUME_ONE;
		z = sum >= 0.5 ? (i + 1) * (double)g->h / WIDTH : z;
	}
	free(units);
	watch_substep(sim, &f->kept);
	if (f->count < FRONT_MOST) {
		f->t[f->count] = sim->time * sqrt(2.0 * G / WIDTH);
		f->z[f->count++] = z;
	}
}

static double front_at(const struct front *f, double t)
{
	size_t n = 1;
	while (n + 1 < f->count && f->t[n] < t)
		n++;
	return f->z[n - 1] + (f->z[n] - f->z[n - 1]) * (t - f->t[n - 1]) / (f->t[n] - f->t[n - 1]);
}

/* Experiments begin when a film is gone, so that a shift of T is allowed. */
static void martin_moyce(void)
{
	const int n = fixture_full() ? 32 : 16;
	static struct front f;
	struct sim *sim = fixture_sim("method: grid\n"
				      "domain: {size: [0.28575, 0.17145], cells: %d}\n"
				      "time: {fps: 280, frames: 1000}\n"
				      "liquids: [{box: {min: [0, 0], max: [0.05715, 0.1143]}}]\n",
				      5 * n);
	f = (struct front){.kept = begin(sim)};
	fixture_run(sim, 52.0 / 280.0, watch_front, &f);
	double least = 1.0, shift = 0.0;
	for (int s = -30; s <= 30; s++) {
		double sum = 0.0;
		for (size_t i = 0; i < MEASURED; i++)
			sum += pow(front_at(&f, measured[i][0] + 0.01 * s) / measured[i][1] - 1.0,
				   2.0);
		if (sqrt(sum / MEASURED) < least) {
			least = sqrt(sum / MEASURED);
			shift = 0.01 * s;
		}
	}
	fixture_note("a = %d cells, shifted by T = %.2f", n, shift);
	expect_kept(&f.kept);
	expect_small("rms of the front", least, 0.10);
	expect("its speed, T 1.5 to 2.8", (front_at(&f, 2.8) - front_at(&f, 1.5)) / 1.3, 1.19,
	       1.74);
	expect("greatest energy / at the start", f.kept.energy / f.kept.start, 1.0, 1.01);
	fixture_free(sim);
}

/* Through open walls liquid leaves, and is counted to the unit. */
static double left, balance, before;

static void watch_outflow(struct sim *sim, void *user)
{
	(void)user;
	balance += fabs(sim->stats.own[0] + sim->stats.own[1] - before) > 0.0;
	left += sim->stats.own[1];
	before = sim->stats.own[0];
}

static void open_wall(void)
{
	struct sim *sim = fixture_sim("method: grid\n"
				      "domain: {size: [1, 1], cells: 24, walls: {x+: open}}\n"
				      "time: {fps: 24, frames: 100}\n"
				      "liquids: [{box: {min: [0, 0], max: [0.5, 0.6]}}]\n");
	const double start = before = sim->stats.own[0];
	left = balance = 0.0;
	fixture_run(sim, 1.0, watch_outflow, NULL);
	expect_small("substeps that do not add up", balance, 0.0);
	expect("share that has left", left / start, 0.2, 0.9);
	expect_small("imbalances", sim->stats.imbalances, 0.0);
	fixture_free(sim);
}
#endif

int main(int argc, char **argv)
{
	const struct fixture_case cases[] = {
		CASE(at_rest),
		CASE(dam),
		CASE(full_box),
#if DIM == 2
		CASE(standing_wave),
		CASE(martin_moyce),
		CASE(open_wall),
#endif
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
