/*
 * Liquid at rest beside a plate without thickness, wherever it cuts the cells.
 *
 * Bars: volume within 1 %; at most 3.5 times the usual number of particles in a cell, as for tanks
 * at rest (cases.md); nothing gets through; pressure within 0.2 rho g h of hydrostatic; speeds as
 * in tanks at rest (long form), or at most twice those with a plate on faces of the grid, which
 * cuts no cell: the greater of two.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "projection_scenes.h"

#undef N
#undef H
#define N (DIM == 2 ? 16 : 12)
#define H (1.0 / N)
#define PPC (DIM == 2 ? 4 : 8)

/* The plate is where n.x = at, n of length 1; pools of these levels behind and before it, 0 = none;
 * the pool behind ends at the plate if that is lower. */
struct plate {
	double n[2], at, level[2];
};

static double side_of(const struct plate *plate, double x, double y)
{
	return plate->n[0] * x + plate->n[1] * y - plate->at;
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
	const struct grid *g = &sim->grid;
	struct fields f = read_fields(sim);
	FOR_CELLS(g)
	{
		const double x = (i + 0.5) * H, y = (j + 0.5) * H;
		const int side = side_of(w->plate, x, y) > 0.0;
		const double depth = w->level[side] - y;
		/* Clear of the surface, and of cells that the plate cuts at their centre. */
		if (f.type[lattice_at(g, i, j, k)] != CELL_LIQUID || depth < 2.0 * H ||
		    fabs(side_of(w->plate, x, y)) < 0.01 * H)
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
			row += (side_of(plate, (i + 0.5) / FINE, (j + 0.5) / FINE) > 0.0) == side;
		row /= (double)FINE * FINE;
		if (room + row >= volume)
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

/* usual: the speed to compare with, m/s; 0 = none.  Returns the speed. */
static double check_plate(const struct plate *plate, double usual)
{
	const double end = fixture_pick(1.0, 6.0);
	struct watch w = {.plate = plate, .from = 0.5 * end};
	const double x = plate->n[0] * plate->at, y = plate->n[1] * plate->at;
	char pools[2][256];
	/* Behind the plate, then before it. */
	for (int side = 0; side < 2; side++) {
		const double sign = side ? -1.0 : 1.0;
		snprintf(pools[side], sizeof(pools[side]),
			 "{intersection: [{half_space: {point: [%.9g, %.9g%s], normal: [%.9g, "
			 "%.9g%s]}}, {box: {min: [-1, -1%s], max: [2, %.9g%s]}}]}",
			 x, y, DIM == 3 ? ", 0" : "", sign * plate->n[0], sign * plate->n[1],
			 DIM == 3 ? ", 0" : "", DIM == 3 ? ", -1" : "",
			 plate->level[side] > 0.0 ? plate->level[side] : -0.5,
			 DIM == 3 ? ", 2" : "");
	}
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\n"
		"time: {fps: 10, frames: 1000, dt: %.17g}\n"
		"solids: [{intersection: [{half_space: {point: [%.9g, %.9g%s], normal: [%.9g, "
		"%.9g%s]}}, {half_space: {point: [%.9g, %.9g%s], normal: [%.9g, %.9g%s]}}]}]\n"
		"liquids: [%s, %s]\n",
		SIZE, N, DOWN, DT, x, y, DIM == 3 ? ", 0" : "", plate->n[0], plate->n[1],
		DIM == 3 ? ", 0" : "", x, y, DIM == 3 ? ", 0" : "", -plate->n[0], -plate->n[1],
		DIM == 3 ? ", 0" : "", pools[0], pools[1]);
	struct cloud before = cloud_read(sim);
	for (int side = 0; side < 2; side++)
		w.level[side] = level_of(plate, &before, side);
	fixture_run(sim, end, watch_plate, &w);
	struct cloud after = cloud_read(sim);
	const double poured = before.count * pow(H, DIM) / PPC;
	expect("volume / poured", w.volume / w.frames / poured, 0.99, 1.01);
	expect("most particles in a cell / usual", w.most / PPC, 0.0, 3.5);
	expect_small("got through", count_through(plate, &before, &after), 0.0);
	expect_small("escaped", sim->stats.report.escaped, 0.0);
	w.vrms /= w.frames;
	if (fixture_full())
		/* As in a tank at rest; not reached beside upright plates (docs/validation.md). */
		expect_small("mean rms speed, m/s", w.vrms,
			     plate->n[0] * plate->n[0] > 0.5 ? 0.025 : 0.01);
	else if (usual > 0.0)
		expect("rms speed / usual", w.vrms / usual, 0.0, 2.0);
	for (int side = 0; side < 2; side++)
		if (w.cells[side] > 0.0)
			expect_small(side ? "pressure before it - hydrostatic, rho g h"
					  : "pressure behind it - hydrostatic, rho g h",
				     w.pressure[side] / w.cells[side] / (DENSITY * G * H), 0.2);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
	return w.vrms;
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

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(under_a_pool),
		CASE(upright_between_pools),
		CASE(tilted_between_pools),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
