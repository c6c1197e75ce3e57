/*
 * Waves, turning liquid, and what the time step may change.  2D.
 * Bars: cases.md (standing wave, dt halved, rotating disc; BL-035, BL-041, BL-047).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_fixture.h"

#define G 9.81
#define PI 3.14159265358979

/* ---- standing wave ---------------------------------------------------------------------- */

/* One wavelength in a box of one metre, depth half of it: k H = pi, y = 1/2 + a cos(2 pi x). */
#define AMPLITUDE 0.04
#define PERIODS 10

static struct sim *make_wave(int n, double dt, const char *transfer, double ratio)
{
	char points[4096] = "[0, -1], [1, -1]";
	size_t used = 16;
	for (int i = 64; i >= 0; i--)
		used += (size_t)snprintf(points + used, sizeof(points) - used, ", [%.6f, %.6f]",
					 i / 64.0, 0.5 + AMPLITUDE * cos(2.0 * PI * i / 64.0));
	return fixture_sim("domain: {size: [1, 1], cells: %d}\n"
			   "time: {fps: 120, frames: 10000, dt: %.17g}\n"
			   "liquid: {transfer: %s, flip_ratio: %g}\n"
			   "liquids: [{polygon: {points: [%s]}}]\n",
			   n, dt, transfer, ratio, points);
}

/* Amplitude of cos(2 pi x) in the heights where phi rises through 0. */
static double wave_amplitude(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	f32 *phi = fixture_read(sim, &sim->phi);
	double sum = 0.0;
	for (i32 i = 0; i < g->nx; i++)
		for (i32 j = 0; j + 1 < g->ny; j++) {
			const double low = (double)phi[lattice_at(g, i, j, 0)];
			const double high = (double)phi[lattice_at(g, i, j + 1, 0)];
			if (low < 0.0 && high >= 0.0)
				sum += 2.0 / g->nx * cos(2.0 * PI * (i + 0.5) / g->nx) *
				       (j + 0.5 + low / (low - high)) * (double)g->h;
		}
	free(phi);
	return sum;
}

struct wave {
	double last, last_time;		 /* phi is that of the beginning of a substep */
	double crossings, first, latest; /* falls and rises through 0 */
	double peak, peaks[2 * PERIODS + 2];
};

static void watch_wave(struct sim *sim, void *user)
{
	struct wave *w = user;
	const double amplitude = wave_amplitude(sim), time = sim->time - sim->stats.dt;
	if (w->last * amplitude < 0.0) {
		const double at =
			w->last_time + (time - w->last_time) * w->last / (w->last - amplitude);
		if (w->crossings == 0.0)
			w->first = at;
		if (w->crossings < 2 * PERIODS + 2)
			w->peaks[(int)w->crossings] = w->peak;
		w->latest = at;
		w->crossings++;
		w->peak = 0.0;
	}
	w->peak = fmax(w->peak, fabs(amplitude));
	w->last = amplitude;
	w->last_time = time;
}

/* Minus the slope of log(peak), per period, by least squares; peaks are half a period apart. */
static double fit_decay(const double *peaks, int count)
{
	double t = 0.0, y = 0.0, tt = 0.0, ty = 0.0;
	for (int n = 0; n < count; n++) {
		t += 0.5 * n;
		y += log(peaks[n]);
		tt += 0.25 * n * n;
		ty += 0.5 * n * log(peaks[n]);
	}
	return -(count * ty - t * y) / (count * tt - t * t);
}

/* Periods against theory: omega^2 = g k tanh(k H), and 1 + (k a)^2 / 8 for a standing wave of
 * finite height in deep water (Rayleigh 1915; Penney & Price 1952).  Returns the decay rate per
 * period. */
static double measure_wave(int n, double dt, const char *transfer, double ratio, int periods)
{
	const double k = 2.0 * PI, steep = 1.0 + pow(k * AMPLITUDE, 2.0) / 8.0;
	const double exact = steep * 2.0 * PI / sqrt(G * k * tanh(k * 0.5));
	struct sim *sim = make_wave(n, dt, transfer, ratio);
	struct wave w = {.last = wave_amplitude(sim)};
	fixture_run(sim, ceil(120.0 * exact * (periods + 0.05)) / 120.0, watch_wave, &w);
	const double period = 2.0 * (w.latest - w.first) / (w.crossings - 1.0);
	const double decay = fit_decay(w.peaks, 2 * periods);
	fixture_note("N = %d, dt = 1/%.0f s, %s, ratio %g: amplitude %.3g, decays by exp(-%.3g) "
		     "per period",
		     n, 1.0 / dt, transfer, ratio, w.peaks[2 * periods - 1] / AMPLITUDE, decay);
	expect("crossings of 0", w.crossings, 2.0 * periods, 2.0 * periods);
	expect_small("period / theory - 1", period / exact - 1.0, 0.02);
	fixture_free(sim);
	return decay;
}

