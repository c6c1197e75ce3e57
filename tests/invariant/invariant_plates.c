/*
 * Liquid at rest beside a plate without thickness, or thinner than a cell, wherever it cuts the
 * cells.
 *
 * Bars: volume within 1 %; at most 3.5 times the usual number of particles in a cell, as for tanks
 * at rest (cases.md); nothing gets through; pressure within 0.2 rho g h of hydrostatic; speeds as
 * in tanks at rest (long form), or at most twice those with a plate on faces of the grid, which
 * cuts no cell: the greater of two.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levelset.h"
#include "particles.h"
#include "projection_scenes.h"

#undef N
#undef H
#define N (DIM == 2 ? 16 : 12)
#define H (1.0 / N)
#define PPC (DIM == 2 ? 4 : 8)

/* The plate is where at <= n.x <= at + thickness, n of length 1; pools of these levels behind and
 * before it, 0 = none; the pool behind ends at the plate if that is lower. */
struct plate {
	double n[2], at, level[2], thickness;
};

/* m from the plate's middle. */
static double side_of(const struct plate *plate, double x, double y)
{
	return plate->n[0] * x + plate->n[1] * y - plate->at - 0.5 * plate->thickness;
}

static bool in_plate(const struct plate *plate, double x, double y)
{
	return fabs(side_of(plate, x, y)) < 0.5 * plate->thickness;
}

struct watch {
	const struct plate *plate;
	double level[2]; /* m, of the particles that there are */
	double from;	 /* s */
	double volume, most, vrms, frames;
	double pressure[2], cells[2]; /* sums of p - rho g (level - y), Pa; cells */
};

static void add_pressure(struct sim *sim, struct watch *w)
{
	const struct grid *g = &sim->lattice.grid;
	struct fields f = read_fields(sim);
	FOR_CELLS(g)
	{
		const double x = (i + 0.5) * H, y = (j + 0.5) * H;
		const int side = side_of(w->plate, x, y) > 0.0;
		const double depth = w->level[side] - y;
		/* Clear of the surface, and of cells that the plate cuts at their centre. */
		if (f.type[lattice_at(g, i, j, k)] != CELL_LIQUID || depth < 2.0 * H ||
		    fabs(side_of(w->plate, x, y)) < 0.5 * w->plate->thickness + 0.01 * H)
			continue;
		w->pressure[side] +=
			(double)f.pressure[lattice_at(g, i, j, k)] - DENSITY * G * depth;
		w->cells[side]++;
	}
	free_fields(&f);
}

static void watch_plate(struct sim *sim, void *user)
{
	struct watch *w = user;
	if (!sim->stats.frame_end || sim->time < w->from - 1e-9)
		return;
	struct cloud cloud = cloud_read(sim);
	w->vrms += cloud_vrms(&cloud);
	w->volume += sim->stats.report.volume;
	w->most = fmax(w->most, sim->stats.report.max_ppc);
	w->frames++;
	add_pressure(sim, w);
	cloud_free(&cloud);
}

/* Seeds are jittered: the level at which as much room as they stand for lies below it. */
static double level_of(const struct plate *plate, const struct cloud *cloud, int side)
{
	enum { FINE = 512 };
	double volume = 0.0, room = 0.0;
	for (u32 p = 0; p < cloud->count; p++)
		volume += (side_of(plate, (double)cloud->x[0][p], (double)cloud->x[1][p]) > 0.0) ==
			  side;
	volume *= pow(H, DIM) / PPC;
	for (int j = 0; j < FINE; j++) {
		double row = 0.0;
		for (int i = 0; i < FINE; i++)
			row += (side_of(plate, (i + 0.5) / FINE, (j + 0.5) / FINE) > 0.0) == side &&
			       !in_plate(plate, (i + 0.5) / FINE, (j + 0.5) / FINE);
		row /= (double)FINE * FINE;
		if (row > 0.0 && room + row >= volume)
			return (j + (volume - room) / row) / FINE;
		room += row;
	}
	return 1.0;
}

