/*
 * Liquid at rest stays at rest: jittered tanks with drift correction on.
 * Bars: cases.md (tanks at rest; BL-007, BL-014).  The tank stands on
 * the floor of a unit box and is half full; lengths are in cells where they say so.
 */
#include <math.h>
#include <stdlib.h>

#include "sim_fixture.h"

#define G 9.81
#define DENSITY 1000.0
#define LEVEL 0.5

#if DIM == 2
#define SIZE "[1, 1]"
#define DOWN "[0, -9.81]"
#define HALF "box: {min: [0, 0], max: [1, 0.5]}"
#else
#define SIZE "[1, 1, 1]"
#define DOWN "[0, -9.81, 0]"
#define HALF "box: {min: [0, 0, 0], max: [1, 0.5, 1]}"
#endif

/* ---- what is watched -------------------------------------------------------------------- */

struct watch {
	double energy_start, energy_most; /* kinetic + potential, J */
	double vrms_most;		  /* m/s */
	double empty_most;		  /* empty interior */
	u32 ppc_most;
};

static double vrms_of(const struct sim *sim)
{
	const double volume =
		pow((double)sim->lattice.grid.h, DIM) / sim->scene->particles_per_cell;
	return sqrt(2.0 * sim->stats.report.kinetic_energy /
		    (DENSITY * volume * sim->stats.particles));
}

static void watch(struct sim *sim, void *user)
{
	struct watch *w = user;
	const struct step_report *r = &sim->stats.report;
	w->energy_most = fmax(w->energy_most, r->kinetic_energy + r->potential_energy);
	w->vrms_most = fmax(w->vrms_most, vrms_of(sim));
	w->empty_most = fmax(w->empty_most, (double)r->interior_empty /
						    (r->interior_cells ? r->interior_cells : 1));
	w->ppc_most = r->max_ppc > w->ppc_most ? r->max_ppc : w->ppc_most;
}

/* Heights at which phi rises through 0 in every column of cells: bias against LEVEL and standard
 * deviation, in cells. */
static void measure_level(struct sim *sim, double *bias, double *sd)
{
	const struct grid *g = &sim->lattice.grid;
	f32 *phi = fixture_read(sim, &sim->phi);
	double sum = 0.0, square = 0.0;
	for (i32 k = 0; k < g->nz; k++)
		for (i32 i = 0; i < g->nx; i++) {
			double height = 0.0;
			for (i32 j = 0; j + 1 < g->ny; j++) {
				const double low = (double)phi[lattice_at(g, i, j, k)];
				const double high = (double)phi[lattice_at(g, i, j + 1, k)];
				if (low < 0.0 && high >= 0.0)
					height = j + 0.5 + low / (low - high);
			}
			height -= LEVEL * g->ny;
			sum += height;
			square += height * height;
		}
	const double columns = (double)g->nx * g->nz;
	*bias = sum / columns;
	*sd = sqrt(square / columns - *bias * *bias);
	free(phi);
}

/* Largest error of the pressure in the cells on the floor, in units of rho g h. */
static double floor_pressure_error(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	f32 *p = fixture_read(sim, &sim->pressure);
	const double h = (double)g->h;
	double worst = 0.0;
	for (i32 k = 0; k < g->nz; k++)
		for (i32 i = 0; i < g->nx; i++) {
			const double exact = DENSITY * G * (LEVEL - 0.5 * h);
			worst = fmax(worst, fabs((double)p[lattice_at(g, i, 0, k)] - exact));
		}
	free(p);
	return worst / (DENSITY * G * h);
}

/* ---- tanks at rest ---------------------------------------------------------------------- */

static void check_rest(int n, double dt, const char *transfer, double ratio, double seconds,
		       double bar)
{
	struct sim *sim = fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
				      "time: {fps: 10, frames: 1000, dt: %.17g}\n"
				      "liquid: {transfer: %s, flip_ratio: %g}\nliquids: [{%s}]\n",
				      SIZE, n, DOWN, dt, transfer, ratio, HALF);
	struct watch w = {0};
	double bias, sd;
	fixture_note("N = %d, dt = 1/%.0f s, %s, ratio %g, %g s", n, 1.0 / dt, transfer, ratio,
		     seconds);
	measure_level(sim, &bias, &sd);
	expect_small("level at the start: bias, h", bias, 0.05);
	expect_small("level at the start: sd, h", sd, 0.12);
	w.energy_start = sim->stats.report.potential_energy;
	const u32 particles = sim->stats.particles;
	fixture_run(sim, seconds, watch, &w);
	const struct step_report *r = &sim->stats.report;
	const double volume = LEVEL;
	expect_small("vrms, most, m/s", w.vrms_most, bar);
	expect_small("vrms at the end, m/s", vrms_of(sim), bar);
	expect_small("floor pressure, worst error / (rho g h)", floor_pressure_error(sim), 0.2);
	expect("energy, most / start", w.energy_most / w.energy_start, 0.0, 1.01);
	expect_small("volume / poured - 1", r->volume / volume - 1.0, 0.02);
	expect_small("greatest count in a cell / particles per cell",
		     (double)w.ppc_most / sim->scene->particles_per_cell, 3.5);
	expect_small("empty interior, most", w.empty_most, 0.02);
	expect("particles", sim->stats.particles, particles, particles);
	expect_small("escaped", r->escaped, 0.0);
	fixture_free(sim);
}

static int cells(void)
{
	return DIM == 2 ? (fixture_full() ? 64 : 32) : (fixture_full() ? 24 : 16);
}