/* The decay is small: it takes ten periods to measure it. */
static void standing_wave(void)
{
	if (!fixture_full()) {
		measure_wave(32, 1.0 / 240.0, "flip", 0.97, 2);
		return;
	}
	const double coarse = measure_wave(32, 1.0 / 120.0, "flip", 0.97, PERIODS);
	const double fine = measure_wave(32, 1.0 / 240.0, "flip", 0.97, PERIODS);
	const double finest = measure_wave(32, 1.0 / 480.0, "flip", 0.97, PERIODS);
	expect_small("decay at 1/120 s / at 1/240 s - 1", coarse / fine - 1.0, 0.15);
	expect_small("decay at 1/240 s / at 1/480 s - 1", fine / finest - 1.0, 0.15);
	measure_wave(32, 1.0 / 240.0, "apic", 1.0, PERIODS);
	measure_wave(64, 1.0 / 240.0, "flip", 0.97, PERIODS);
}

/* ---- dt and the frame rate -------------------------------------------------------------- */

#define DAM "liquids: [{jitter: 0, box: {min: [0, 0], max: [0.25, 0.5]}}]\n"

static struct sim *make_dam(int n, double fps, double dt, const char *transfer, double ratio)
{
	return fixture_sim("domain: {size: [1, 1], cells: %d}\n"
			   "time: {fps: %g, frames: 10000, dt: %.17g}\n"
			   "liquid: {transfer: %s, flip_ratio: %g}\n%s",
			   n, fps, dt, transfer, ratio, DAM);
}

static double front_of(struct sim *sim)
{
	struct cloud cloud = cloud_read(sim);
	double front = 0.0;
	for (u32 p = 0; p < cloud.count; p++)
		front = fmax(front, (double)cloud.x[0][p]);
	cloud_free(&cloud);
	return front;
}

static double energy_of(const struct sim *sim)
{
	return sim->stats.report.kinetic_energy + sim->stats.report.potential_energy;
}

/* BL-047 and cases.md: fronts at 0.3 s, energies at 1 s. */
static void bl_047_time_step(void)
{
	static const double rates[4] = {60.0, 120.0, 240.0, 480.0};
	double front[4], energy[4], least = 1e9, most = 0.0;
	for (int r = 0; r < 4; r++) {
		struct sim *sim = make_dam(64, 60.0, 1.0 / rates[r], "flip", 0.97);
		/* At rest the pool is 0.125 m deep: a quarter of the column's potential energy. */
		const double rest = 0.25 * energy_of(sim);
		fixture_run(sim, 0.3, NULL, NULL);
		front[r] = front_of(sim);
		fixture_run(sim, 1.0, NULL, NULL);
		energy[r] = energy_of(sim);
		fixture_note("dt = 1/%g s: front %.4f m at 0.3 s; energy above rest %.3f J at 1 s",
			     rates[r], front[r], energy[r] - rest);
		fixture_free(sim);
		if (r < 3) {
			least = fmin(least, front[r]);
			most = fmax(most, front[r]);
		}
	}
	expect_small("fronts at 1/60, 1/120, 1/240 s: spread, h", (most - least) * 64, 2.0);
	expect("least front, m", least, 0.82, 0.96);
	expect("greatest front, m", most, 0.82, 0.96);
	for (int r = 1; r < 3; r++) {
		expect_small("front: change when dt halves, h", (front[r + 1] - front[r]) * 64,
			     1.0);
		expect_small("energy: change when dt halves", energy[r + 1] / energy[r] - 1.0, 0.1);
	}
}

/* BL-047: the output rate changes nothing at equal dt. */
static void bl_047_frame_rate(void)
{
	struct sim *slow = make_dam(64, 24.0, 1.0 / 240.0, "flip", 0.97);
	struct sim *fast = make_dam(64, 60.0, 1.0 / 240.0, "flip", 0.97);
	fixture_run(slow, 0.5, NULL, NULL);
	fixture_run(fast, 0.5, NULL, NULL);
	struct cloud a = cloud_read(slow), b = cloud_read(fast);
	double worst = 0.0;
	for (int axis = 0; axis < 2; axis++)
		for (u32 p = 0; p < a.count; p++)
			worst = fmax(worst, fabs((double)a.x[axis][p] - (double)b.x[axis][p]));
	fixture_note("largest distance of a particle: %.3g m", worst);
	expect_small("centre of mass, x, m", cloud_mean(&a, a.x[0]) - cloud_mean(&b, b.x[0]), 1e-3);
	expect_small("centre of mass, y, m", cloud_mean(&a, a.x[1]) - cloud_mean(&b, b.x[1]), 1e-3);
	expect_small("energy / energy - 1", energy_of(slow) / energy_of(fast) - 1.0, 1e-3);
	cloud_free(&a);
	cloud_free(&b);
	fixture_free(slow);
	fixture_free(fast);
}

