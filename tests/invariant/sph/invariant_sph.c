/*
 * `method: sph`, whole runs: tanks at rest, a dam that breaks, by both solvers, in 2D and 3D.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_fixture.h"

#define G 9.81

static double energy_of(const struct sim *sim)
{
	return sim->stats.report.kinetic_energy + sim->stats.report.potential_energy;
}

struct watch {
	double start, energy;		 /* at the start; the greatest */
	double excess, densest, counted; /* from `from` on: sum, greatest; substeps */
	double substeps;
	double iterations, most, shift_most; /* sum; the most; of the shift */
	double slope, slopes, rough;	     /* of the pressure, from `from` on; sum of squares */
	double from, height;
};

static struct watch begin(const struct sim *sim, double from, double height)
{
	const double energy = energy_of(sim);
	return (struct watch){.start = energy, .energy = energy, .from = from, .height = height};
}

/* Slope of the pressures of particles against rho g depth, and how far they are from that. */
static void watch_pressure(struct sim *sim, struct watch *w)
{
	const struct particles *p = &sim->particles;
	f32 *pressure = fixture_read(sim, &p->now.pressure);
	f32 *x = fixture_read(sim, &p->now.position);
	double both = 0.0, squares = 0.0, off = 0.0, n = 0.0;
	for (u32 i = 0; i < p->count; i++) {
		const double y = (double)x[p->capacity + i];
		const double exact = 1000.0 * G * (w->height - y);
		both += (double)pressure[i] * exact;
		squares += exact * exact;
		if (y < 0.8 * w->height) {
			off += pow((double)pressure[i] - exact, 2.0);
			n++;
		}
	}
	w->slope += both / squares;
	w->rough += off / n / pow(1000.0 * G * w->height, 2.0);
	w->slopes++;
	free(pressure);
	free(x);
}

static void watch_substep(struct sim *sim, void *user)
{
	struct watch *w = user;
	w->energy = fmax(w->energy, energy_of(sim));
	w->substeps++;
	if (sim->time >= w->from) {
		w->excess += sim->stats.own[0];
		w->densest = fmax(w->densest, sim->stats.own[1]);
		w->counted++;
	}
	w->iterations += sim->stats.pressure_iterations;
	w->most = fmax(w->most, sim->stats.pressure_iterations);
	w->shift_most = fmax(w->shift_most, sim->stats.own[4]);
	if (w->height > 0.0 && sim->time >= w->from)
		watch_pressure(sim, w);
}

static double top_of(const struct cloud *c)
{
	double top = 0.0;
	for (u32 i = 0; i < c->count; i++)
		top = fmax(top, (double)c->x[1][i]);
	return top;
}

/* ---- at rest ------------------------------------------------------------------------------ */

static struct sim *make_tank(const char *keys, int deep)
{
	return DIM == 2 ? fixture_sim("method: sph\n%s"
				      "domain: {size: [1, 1], cells: %d}\n"
				      "time: {fps: 20, frames: 1000}\n"
				      "liquids: [{box: {min: [0, 0], max: [1, 0.5]}}]\n",
				      keys, 2 * deep)
			: fixture_sim("method: sph\n%s"
				      "domain: {size: [0.25, 1, 0.25], cells: [%d, %d, %d]}\n"
				      "time: {fps: 20, frames: 1000}\n"
				      "liquids: [{box: {min: [0, 0, 0], max: [1, 0.5, 1]}}]\n",
				      keys, deep / 2, 2 * deep, deep / 2);
}