static u32 count_through(const struct plate *plate, const struct cloud *a, const struct cloud *b)
{
	u32 through = 0;
	for (u32 p = 0; p < a->count && p < b->count; p++)
		through += (side_of(plate, (double)a->x[0][p], (double)a->x[1][p]) > 0.0) !=
			   (side_of(plate, (double)b->x[0][p], (double)b->x[1][p]) > 0.0);
	return through;
}

/* What a run shows, over its second half. */
struct outcome {
	double volume; /* / poured */
	double most;   /* particles in a cell / usual */
	double vrms, through, escaped;
	double pressure[2]; /* - hydrostatic, rho g h; 0 where there is no pool */
};

/* A half-space up to n.x = at, of the plate's n, or from there, as a text. */
static void write_half(char *text, size_t size, const struct plate *plate, double at, double sign)
{
	snprintf(text, size, "{half_space: {point: [%.9g, %.9g%s], normal: [%.9g, %.9g%s]}}",
		 plate->n[0] * at, plate->n[1] * at, DIM == 3 ? ", 0" : "", sign * plate->n[0],
		 sign * plate->n[1], DIM == 3 ? ", 0" : "");
}

static struct sim *make_sim(const struct plate *plate)
{
	char pools[2][256], halves[2][128];
	/* Behind the plate, then before it. */
	for (int side = 0; side < 2; side++) {
		write_half(halves[side], sizeof(halves[side]), plate,
			   plate->at + (side ? plate->thickness : 0.0), side ? 1.0 : -1.0);
		write_half(pools[side], sizeof(pools[side]), plate,
			   plate->at + (side ? plate->thickness : 0.0), side ? -1.0 : 1.0);
		snprintf(pools[side] + strlen(pools[side]),
			 sizeof(pools[side]) - strlen(pools[side]),
			 ", {box: {min: [-1, -1%s], max: [2, %.9g%s]}}", DIM == 3 ? ", -1" : "",
			 plate->level[side] > 0.0 ? plate->level[side] : -0.5,
			 DIM == 3 ? ", 2" : "");
	}
	return fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
			   "time: {fps: 10, frames: 1000, dt: %.17g}\n"
			   "solids: [{intersection: [%s, %s]}]\n"
			   "liquids: [{intersection: [%s]}, {intersection: [%s]}]\n",
			   SIZE, N, DOWN, DT, halves[1], halves[0], pools[0], pools[1]);
}

static struct outcome measure_plate(const struct plate *plate, double end)
{
	struct watch w = {.plate = plate, .from = 0.5 * end};
	struct outcome o = {0};
	struct sim *sim = make_sim(plate);
	struct cloud before = cloud_read(sim);
	for (int side = 0; side < 2; side++)
		w.level[side] = level_of(plate, &before, side);
	fixture_run(sim, end, watch_plate, &w);
	struct cloud after = cloud_read(sim);
	o.volume = w.volume / w.frames / (before.count * pow(H, DIM) / PPC);
	o.most = w.most / PPC;
	o.vrms = w.vrms / w.frames;
	o.through = count_through(plate, &before, &after);
	o.escaped = sim->stats.report.escaped;
	for (int side = 0; side < 2; side++)
		if (w.cells[side] > 0.0)
			o.pressure[side] = w.pressure[side] / w.cells[side] / (DENSITY * G * H);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
	return o;
}

/* usual: the speed to compare with, m/s; 0 = none.  Returns the speed. */
static double check_plate(const struct plate *plate, double usual)
{
	const struct outcome o = measure_plate(plate, fixture_pick(1.0, 6.0));
	expect("volume / poured", o.volume, 0.99, 1.01);
	expect("most particles in a cell / usual", o.most, 0.0, 3.5);
	expect_small("got through", o.through, 0.0);
	expect_small("escaped", o.escaped, 0.0);
	if (fixture_full())
		/* As in a tank at rest. */
		expect_small("mean rms speed, m/s", o.vrms, 0.01);
	else
		/* Still coming to rest. */
		expect_small("mean rms speed, m/s", o.vrms, 0.03);
	if (!fixture_full() && usual > 0.0)
		expect("rms speed / usual", o.vrms / usual, 0.0, 2.0);
	expect_small("pressure behind it - hydrostatic, rho g h", o.pressure[0], 0.2);
	expect_small("pressure before it - hydrostatic, rho g h", o.pressure[1], 0.2);
	return o.vrms;
}

