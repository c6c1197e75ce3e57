/*
 * Liquid that leaves walls, is shut in by them, slides and rests on slopes.
 */
#include <math.h>

#include "projection_scenes.h"

/* ---- walls that do not pull ------------------------------------------------------------- */

/* A slab under the ceiling falls like a stone if walls let go, and hangs if they hold. */
static void check_slab(bool separation)
{
	struct sim *sim = fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
				      "time: {fps: 60, dt: %.17g}\nsolver: {separation: %s}\n"
				      "liquids: [{invert: true, half_space: {point: " AT(
					      "0", "0.75") ", normal: " AT("0", "1") "}}]\n",
				      SIZE, N, DOWN, 1.0 / 240.0, separation ? "true" : "false");
	int most = 0;
	for (int step = 0; step < 4; step++) {
		fixture_step(sim);
		most = sim->stats.pressure_iterations > most ? sim->stats.pressure_iterations
							     : most;
	}
	struct cloud cloud = cloud_read(sim);
	const double fall = -cloud_mean(&cloud, cloud.v[1]) / (G * 4.0 / 240.0);
	fixture_note("separation %s, %d iterations at most", separation ? "on" : "off", most);
	if (separation)
		expect("mean speed / free fall", fall, 0.99, 1.01);
	else
		expect_small("mean speed / free fall", fall, 0.05);
	/* One solve, and a few rounds. */
	expect("iterations in a step", most, 0.0, 5.0 * 20.0);
	cloud_free(&cloud);
	fixture_free(sim);
}

static void slab_under_ceiling(void)
{
	check_slab(true);
	check_slab(false);
}

/* ---- sealed air ------------------------------------------------------------------------- */

/* Three boards make a bell over the pool: the air in it is a region of its own. */
static void air_under_a_bell(void)
{
#if DIM == 2
#define BOARD(x0, y0, x1, y1) "{box: {min: [" x0 ", " y0 "], max: [" x1 ", " y1 "]}}"
#else
#define BOARD(x0, y0, x1, y1) "{box: {min: [" x0 ", " y0 ", -1], max: [" x1 ", " y1 ", 2]}}"
#endif
	for (int closed = 0; closed < 2; closed++) {
		struct sim *sim = fixture_sim(
			"domain: {size: %s, cells: %d}\ngravity: %s\n"
			"solids: [" BOARD("0.25", "0.3", "0.31", "0.81") ", " BOARD(
				"0.69", "0.3", "0.75",
				"0.81") "%s]\n"
					"liquids: [{half_space: {point: " AT(
						"0", "0.5") ", normal: " AT("0", "1") "}}]\n",
			SIZE, N, DOWN, closed ? ", " BOARD("0.25", "0.75", "0.75", "0.81") : "");
		fixture_note("bell %s", closed ? "closed" : "open at the top");
		expect("air regions", sim->stats.report.air_regions, closed ? 2.0 : 1.0,
		       closed ? 2.0 : 1.0);
		fixture_free(sim);
	}
}

/* ---- slopes ----------------------------------------------------------------------------- */

/* On a frictionless plane the centre of a body gains g sin 30 along it. */
static void block_on_ramp(void)
{
	const double t = 0.15, dt = 1.0 / 240.0, sine = 0.5, cosine = sqrt(0.75);
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {fps: 40, dt: %.17g}\n"
		"solids: [{half_space: {point: " AT("0", "0.6") ", normal: " AT(
			"0.5", "%.12g") "}}]\n"
#if DIM == 2
					"liquids: [{box: {min: [0.2, 0.2], max: [0.45, 0.65]}}]\n",
#else
					"liquids: [{box: {min: [0.2, 0.2, 0.3], max: [0.45, 0.65, "
					"0.7]}}]\n",
#endif
		SIZE, DIM == 2 ? 48 : 24, DOWN, dt, cosine);
	struct cloud before = cloud_read(sim);
	fixture_run(sim, t, NULL, NULL);
	struct cloud after = cloud_read(sim);
	const double along =
		cosine * cloud_mean(&after, after.v[0]) - sine * cloud_mean(&after, after.v[1]);
	const double way =
		cosine * (cloud_mean(&after, after.x[0]) - cloud_mean(&before, before.x[0])) -
		sine * (cloud_mean(&after, after.x[1]) - cloud_mean(&before, before.x[1]));
	expect("speed along the ramp / (g t sin 30)", along / (G * sine * sim->time), 0.95, 1.05);
	/* Semi-implicit steps are ahead by g sin 30 t dt / 2. */
	expect("way along the ramp / (g t (t + dt) sin 30 / 2)",
	       way / (0.5 * G * sine * sim->time * (sim->time + dt)), 0.95, 1.05);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
}

