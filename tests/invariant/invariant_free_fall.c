/*
 * Liquid in flight: nothing but gravity may act.  With drift off each particle follows the path of
 * the scheme itself, x0 + v0 t - g t (t + dt) / 2 (symplectic Euler), whatever its neighbours do.
 * Bars: cases.md (free fall; BL-037, BL-046).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

#define G 9.81
#define FPS 240
#define DT (1.0 / FPS)

#if DIM == 2
#define N 64
#define BOX "domain: {size: [1, 1], cells: 64}\ngravity: [0, -9.81]\n"
#define DISC "sphere: {center: [0.42, 0.6], radius: 0.15}, velocity: [0.5, 1.0]"
#define SEEDS "box: {min: [0, 0], max: [1, 0.1]}"
#else
#define N 24
#define BOX "domain: {size: [1, 1, 1], cells: 24}\ngravity: [0, -9.81, 0]\n"
#define DISC "sphere: {center: [0.42, 0.6, 0.5], radius: 0.15}, velocity: [0.5, 1.0, -0.4]"
#define SEEDS "box: {min: [0, 0, 0], max: [1, 0.05, 1]}"
#endif
#define H (1.0 / N)

static struct sim *make(const char *liquid, const char *transfer, double flip_ratio,
			const char *drift)
{
	return fixture_sim("%stime: {fps: %d, frames: 1000, dt: %.17g}\n"
			   "liquid: {transfer: %s, flip_ratio: %g}\nsolver: {drift: %s}\n"
			   "liquids: [{%s}]\n",
			   BOX, FPS, DT, transfer, flip_ratio, drift, liquid);
}

/* Where the scheme puts a particle at time t. */
static double path(const struct cloud *start, int a, u32 p, double t, double dt)
{
	double x = (double)start->x[a][p] + (double)start->v[a][p] * t;
	return a == 1 ? x - 0.5 * G * t * (t + dt) : x;
}

struct flight {
	double path;  /* worst distance from the path, cells */
	double speed; /* worst distance from v0 - g t, m/s */
	double kick;  /* worst change of velocity beyond that of gravity, in one substep, m/s */
};

/* Flies the particles of `start` for `steps` substeps. */
static struct flight fly(struct sim *sim, const struct cloud *start, int steps)
{
	struct flight worst = {0};
	struct cloud before = cloud_read(sim);
	for (int step = 1; step <= steps; step++) {
		fixture_step(sim);
		struct cloud now = cloud_read(sim);
		const double t = step * DT;
		for (u32 p = 0; p < now.count; p++) {
			double off = 0.0, kick = 0.0, speed = 0.0;
			for (int a = 0; a < DIM; a++) {
				const double fall = a == 1 ? -G : 0.0;
				off += pow((double)now.x[a][p] - path(start, a, p, t, DT), 2.0);
				kick += pow((double)now.v[a][p] - (double)before.v[a][p] -
						    fall * DT,
					    2.0);
				speed +=
					pow((double)now.v[a][p] - (double)start->v[a][p] - fall * t,
					    2.0);
			}
			worst.path = fmax(worst.path, sqrt(off) / H);
			worst.kick = fmax(worst.kick, sqrt(kick));
			worst.speed = fmax(worst.speed, sqrt(speed));
		}
		cloud_free(&before);
		before = now;
	}
	cloud_free(&before);
	return worst;
}

enum places {
	TOGETHER, /* by random in one cell */
	APART,	  /* by random, 5 cells apart */
	EXACT,	  /* 5 cells apart on nodes, centres of faces and edges, centres of cells */
};

/* Replaces the particles by `count` of velocity (0.6, 1.1, -0.7) m/s, in the cell whose lower
 * corner is at 0.4 of the box or to the right of it. */
static struct cloud start_few(struct sim *sim, u32 count, enum places places, u64 *random)
{
	static const double velocity[3] = {0.6, 1.1, -0.7};
	struct cloud cloud = cloud_make(DIM, count, sim->scene->transfer == TRANSFER_APIC);
	for (u32 p = 0; p < count; p++)
		for (int a = 0; a < DIM; a++) {
			double cell =
				floor(0.4 * N) + (places == TOGETHER || a != 0 ? 0.0 : 5.0 * p);
			double part = places == EXACT ? 0.5 * (p >> a & 1) : fixture_random(random);
			cloud.x[a][p] = (f32)((cell + part) * H);
			cloud.v[a][p] = (f32)velocity[a];
		}
	cloud_write(sim, &cloud);
	return cloud;
}

