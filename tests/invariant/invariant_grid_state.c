/*
 * `method: grid`, its state: what is not finite is seen before it is used, units that are lost
 * anywhere are told, and work follows the liquid while the result does not.
 */
#include "sim_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checkpoint/checkpoint.h"
#include "sim_view.h"

/* A pool and a drop far from it, of which some leaves through an open wall. */
#if DIM == 2
#define SCENE                                                                               \
	"method: grid\n"                                                                    \
	"domain: {size: [3.7, 2.3], cells: 148, walls: {x+: open, y+: open}}\n"             \
	"time: {frames: 60, fps: 60}\n"                                                     \
	"liquids:\n"                                                                        \
	"  - {name: pool, box: {min: [0, 0], max: [0.3, 0.41]}}\n"                          \
	"  - {name: drop, sphere: {center: [1.9, 1.2], radius: 0.09}, velocity: [3, -3]}\n" \
	"  - {name: leaver, sphere: {center: [3.6, 2.0], radius: 0.08}, velocity: [4, 1]}\n"
#else
#define SCENE                                                                                       \
	"method: grid\n"                                                                            \
	"domain: {size: [1.11, 0.69, 0.87], cells: [74, 46, 58], walls: {x+: open}}\n"              \
	"time: {frames: 60, fps: 60}\n"                                                             \
	"liquids:\n"                                                                                \
	"  - {name: pool, box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}\n"                           \
	"  - {name: drop, sphere: {center: [0.7, 0.5, 0.6], radius: 0.05}, velocity: [2, -1, 1]}\n" \
	"  - {name: leaver, sphere: {center: [1.07, 0.5, 0.2], radius: 0.05}, velocity: [4, 1, 0]}\n"
#endif
/* Steps of its own within a frame, so that a few substeps end one. */
#define SUBSTEPS fixture_pick(12, 60)

/* ---- values that are not finite ----------------------------------------------------------- */

/* A face inside the pool, one on its surface, one of the air beside it. */
static void not_finite_is_seen(void)
{
	static const f32 values[] = {NAN, INFINITY, -INFINITY, 2e18f};
	struct sim *sim = fixture_sim("%s", SCENE);
	const struct grid *g = &sim->lattice.grid;
	fixture_step(sim);
	const i32 surface = (i32)(0.1 / (double)g->h) + 1;
	const size_t faces[] = {lattice_at(g, 2, 1, 0), lattice_at(g, surface, 1, 0),
				lattice_at(g, surface + 2, 1, 0)};
	for (size_t f = 0; f < 3; f++)
		for (size_t v = 0; v < 4; v++) {
			f32 was;
			const size_t at = faces[f] * sizeof(was);
			assert_true(clx_read(sim->cl, &sim->u_face, at, sizeof(was), &was));
			assert_true(clx_write(sim->cl, &sim->u_face, at, sizeof(was), &values[v]));
			/* No attempt with half the step: it would start with the same. */
			assert_false(sim_substep(sim));
			expect("failures that a shorter step may cure", sim->step_failed, STEP_FINE,
			       STEP_FINE);
			assert_true(clx_write(sim->cl, &sim->u_face, at, sizeof(was), &was));
		}
	fixture_step(sim);
	expect_small("retries", sim->retries, 0.0);
	fixture_free(sim);
}

/* ---- units -------------------------------------------------------------------------------- */

/* One unit goes from a full cell. */
static void plant_loss(struct sim *sim)
{
	const size_t at = lattice_at(&sim->lattice.grid, 1, 1, 0) * sizeof(u32);
	u32 units;
	assert_true(clx_read(sim->cl, &sim->vof.volume, at, sizeof(units), &units) && units > 0);
	units--;
	assert_true(clx_write(sim->cl, &sim->vof.volume, at, sizeof(units), &units));
}