static void rest_with(const char *keys, double jitter)
{
	const int deep = DIM == 2 ? 16 : 12;
	struct sim *sim = make_tank(keys, deep);
	struct watch w = begin(sim, 0.25, 0.5);
	fixture_note("%d deep, jitter %g", deep, jitter);
	fixture_run(sim, fixture_pick(1.0, 4.0), watch_substep, &w);
	struct cloud c = cloud_read(sim);
	const double rough = sqrt(w.rough / w.slopes);
	printf("    %.1f iterations, %g at most\n", w.iterations / w.substeps, w.most);
	expect("slope of the pressure, rho g", w.slope / w.slopes, 0.97, 1.05);
	expect_small("pressure off, rms, of rho g H", rough, 0.10);
	expect_small("mean excess of density", w.excess / w.counted, 1e-3);
	expect_small("greatest excess of density", w.densest, 0.01);
	expect_small("surface, in spacings", (top_of(&c) + 0.25 / deep - 0.5) * 2.0 * deep,
		     jitter > 0.0 ? 2.0 : 0.5);
	expect_small("rms of v, m/s", cloud_vrms(&c), DIM == 2 ? 0.06 : 0.08);
	expect("particles", c.count, sim->ledger.seeded, sim->ledger.seeded);
	cloud_free(&c);
	fixture_free(sim);
}

static void at_rest(void)
{
	rest_with("solver: {tolerance: 0.01}\n", 0.0);
	rest_with("solver: {tolerance: 0.01}\nliquid: {jitter: 0.3}\n", 0.3);
}

/* By an equation of state: sound goes to and fro; its mean is right. */
static void at_rest_wcsph(void)
{
	struct sim *sim =
		make_tank("sph: {solver: wcsph, artificial_viscosity: 0.05}\n", DIM == 2 ? 16 : 8);
	struct watch w = begin(sim, fixture_pick(0.5, 1.0), 0.5);
	fixture_run(sim, fixture_pick(1.0, 2.0), watch_substep, &w);
	expect("slope of the mean pressure, rho g", w.slope / w.slopes, 0.9, 1.1);
	expect_small("mean excess of density", w.excess / w.counted, 0.01);
	expect("greatest energy / at the start", w.energy / w.start, 1.0, 1.01);
	fixture_free(sim);
}

/* ---- a dam -------------------------------------------------------------------------------- */

/* Martin & Moyce 1952, table 2: a column of width a = 2.25 in, 2 a high; T = t sqrt(2 g / a), Z = x
 * / a (validation/data/martin_moyce_2_front.csv). */
static const double measured[][2] = {
	{0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89}, {1.83, 2.11},
	{1.98, 2.33}, {2.2, 2.56},  {2.32, 2.78}, {2.51, 3.0},	{2.65, 3.22},
	{2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89},
};
#define MEASURED (sizeof(measured) / sizeof(measured[0]))
#define WIDTH 0.05715
#define FRONT_MOST 4000

struct front {
	struct watch kept;
	double t[FRONT_MOST], z[FRONT_MOST];
	size_t count;
};

static void watch_front(struct sim *sim, void *user)
{
	struct front *f = user;
	struct cloud c = cloud_read(sim);
	double z = 0.0;
	for (u32 i = 0; i < c.count; i++)
		z = fmax(z, (double)c.x[0][i] + 0.5 * sim->sph.spacing);
	cloud_free(&c);
	watch_substep(sim, &f->kept);
	if (f->count < FRONT_MOST) {
		f->t[f->count] = sim->time * sqrt(2.0 * G / WIDTH);
		f->z[f->count++] = z / WIDTH;
	}
}

static double front_at(const struct front *f, double t)
{
	for (size_t i = 1; i < f->count; i++)
		if (f->t[i] >= t)
			return f->z[i - 1] + (f->z[i] - f->z[i - 1]) * (t - f->t[i - 1]) /
						     (f->t[i] - f->t[i - 1]);
	return f->count ? f->z[f->count - 1] : 0.0;
}

/* Relative, of the front, with T shifted. */
static double front_error(const struct front *f, double shift)
{
	double sum = 0.0;
	for (size_t i = 0; i < MEASURED; i++)
		sum += pow(front_at(f, measured[i][0] + shift) / measured[i][1] - 1.0, 2.0);
	return sqrt(sum / MEASURED);
}