/* A quarter of a second: 0.31 m down, everything still in flight. */
#define FLIGHT_STEPS 60

static void check_few(u32 count, enum places places, const char *transfer, double ratio, int tries)
{
	struct flight worst = {0};
	u64 random = count;
	for (int n = 0; n < tries; n++) {
		struct sim *sim = make(SEEDS, transfer, ratio, "none");
		struct cloud start = start_few(sim, count, places, &random);
		struct flight flight = fly(sim, &start, FLIGHT_STEPS);
		worst.path = fmax(worst.path, flight.path);
		worst.kick = fmax(worst.kick, flight.kick);
		cloud_free(&start);
		fixture_free(sim);
	}
	fixture_note("%u particle(s), %s, ratio %g", count, transfer, ratio);
	expect_small("distance from the path, h", worst.path, 1e-3);
	expect_small("kick beyond gravity in a substep / (g dt)", worst.kick / (G * DT), 1.0);
}

static void single_particles(void)
{
	const u32 count = DIM == 2 ? 5 : 2;
	const int tries = (int)fixture_pick(1, 5);
	check_few(count, APART, "flip", 0.97, tries);
	check_few(count, APART, "flip", 1.0, tries);
	check_few(count, APART, "pic", 0.97, tries);
	check_few(count, APART, "apic", 0.97, tries);
}

/* BL-077: weights that are exactly 0, particles alone in their cells. */
static void exact_places(void)
{
	check_few(DIM == 2 ? 4 : 2, EXACT, "flip", 0.97, 1);
	check_few(DIM == 2 ? 4 : 2, EXACT, "apic", 0.97, 1);
}

static void crowded_cells(void)
{
	const int tries = (int)fixture_pick(2, 8);
	check_few(2, TOGETHER, "flip", 0.97, tries);
	check_few(8, TOGETHER, "flip", 0.97, tries);
	check_few(8, TOGETHER, "flip", 1.0, 1);
	check_few(8, TOGETHER, "apic", 0.97, 1);
}

/* Drift may spread eight particles of one cell, but not throw them. */
static void crowded_cell_with_drift(void)
{
	struct sim *sim = make(SEEDS, "flip", 0.97, "position");
	u64 random = 5;
	struct cloud start = start_few(sim, 8, TOGETHER, &random);
	struct flight worst = fly(sim, &start, FLIGHT_STEPS);
	expect_small("distance from the path, h", worst.path, 0.5);
	expect_small("kick beyond gravity in a substep / (g dt)", worst.kick / (G * DT), 1.0);
	cloud_free(&start);
	fixture_free(sim);
}

static void check_disc(const char *transfer, double ratio)
{
	struct sim *sim = make(DISC, transfer, ratio, "none");
	struct cloud start = cloud_read(sim);
	struct flight worst = fly(sim, &start, FLIGHT_STEPS);
	fixture_note("disc, %s, ratio %g", transfer, ratio);
	expect_small("distance from the path, h", worst.path, 1e-3);
	expect_small("kick beyond gravity in a substep / (g dt)", worst.kick / (G * DT), 1.0);
	cloud_free(&start);
	fixture_free(sim);
}

static void falling_disc(void)
{
	check_disc("flip", 0.97);
	check_disc("flip", 1.0);
	check_disc("apic", 0.97);
	check_disc("pic", 0.97);
}

/* ---- the band around the liquid --------------------------------------------------------- */

