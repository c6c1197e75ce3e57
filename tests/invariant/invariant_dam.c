/*
 * Breaking dams: volume, crowding, holes, energy and bookkeeping of a splashing run.
 * Bars: cases.md, breaking dams; FRESHET_SOURCE names the source tree.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim_fixture.h"

struct watch {
	double from;			/* s: when the last two seconds begin */
	double volume_sum, volumes;	/* over their frames */
	double volume_low, volume_high; /* of any frame, volume_error */
	double low_time, high_time;
	double energy_most, empty_most, ppc_most, ppc_time, empty_time;
	u32 particles_least, particles_most;
	u32 escaped, removed, retries;
};

/* Frames only: between them the bars do not apply. */
static void watch(struct sim *sim, void *user)
{
	struct watch *w = user;
	const struct step_stats *s = &sim->stats;
	const struct step_report *r = &s->report;
	w->energy_most = fmax(w->energy_most, r->kinetic_energy + r->potential_energy);
	w->particles_least = s->particles < w->particles_least ? s->particles : w->particles_least;
	w->particles_most = s->particles > w->particles_most ? s->particles : w->particles_most;
	w->escaped = r->escaped;
	w->removed = r->removed_open;
	w->retries = s->retries;
	if (!s->frame_end)
		return;
	if (s->volume_error < w->volume_low) {
		w->volume_low = s->volume_error;
		w->low_time = s->time;
	}
	if (s->volume_error > w->volume_high) {
		w->volume_high = s->volume_error;
		w->high_time = s->time;
	}
	if (s->time > w->from) {
		w->volume_sum += s->volume_error;
		w->volumes++;
	}
	const double empty =
		(double)r->interior_empty / (r->interior_cells ? r->interior_cells : 1);
	if (empty > w->empty_most) {
		w->empty_most = empty;
		w->empty_time = s->time;
	}
	const double ppc = (double)r->max_ppc / sim->scene->particles_per_cell;
	if (ppc > w->ppc_most) {
		w->ppc_most = ppc;
		w->ppc_time = s->time;
	}
}

static void check_dam(struct sim *sim, double seconds, bool settled)
{
	struct watch w = {.from = seconds - 2.0, .particles_least = sim->stats.particles};
	const struct step_report *r = &sim->stats.report;
	const double energy = r->kinetic_energy + r->potential_energy;
	const u32 particles = sim->stats.particles;
	fixture_run(sim, seconds, watch, &w);
	fixture_note("%g s, %u particles, %u retries, worst volumes at %.2f s and %.2f s", seconds,
		     particles, w.retries, w.low_time, w.high_time);
	fixture_note("volume error at the end: %.4f", sim->stats.volume_error);
	/* Sheets form while it splashes: 15 %. */
	expect("volume error of any frame, least", w.volume_low, -0.15, 0.15);
	expect("volume error of any frame, most", w.volume_high, -0.15, 0.15);
	if (settled)
		expect_small("volume error, mean of the last 2 s", w.volume_sum / w.volumes, 0.02);
	fixture_note("greatest count at %.2f s, emptiest interior at %.2f s", w.ppc_time,
		     w.empty_time);
	expect_small("greatest count in a cell / particles per cell", w.ppc_most, 3.5);
	expect_small("empty interior, most of any frame", w.empty_most, 0.02);
	expect("energy, most / start", w.energy_most / energy, 0.0, 1.01);
	expect("particles, least", w.particles_least, particles - w.removed, particles);
	expect("particles, most", w.particles_most, particles, particles);
	expect_small("escaped", w.escaped, 0.0);
	/* Whatever the liquid does, the last two solves tell how long the next one takes. */
	expect("iterations enqueued / needed",
	       (double)sim->poisson.enqueued / (double)sim->poisson.needed, 1.0, 1.05);
}

static void check_closed(const char *scene, double seconds, bool settled)
{
	struct sim *sim = fixture_sim("%s", scene);
	check_dam(sim, seconds, settled);
	fixture_free(sim);
}

#if DIM == 2

/* The shipped scene, without pictures: its text with an output that writes nothing. */
static void shipped_scene(void)
{
	char path[4096], text[4096];
	const char *source = getenv("FRESHET_SOURCE");
	assert_non_null(source);
	snprintf(path, sizeof(path), "%s/scenes/dam_break_2d.yaml", source);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	const size_t length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	check_closed(text, fixture_pick(1.0, 10.0), fixture_full());
}

/* The dam of cases.md: a quarter by a half in a unit box. */
static void check_small(const char *transfer, double seconds, bool settled)
{
	struct sim *sim = fixture_sim("domain: {size: [1, 1], cells: 64}\n"
				      "time: {fps: 24, frames: 1000}\nliquid: {transfer: %s}\n"
				      "liquids: [{box: {min: [0, 0], max: [0.25, 0.5]}}]\n",
				      transfer);
	check_dam(sim, seconds, settled);
	fixture_free(sim);
}

static void small_dam(void)
{
	check_small("flip", fixture_pick(1.5, 10.0), fixture_full());
}

static void small_dam_apic(void)
{
	check_small("apic", fixture_pick(1.5, 10.0), fixture_full());
}

#else

static void dam_3d(void)
{
	if (fixture_full())
		check_closed("domain: {size: [2, 1, 1], cells: 64}\n"
			     "time: {fps: 24, frames: 1000}\n"
			     "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.6, 1]}}]\n",
			     3.0, true);
	else
		check_closed("domain: {size: [2, 1, 0.5], cells: 32}\n"
			     "time: {fps: 24, frames: 1000}\n"
			     "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.6, 0.5]}}]\n",
			     2.0, false);
}

#endif

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
#if DIM == 2
		CASE(shipped_scene),
		CASE(small_dam),
		CASE(small_dam_apic),
#else
		CASE(dam_3d),
#endif
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