static void watch_speed(struct sim *sim, void *user)
{
	double *most = user;
	*most = fmax(*most, sim->stats.report.max_speed);
}

/* BL-041: a finer grid at the same dt is no more violent. */
static void bl_041_resolution(void)
{
	for (int n = 32; n <= (fixture_full() ? 128 : 64); n *= 2) {
		struct sim *sim = make_dam(n, 60.0, 1.0 / 60.0, "flip", 0.97);
		double most = 0.0;
		char what[64];
		fixture_run(sim, fixture_pick(1.0, 2.0), watch_speed, &most);
		snprintf(what, sizeof(what), "N = %d: greatest speed, m/s", n);
		expect(what, most, 1.0, 3.0 * sqrt(2.0 * G * 0.5));
		fixture_free(sim);
	}
}

/* BL-035: the ends of the blend differ; 1 is FLIP (docs/scene.md, liquid). */
static void bl_035_ends_of_the_blend(void)
{
	double above[2];
	u64 hash[2];
	for (int end = 0; end < 2; end++) {
		struct sim *sim = make_dam(64, 60.0, 1.0 / 240.0, "flip", end);
		const double rest = 0.25 * energy_of(sim);
		fixture_run(sim, fixture_pick(1.5, 3.0), NULL, NULL);
		above[end] = energy_of(sim) - rest;
		hash[end] = sim->stats.hash;
		fixture_free(sim);
	}
	fixture_note("energy above rest: PIC %.3g J, FLIP %.3g J", above[0], above[1]);
	expect("FLIP / PIC", above[1] / above[0], 1.2, 1e6);
	expect("outputs differ", hash[0] != hash[1], 1.0, 1.0);
}

/* ---- rotation --------------------------------------------------------------------------- */

static double angular_momentum(struct sim *sim)
{
	struct cloud cloud = cloud_read(sim);
	double sum = 0.0;
	for (u32 p = 0; p < cloud.count; p++)
		sum += ((double)cloud.x[0][p] - 0.5) * (double)cloud.v[1][p] -
		       ((double)cloud.x[1][p] - 0.5) * (double)cloud.v[0][p];
	cloud_free(&cloud);
	return sum;
}

/* A round container full of liquid, 32 cells per radius, turns once in a second at 960 substeps
 * per turn.  Splitting alone leaves (1 + Omega^2 t dt)^-1/2 of the angular momentum. */
static void check_disc(const char *transfer, double ratio, double turns)
{
	const double omega = 2.0 * PI, dt = 1.0 / 960.0;
	struct sim *sim = fixture_sim(
		"domain: {size: [1, 1], cells: 72}\ntime: {fps: 60, frames: 1000, dt: %.17g}\n"
		"gravity: [0, 0]\nliquid: {transfer: %s, flip_ratio: %g}\n"
		"solids: [{sphere: {center: [0.5, 0.5], radius: %.17g}, invert: true}]\n"
		"liquids: [{box: {min: [0, 0], max: [1, 1]}, angular_velocity: %.17g}]\n",
		dt, transfer, ratio, 32.0 / 72.0, omega);
	const double start = angular_momentum(sim);
	fixture_run(sim, turns, NULL, NULL);
	const double splitting = 1.0 / sqrt(1.0 + omega * omega * turns * dt);
	fixture_note("%s, ratio %g, %g turn(s); splitting alone keeps %.4f", transfer, ratio, turns,
		     splitting);
	expect("angular momentum kept", angular_momentum(sim) / start, splitting - 0.015,
	       1.0 + 1e-3);
	expect_small("escaped", sim->stats.report.escaped, 0.0);
	fixture_free(sim);
}

static void rotating_disc(void)
{
	const double turns = fixture_pick(0.25, 1.0);
	check_disc("flip", 0.97, turns);
	check_disc("apic", 1.0, turns);
	if (fixture_full())
		check_disc("flip", 1.0, turns);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(standing_wave),	 CASE(bl_047_time_step),	 CASE(bl_047_frame_rate),
		CASE(bl_041_resolution), CASE(bl_035_ends_of_the_blend), CASE(rotating_disc),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