/* Offsets in cells, over two of them, after plates on faces; the short form takes those that cut a
 * cell just above and well below its middle, and next to a face. */
static void check_offsets(const char *what, struct plate plate, double from)
{
	static const double shorter[] = {0.0, 1.0, 0.56, 1.3, 0.015};
	const int offsets = fixture_full() ? (DIM == 2 ? 35 : 7) : (DIM == 2 ? 5 : 3);
	double usual = 0.0;
	for (int n = 0; n < offsets; n++) {
		const double cells =
			from +
			(n < 2 || !fixture_full() ? shorter[n] : 2.0 * (n - 2) / (offsets - 3));
		struct plate moved = plate;
		moved.at = cells * H;
		fixture_note("%s %.4g cells off", what, cells);
		const double speed = check_plate(&moved, n < 2 ? 0.0 : usual);
		usual = n < 2 ? fmax(usual, speed) : usual;
	}
}

#define MIDDLE (DIM == 2 ? 6 : 5)

static void under_a_pool(void)
{
	check_offsets("plate under a pool, over another",
		      (struct plate){{0.0, 1.0}, 0.0, {0.22, 0.86}}, MIDDLE);
}

static void upright_between_pools(void)
{
	check_offsets("upright plate between pools", (struct plate){{1.0, 0.0}, 0.0, {0.7, 0.37}},
		      MIDDLE);
}

static void tilted_between_pools(void)
{
	check_offsets("tilted plate under a pool, over another",
		      (struct plate){{-0.28, 0.96}, 0.0, {0.22, 0.86}}, MIDDLE - 2.0);
}

/* Plates with some thickness close faces too, and keep densities apart.  The short form takes two
 * of the worst when they did not, 5 % of the volume or 2 rho g h missing; in 3D the upright one. */
static void with_thickness(void)
{
	static const double thickness[] = {0.8, 0.99, 0.05, 0.2, 0.3, 0.5};
	for (int n = fixture_full() || DIM == 2 ? 0 : 1; n < (fixture_full() ? 6 : 2); n++)
		for (int offset = 0; offset < (fixture_full() ? 10 : 1); offset += DIM == 2 ? 1 : 3)
			for (int upright = fixture_full() ? 0 : n;
			     upright <= (fixture_full() ? 1 : n); upright++) {
				struct plate plate = {
					.n = {upright, !upright},
					.at = (MIDDLE + 0.1 * offset) * H,
					.thickness = thickness[n] * H,
					.level = {upright ? 0.7 : 0.22, upright ? 0.0 : 0.86}};
				fixture_note("%s plate of %.2f cells, %.1f cells off",
					     upright ? "upright" : "lying", thickness[n],
					     0.1 * offset);
				check_plate(&plate, 0.0);
			}
}

/* A particle under a plate makes its cell liquid, whatever lies on the plate. */
static void alone_under_a_pool(void)
{
	const struct plate plate = {{0.0, 1.0}, MIDDLE * H, {0.0, 0.86}, 0.0};
	struct sim *sim = make_sim(&plate);
	struct cloud cloud = cloud_read(sim);
	for (int axis = 0; axis < DIM; axis++)
		cloud.x[axis][0] = (f32)((MIDDLE - 0.5) * H);
	cloud_write(sim, &cloud);
	fixture_begin(sim, DT);
	fixture_stage(particles_sort(sim) && levelset_update(sim));
	unsigned char *type = fixture_read(sim, &sim->cell_type);
	const i32 at = MIDDLE - 1;
	expect("type of its cell", type[lattice_at(&sim->lattice.grid, at, at, DIM == 3 ? at : 0)],
	       CELL_LIQUID, CELL_LIQUID);
	free(type);
	cloud_free(&cloud);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(under_a_pool),   CASE(upright_between_pools), CASE(tilted_between_pools),
		CASE(with_thickness), CASE(alone_under_a_pool),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