static void rest_240(void)
{
	check_rest(cells(), 1.0 / 240.0, "flip", 0.97, fixture_pick(DIM == 2 ? 1.5 : 0.5, 10.0),
		   0.01);
}

static void rest_120(void)
{
	check_rest(cells(), 1.0 / 120.0, "flip", 0.97, fixture_pick(DIM == 2 ? 2.0 : 0.5, 10.0),
		   0.01);
}

static void rest_60(void)
{
	check_rest(cells(), 1.0 / 60.0, "flip", 0.97, fixture_pick(DIM == 2 ? 3.0 : 1.0, 10.0),
		   0.01);
}

static void rest_apic(void)
{
	check_rest(cells(), 1.0 / 60.0, "apic", 0.97, fixture_pick(DIM == 2 ? 3.0 : 1.0, 10.0),
		   0.015);
	if (fixture_full())
		check_rest(cells(), 1.0 / 240.0, "apic", 0.97, 10.0, 0.01);
}

static void rest_pure_flip(void)
{
	check_rest(cells(), 1.0 / 60.0, "flip", 1.0, fixture_pick(DIM == 2 ? 3.0 : 1.0, 10.0),
		   0.03);
	if (fixture_full())
		check_rest(cells(), 1.0 / 240.0, "flip", 1.0, 10.0, 0.03);
}

/* ---- BL-007 ----------------------------------------------------------------------------- */

#if DIM == 2
struct walls {
	int down;	 /* axis of gravity */
	double worst[2]; /* mean speed along it beside the low and the high wall, m/s */
	double vrms;
};

static void watch_walls(struct sim *sim, void *user)
{
	struct walls *w = user;
	const int across = 1 - w->down;
	if (!sim->stats.frame_end || sim->time < 0.5 - 1e-9)
		return;
	struct cloud cloud = cloud_read(sim);
	const double h = (double)sim->lattice.grid.h;
	double sum[2] = {0}, count[2] = {0};
	for (u32 p = 0; p < cloud.count; p++)
		for (int side = 0; side < 2; side++) {
			const double x = (double)cloud.x[across][p];
			if ((side ? 1.0 - x : x) > h)
				continue;
			sum[side] += (double)cloud.v[w->down][p];
			count[side]++;
		}
	for (int side = 0; side < 2; side++)
		w->worst[side] = fmax(w->worst[side], fabs(sum[side] / count[side]));
	w->vrms = fmax(w->vrms, vrms_of(sim));
	cloud_free(&cloud);
}

static void check_walls(int n, bool to_the_right)
{
	/* Jittered by 0.22 cells: 0.88 of the half-width of a sub-cell. */
	struct sim *sim = fixture_sim(
		"domain: {size: [1, 1], cells: %d}\ntime: {fps: 10, dt: %.17g}\ngravity: %s\n"
		"liquid: {jitter: 0.88, seed: 7}\nliquids: [{box: {min: %s, max: [1, %g]}}]\n",
		n, 1.0 / 60.0, to_the_right ? "[9.81, 0]" : "[0, -9.81]",
		to_the_right ? "[0.5, 0]" : "[0, 0]", to_the_right ? 1.0 : 0.5);
	struct walls w = {.down = to_the_right ? 0 : 1};
	fixture_run(sim, fixture_pick(1.5, 4.0), watch_walls, &w);
	fixture_note("N = %d, gravity %s", n, to_the_right ? "+x" : "-y");
	expect_small("vrms, most, m/s", w.vrms, 0.01);
	expect_small("mean speed along gravity at the low wall, m/s", w.worst[0], 0.005);
	expect_small("mean speed along gravity at the high wall, m/s", w.worst[1], 0.005);
	fixture_free(sim);
}

static void bl_007_walls_do_not_drag(void)
{
	check_walls(50, false);
	check_walls(50, true);
	if (!fixture_full())
		return;
	check_walls(100, false);
	check_walls(150, false);
	check_walls(100, true);
	check_walls(150, true);
}
#endif

/* ---- BL-014 ----------------------------------------------------------------------------- */

/* There is no hidden layer at the walls: the box is exactly its cells (docs/scene.md, domain), so
 * the gap between walls and particles is that of the particles' own spacing, below half of a
 * sub-cell, alike on all sides. */
static void bl_014_gap_at_walls(void)
{
	const int n = DIM == 2 || fixture_full() ? 32 : 16;
	struct sim *sim = fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
				      "time: {fps: 24}\nliquid: {jitter: 0}\nliquids: [{%s}]\n",
				      SIZE, n, DOWN, HALF);
	fixture_run(sim, 1.0, NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	double least = 1e9, most = 0.0, bias, sd;
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < (a == 1 ? 1 : 2); side++) {
			double gap = 1.0;
			for (u32 p = 0; p < cloud.count; p++) {
				const double x = (double)cloud.x[a][p];
				gap = fmin(gap, side ? 1.0 - x : x);
			}
			least = fmin(least, gap * n);
			most = fmax(most, gap * n);
		}
	measure_level(sim, &bias, &sd);
	expect_small("gaps at the walls: most - least, h", most - least, 0.1);
	expect("least gap, h", least, 0.0, 0.25 + 0.1);
	expect_small("level - poured volume / width, h", bias, 1.0);
	cloud_free(&cloud);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(rest_240),
		CASE(rest_120),
		CASE(rest_60),
		CASE(rest_apic),
		CASE(rest_pure_flip),
#if DIM == 2
		CASE(bl_007_walls_do_not_drag),
#endif
		CASE(bl_014_gap_at_walls),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