/* Distance in cells from a face to the nearest liquid cell, as the largest of the axes. */
static i32 distance_to_liquid(const struct grid *g, const unsigned char *type, int c, i32 i, i32 j,
			      i32 k, i32 most)
{
	for (i32 n = 0; n <= most; n++)
		for (i32 z = DIM == 3 ? -n : 0; z <= (DIM == 3 ? n : 0); z++)
			for (i32 y = -n; y <= n; y++)
				for (i32 x = -n; x <= n; x++)
					/* A face lies between two cells. */
					for (i32 low = -1; low <= 0; low++) {
						const i32 at[3] = {i + x + (c == 0 ? low : 0),
								   j + y + (c == 1 ? low : 0),
								   k + z + (c == 2 ? low : 0)};
						if (has_cell(g, at[0], at[1], at[2]) &&
						    type[lattice_at(g, at[0], at[1], at[2])] ==
							    CELL_LIQUID)
							return n;
					}
	return most + 1;
}

/* One substep of a disc, or of one particle, that sets out with `speed` times a velocity. */
static void check_band(const char *time, int cfl, bool lone, double speed)
{
	static const double direction[3] = {0.5, 1.0, -0.4};
	struct sim *sim = fixture_sim("%stime: {fps: %d, %s}\nliquids: [{%s}]\n", BOX, FPS, time,
				      lone ? SEEDS : DISC);
	struct cloud cloud = cloud_read(sim);
	if (lone)
		cloud.count = 1;
	for (int a = 0; a < DIM; a++) {
		for (u32 p = 0; p < cloud.count; p++)
			cloud.v[a][p] = (f32)(speed * direction[a]);
		if (lone)
			cloud.x[a][0] = (f32)(0.5 + 0.37 * H);
	}
	cloud_write(sim, &cloud);
	cloud_free(&cloud);
	fixture_step(sim);

	const struct grid *g = &sim->lattice.grid;
	f32 *u = fixture_read(sim, &sim->u_face);
	unsigned char *type = fixture_read(sim, &sim->cell_type);
	const i32 band = cfl + 1;
	double worst[16] = {0};
	for (int c = 0; c < DIM; c++)
		for (i32 k = 0; k < g->pz; k++)
			for (i32 j = 0; j < g->py; j++)
				for (i32 i = 0; i < g->px; i++) {
					if (!has_face(g, c, i, j, k))
						continue;
					const i32 n = distance_to_liquid(g, type, c, i, j, k, band);
					const double due = (double)(f32)(speed * direction[c]) -
							   (c == 1 ? G * sim->dt : 0.0);
					const size_t slot = (size_t)c * (size_t)g->lattice +
							    lattice_at(g, i, j, k);
					worst[n] = fmax(worst[n], fabs((double)u[slot] - due));
				}
	fixture_note("%s of %g m/s, %s, dt %.3g s", lone ? "one particle" : "disc", speed, time,
		     sim->dt);
	/* At rest u is g dt alone; else rounding is relative to the speed. */
	const double scale = speed > 0.0 ? speed : G * sim->dt;
	for (i32 n = 0; n <= band; n++) {
		char what[64];
		snprintf(what, sizeof(what), "%d cells away: relative error of u", n);
		expect_small(what, worst[n] / scale, 1e-5);
	}
	free(u);
	free(type);
	fixture_free(sim);
}

static void band_in_free_fall(void)
{
	check_band("cfl: 1", 1, false, 0.0);
	check_band("cfl: 1", 1, false, 2.0);
	check_band("cfl: 1", 1, true, 2.0);
	check_band("cfl: 2", 2, false, 2.0);
	check_band("cfl: 4", 4, false, 2.0);
	check_band("dt: 0.004", 2, false, 2.0);
}

/* ---- cases.md --------------------------------------------------------------------------- */