static void dam_with(const char *keys, int across, bool projects)
{
	static struct front f;
	struct sim *sim =
		DIM == 2 ? fixture_sim("method: sph\n%s"
				       "domain: {size: [%.9g, %.9g], cells: %d}\n"
				       "time: {fps: 200, frames: 1000}\n"
				       "liquids: [{box: {min: [0, 0], max: [%.9g, %.9g]}}]\n",
				       keys, 5.0 * WIDTH, 3.0 * WIDTH, 5 * across, WIDTH,
				       2.0 * WIDTH)
			 : fixture_sim("method: sph\n%s"
				       "domain: {size: [%.9g, %.9g, %.9g], cells: [%d, %d, %d]}\n"
				       "time: {fps: 200, frames: 1000}\n"
				       "liquids: [{box: {min: [0, 0, 0], max: [%.9g, %.9g, 1]}}]\n",
				       keys, 5.0 * WIDTH, 3.0 * WIDTH, WIDTH / 2.0, 5 * across,
				       3 * across, across / 2, WIDTH, 2.0 * WIDTH);
	f = (struct front){.kept = begin(sim, 0.0, 0.0)};
	fixture_note("%d spacings across%s", across, projects ? "" : ", by an equation of state");
	fixture_run(sim, ceil(3.15 / sqrt(2.0 * G / WIDTH) * 200.0) / 200.0, watch_front, &f);
	double best = 1e9, at = 0.0;
	for (double shift = -0.3; shift <= 0.3; shift += 0.01)
		if (front_error(&f, -shift) < best) {
			best = front_error(&f, -shift);
			at = shift;
		}
	const struct watch *w = &f.kept;
	printf("    shift %.2f; %.1f iterations, %g at most; %g substeps\n", at,
	       w->iterations / w->substeps, w->most, w->substeps);
	expect_small("front, rms", best, 0.10);
	expect("its speed", (front_at(&f, 3.1) - front_at(&f, 1.6)) / 1.5, 1.19, 1.74);
	expect_small("mean excess of density", w->excess / w->counted, projects ? 0.003 : 0.01);
	expect_small("greatest excess of density", w->densest, 0.05);
	expect("greatest energy / at the start", w->energy / w->start, 0.99, 1.01);
	if (projects) {
		expect("iterations, mean", w->iterations / w->substeps, 1.0, 30.0);
		expect_small("iterations of the shift", w->shift_most, 5.0);
	}
	fixture_free(sim);
}

static void dam(void)
{
	dam_with("", DIM == 2 ? 16 : 8, true);
	if (fixture_full())
		dam_with("", DIM == 2 ? 32 : 12, true);
}

static void dam_wcsph(void)
{
	dam_with("sph: {solver: wcsph}\n", DIM == 2 ? 16 : 6, false);
}

/* A drop that flies far from frame to frame leaves no liquid behind on the grid. */
static void no_ghosts(void)
{
	struct sim *sim = fixture_sim(
		"method: sph\ndomain: {size: %s, cells: %d}\ngravity: %s\n"
		"time: {frames: 3, fps: 24}\n"
		"liquids: [{sphere: {center: %s, radius: 0.1}, velocity: %s}]\n",
		DIM == 2 ? "[1, 1]" : "[0.5, 1, 0.5]", DIM == 2 ? 96 : 24,
		DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[0.5, 0.8]" : "[0.25, 0.8, 0.25]",
		DIM == 2 ? "[0, -5]" : "[0, -5, 0]");
	const double cells = sim->particles.count;
	for (int frame = 1; frame <= 3; frame++) {
		fixture_run(sim, frame / 24.0, NULL, NULL);
		unsigned char *type = fixture_read(sim, &sim->cell_type);
		double liquid = 0.0;
		for (i32 at = 0; at < sim->lattice.grid.lattice; at++)
			liquid += type[at] == CELL_LIQUID;
		/* What a brick keeps of the drop of the frame before would be a quarter more. */
		expect("cells of liquid, of particles", liquid / cells, 0.85, 1.1);
		free(type);
	}
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	const struct fixture_case cases[] = {CASE(at_rest), CASE(at_rest_wcsph), CASE(dam),
					     CASE(dam_wcsph), CASE(no_ghosts)};
	return FIXTURE_MAIN(argc, argv, cases);
}