struct channel {
	double from, vrms; /* s; greatest from then on, m/s */
	double height[32 * 32], seen[32 * 32];
};

/* Heights at which phi rises through 0 in the columns whose surface is clear of the sides. */
static void watch_channel(struct sim *sim, void *user)
{
	struct channel *w = user;
	if (!sim->stats.frame_end || sim->time < w->from - 1e-9)
		return;
	const struct grid *g = &sim->lattice.grid;
	struct cloud cloud = cloud_read(sim);
	struct fields f = read_fields(sim);
	w->vrms = fmax(w->vrms, cloud_vrms(&cloud));
	FOR_CELLS(g)
	{
		const size_t low = lattice_at(g, i, j, k);
		if (j + 1 >= g->ny || f.type[low] != CELL_LIQUID ||
		    f.type[lattice_at(g, i, j + 1, k)] != CELL_AIR ||
		    f.open[slot_of(g, 1, i, j, k, 1)] < FRACTION_ONE ||
		    f.open[slot_of(g, 1, i, j, k, 0)] < FRACTION_ONE)
			continue;
		const double a = (double)f.phi[low];
		const double b = (double)f.phi[lattice_at(g, i, j + 1, k)];
		w->height[k * 32 + i] += j + 0.5 + a / (a - b);
		w->seen[k * 32 + i]++;
	}
	free_fields(&f);
	cloud_free(&cloud);
}

/* Water in a channel whose sides rise at 45 degrees rests, once its seeds have settled, with a
 * level that is flat in the mean over time. */
static void check_channel(const char *transfer)
{
	const double end = fixture_pick(2.0, 5.0);
	struct channel w = {.from = 0.5 * end};
	double sum = 0.0, square = 0.0, columns = 0.0;
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\n"
		"time: {fps: 10, frames: 1000, dt: %.17g}\nliquid: {transfer: %s}\n%s"
		"liquids: [{half_space: {point: " AT("0", "0.5") ", normal: " AT("0", "1") "}}]\n",
		DIM == 2 ? "[1, 1]" : "[1, 1, 0.25]", 32, DOWN, DT, transfer,
		"solids: [" SIDES "]\n");
	fixture_note("%s", transfer);
	fixture_run(sim, end, watch_channel, &w);
	for (int n = 0; n < 32 * 32; n++) {
		if (w.seen[n] == 0.0)
			continue;
		sum += w.height[n] / w.seen[n];
		square += w.height[n] / w.seen[n] * w.height[n] / w.seen[n];
		columns++;
	}
	const double mean = sum / columns;
	expect_small("vrms, most of the second half, m/s", w.vrms, 0.01);
	expect_small("level: mean - poured, h", mean - 0.5 * 32, 0.1);
	expect_small("level: standard deviation, h", sqrt(square / columns - mean * mean), 0.1);
	expect_small("escaped", sim->stats.report.escaped, 0.0);
	fixture_free(sim);
}

static void channel_at_rest(void)
{
	check_channel("flip");
	if (fixture_full())
		check_channel("apic");
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(slab_under_ceiling),
		CASE(air_under_a_bell),
		CASE(block_on_ramp),
		CASE(channel_at_rest),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