/* BL-037: uniform motion without gravity; a block of a quarter of the box moves by half a box. */
static void check_uniform(const char *transfer, const char *drift)
{
	static const double velocity[3] = {1.0, 0.5, 0.25};
	const int steps = FPS / 2;
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: %d}\n"
			    "time: {fps: %d, dt: %.17g}\ngravity: %s\n"
			    "liquid: {transfer: %s, flip_ratio: 1, jitter: 0}\n"
			    "solver: {drift: %s}\nliquids: [{%s}]\n",
			    DIM == 2 ? "[1, 1]" : "[1, 1, 1]", N, FPS, DT,
			    DIM == 2 ? "[0, 0]" : "[0, 0, 0]", transfer, drift,
			    DIM == 2 ? "box: {min: [0.125, 0.25], max: [0.375, 0.5]}, "
				       "velocity: [1, 0.5]"
				     : "box: {min: [0.125, 0.25, 0.25], "
				       "max: [0.375, 0.5, 0.5]}, velocity: [1, 0.5, 0.25]");
	struct cloud start = cloud_read(sim);
	for (int step = 0; step < steps; step++)
		fixture_step(sim);
	struct cloud end = cloud_read(sim);
	double sum = 0.0, speed = 0.0;
	for (int a = 0; a < DIM; a++)
		for (u32 p = 0; p < end.count; p++) {
			const double off = (double)end.x[a][p] - (double)start.x[a][p] -
					   velocity[a] * steps * DT;
			sum += off * off;
			speed = fmax(speed, fabs((double)end.v[a][p] - velocity[a]));
		}
	fixture_note("uniform motion, %s, drift %s", transfer, drift);
	expect_small("error of the displacement, rms, h", sqrt(sum / end.count) / H, 0.01);
	expect_small("change of velocity, m/s", speed, 1e-4);
	cloud_free(&start);
	cloud_free(&end);
	fixture_free(sim);
}

static void bl_037_uniform_motion(void)
{
	check_uniform("flip", "position");
	check_uniform("pic", "position");
	check_uniform("apic", "position");
	check_uniform("flip", "none");
}

/* BL-046: lone particles of random velocity fall, each on its own path, and come to lie on the
 * floor.  A particle is followed until it comes near a wall or another one. */
static void bl_046_lone_particles(void)
{
	enum { COUNT = 20 };
	struct sim *sim = make(SEEDS, "flip", 0.97, "position");
	struct cloud start = cloud_make(DIM, COUNT, false);
	bool met[COUNT] = {false};
	u64 random = 46;
	for (u32 p = 0; p < COUNT; p++)
		for (int a = 0; a < DIM; a++) {
			/* 5 columns, 4 rows: at least 4 cells apart. */
			const double place = a == 0   ? 0.1 + 0.2 * (p % 5)
					     : a == 1 ? 0.3 + 0.2 * (p / 5)
						      : 0.5;
			start.x[a][p] = (f32)(place + H * (fixture_random(&random) - 0.5));
			start.v[a][p] = (f32)((6.0 * fixture_random(&random) - 3.0) / sqrt(DIM));
		}
	cloud_write(sim, &start);
	double worst = 0.0, lowest = 0.0;
	int followed = 0;
	for (int step = 1; step <= 3 * FPS; step++) {
		fixture_step(sim);
		if (step > FPS)
			continue; /* all have landed */
		struct cloud now = cloud_read(sim);
		for (u32 p = 0; p < COUNT; p++)
			for (u32 q = 0; q < COUNT; q++) {
				bool near = p != q, wall = false;
				for (int a = 0; a < DIM; a++) {
					const double x = (double)now.x[a][p] / H;
					near &= fabs(x - (double)now.x[a][q] / H) < 3.0;
					wall |= x < 2.0 || x > N - 2.0;
				}
				met[p] |= near || wall;
			}
		for (u32 p = 0; p < COUNT; p++)
			for (int a = 0; a < DIM && !met[p]; a++, followed++)
				worst = fmax(worst, fabs((double)now.x[a][p] -
							 path(&start, a, p, step * DT, DT)) /
							    H);
		cloud_free(&now);
	}
	struct cloud end = cloud_read(sim);
	for (u32 p = 0; p < COUNT; p++)
		lowest = fmax(lowest, (double)end.x[1][p] / H);
	expect("positions compared", followed, 100.0 * DIM, 1e6);
	expect_small("distance from the path until first contact, h", worst, 0.5);
	expect_small("highest particle after 3 s, h above the floor", lowest, 2.0);
	cloud_free(&start);
	cloud_free(&end);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(single_particles),	       CASE(exact_places),	    CASE(crowded_cells),
		CASE(crowded_cell_with_drift), CASE(falling_disc),	    CASE(band_in_free_fall),
		CASE(bl_037_uniform_motion),   CASE(bl_046_lone_particles),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