/* Between substeps, and between a restored state and the next substep. */
static void lost_units_are_told(void)
{
	struct sim *sim = fixture_sim("%s", SCENE);
	struct checkpoint c = {0};
	char reason[FILE_READ_REASON];
	sim->ledger.strict = false;
	plant_loss(sim);
	fixture_step(sim);
	expect("imbalances after a loss from the start", sim->stats.imbalances, 1, 1);
	expect("warnings", fixture_warnings(), 1, 1);
	fixture_step(sim);
	expect("imbalances when nothing is lost", sim->stats.imbalances, 1, 1);
	assert_true(checkpoint_capture(&c, sim));
	const int64_t units = sim->vof.units;
	plant_loss(sim);
	fixture_step(sim);
	expect("imbalances after a loss between substeps", sim->stats.imbalances, 2, 2);
	assert_true(checkpoint_restore(&c, sim, reason) && sim->vof.units == units);
	fixture_step(sim);
	expect("imbalances after a restore", sim->stats.imbalances, 1, 1);
	assert_true(checkpoint_restore(&c, sim, reason));
	plant_loss(sim);
	fixture_step(sim);
	expect("imbalances after a loss on restoring", sim->stats.imbalances, 2, 2);
	expect("warnings", fixture_warnings(), 1, 1);
	/* Debug builds end there, and the state is that before. */
	sim->ledger.strict = true;
	plant_loss(sim);
	const double time = sim->time;
	assert_false(sim_substep(sim));
	expect_small("time that passed", sim->time - time, 0.0);
	expect("imbalances that a failed substep counts", sim->ledger.imbalances, 2, 2);
	checkpoint_free(&c);
	fixture_free(sim);
}

/* ---- bricks ------------------------------------------------------------------------------- */

static void same_bytes(struct sim *a, const struct clx_buffer *of_a, struct sim *b,
		       const struct clx_buffer *of_b, const char *what)
{
	void *here = fixture_read_raw(a, of_a), *there = fixture_read_raw(b, of_b);
	if (of_a->bytes != of_b->bytes || memcmp(here, there, of_a->bytes) != 0)
		fail_msg("frame %d, substep %d: %s differs", a->frame, a->substep, what);
	free(here);
	free(there);
}

/* Once, in the third substep: the attempt is taken back and repeated with half the step. */
static bool fail_once(struct sim *sim, size_t stage, void *user)
{
	(void)user;
	if (sim->steps == 2 && strcmp(sim_stage_name(sim, stage), "pressure") == 0)
		sim->step_failed = STEP_DIVERGED;
	return true;
}

/* Over lists of bricks and over all: the whole lattice, its hash, the rows of stats.csv. */
static void same_over_all_bricks(void)
{
	struct sim *some = fixture_sim("%s", SCENE), *all = fixture_sim("%s", SCENE);
	const struct bricks *b = &some->lattice.bricks;
	double gone = 0.0, listed = 0.0;
	all->lattice.bricks.all = true;
	some->after_stage = all->after_stage = fail_once;
	for (int n = 0; n < (int)SUBSTEPS; n++) {
		u64 hash, other;
		fixture_step(some);
		fixture_step(all);
		same_bytes(some, &some->vof.volume.raw, all, &all->vof.volume.raw, "the volume");
		same_bytes(some, &some->u_face.raw, all, &all->u_face.raw, "the velocity");
		assert_true(sim_hash(some, n, &hash) && sim_hash(all, n, &other) && hash == other);
		assert_memory_equal(&some->stats.report, &all->stats.report,
				    sizeof(some->stats.report));
		assert_memory_equal(some->stats.own, all->stats.own, sizeof(some->stats.own));
		assert_int_equal(some->stats.pressure_iterations, all->stats.pressure_iterations);
		assert_int_equal(all->lattice.bricks.run[BRICKS_BAND].count,
				 all->lattice.bricks.layout[0].slots);
		gone += some->stats.own[1];
		listed = fmax(listed,
			      (double)b->run[BRICKS_LEVEL].count / b->layout[BRICKS_LEVEL].slots);
	}
	expect("share of bricks with unknowns", listed, 0.001, 0.25);
	expect("cells of liquid that left", gone / VOLUME_ONE, 1.0, 1e9);
	expect("retries", some->retries + all->retries, 2, 2);
	expect_small("imbalances", some->stats.imbalances + all->stats.imbalances, 0.0);
	fixture_free(some);
	fixture_free(all);
}

int main(int argc, char **argv)
{
	const struct fixture_case cases[] = {
		CASE(not_finite_is_seen),
		CASE(lost_units_are_told),
		CASE(same_over_all_bricks),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
