/*
 * Work follows the liquid, the result does not: a run over lists of bricks and one over all bricks
 * have the same fields on the whole grid after every stage, to the bit, and the same statistics.
 */
#include "sim_fixture.h"
#include "sim_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checkpoint/checkpoint.h"
#include "poisson.h"
#include "state.h"

#define MOST_LOOKS 512

/* Fields on the grid, after one stage. */
struct look {
	size_t stage;
	void *fields[6];
	size_t bytes[6];
};

static struct look looks[MOST_LOOKS];
static size_t kept, compared;
static int fail_in; /* a substep whose first attempt is to fail, after the projection */
static bool failed;
static bool restored; /* this is the first substep from a checkpoint, which holds no fields */

static size_t stage_named(const struct sim *sim, const char *name)
{
	for (size_t s = 0; s < sim_stage_count(sim); s++)
		if (strcmp(sim_stage_name(sim, s), name) == 0)
			return s;
	fail_msg("no stage %s", name);
	return 0;
}

/* What is at rest far from liquid.  Bits 3 and up of valid say which walls of the box are fixed,
 * where there are faces to extrapolate to. */
static void take(struct sim *sim, size_t stage, struct look *look)
{
	const struct clx_buffer *buffers[6] = {&sim->u_face.raw,   &sim->valid.raw,
					       &sim->phi.raw,	   &sim->cell_type.raw,
					       &sim->pressure.raw, &sim->opened.raw};
	look->stage = stage;
	for (int f = 0; f < 6; f++) {
		look->fields[f] = fixture_read_raw(sim, buffers[f]);
		look->bytes[f] = buffers[f]->bytes;
	}
	uint8_t *valid = look->fields[1];
	for (size_t n = 0; n < look->bytes[1]; n++)
		valid[n] &= 7;
}

static void drop(struct look *look)
{
	for (int f = 0; f < 6; f++)
		free(look->fields[f]);
	memset(look, 0, sizeof(*look));
}

/* Once: the attempt is taken back and repeated with half the step. */
static void fail_if_wanted(struct sim *sim, size_t stage)
{
	if (failed || sim->steps != (u64)fail_in || stage != stage_named(sim, "pressure"))
		return;
	failed = true;
	sim->step_failed = STEP_DIVERGED;
}

static bool keep(struct sim *sim, size_t stage, void *user)
{
	(void)user;
	assert_true(kept < MOST_LOOKS);
	take(sim, stage, &looks[kept++]);
	fail_if_wanted(sim, stage);
	return true;
}

static bool compare(struct sim *sim, size_t stage, void *user)
{
	static const char *const names[6] = {"velocity",  "valid faces", "level set",
					     "cell type", "pressure",	 "opened walls"};
	static const char *const makers[6] = {"p2g",	  "p2g",      "levelset",
					      "levelset", "pressure", "pressure"};
	(void)user;
	struct look look;
	take(sim, stage, &look);
	assert_true(compared < kept && looks[compared].stage == stage);
	/* Before the level set is made, it and the cells' types are those of the last substep. */
	for (int f = 0; f < 6; f++)
		if (!(restored && stage < stage_named(sim, makers[f])) &&
		    memcmp(look.fields[f], looks[compared].fields[f], look.bytes[f]) != 0)
			fail_msg("frame %d, substep %d, after %s: %s differs", sim->frame + 1,
				 sim->substep + 1, sim_stage_name(sim, stage), names[f]);
	drop(&look);
	drop(&looks[compared++]);
	fail_if_wanted(sim, stage);
	return true;
}

/* Share of the bricks of level 0 that were listed. */
static double listed(const struct sim *sim)
{
	const struct bricks *b = &sim->lattice.bricks;
	return (double)b->run[BRICKS_LEVEL].count / b->layout[BRICKS_LEVEL].slots;
}

/* A substep over lists and one over all bricks. */
static void step_both(struct sim *some, struct sim *all, bool may_fail)
{
	kept = compared = 0;
	failed = !may_fail;
	fixture_step(some);
	failed = !may_fail;
	fixture_step(all);
	assert_true(compared == kept && kept >= sim_stage_count(some));
	/* Times and the number of the failed attempt aside, the rows of stats.csv. */
	assert_memory_equal(&some->stats.report, &all->stats.report, sizeof(some->stats.report));
	assert_int_equal(some->stats.pressure_iterations, all->stats.pressure_iterations);
	assert_int_equal(some->stats.drift_iterations, all->stats.drift_iterations);
	assert_true(some->stats.hash == all->stats.hash);
	assert_true(all->lattice.bricks.run[BRICKS_BAND].count ==
		    all->lattice.bricks.layout[0].slots);
}

static void watch(struct sim *some, struct sim *all)
{
	all->lattice.bricks.all = true;
	some->after_stage = keep;
	all->after_stage = compare;
}

/* `substeps` of the scene both ways; returns the greatest share that was listed after the first. */
static double run_both(const char *scene, int substeps, int failing)
{
	struct sim *some = fixture_sim("%s", scene), *all = fixture_sim("%s", scene);
	double share = 0.0;
	watch(some, all);
	fail_in = failing;
	for (int n = 0; n < substeps; n++) {
		step_both(some, all, n >= failing);
		if (n > 0 && listed(some) > share)
			share = listed(some);
	}
	assert_true(some->retries == (failing >= 0 ? 1u : 0u));
	fixture_free(some);
	fixture_free(all);
	return share;
}

/* `substeps` to a checkpoint, and as many from it: in a simulation whose lists are of another time,
 * and over all bricks in a new one.  Both must end as the one that goes on. */
static void resume_both(const char *scene, int substeps)
{
	struct sim *whole = fixture_sim("%s", scene), *some = fixture_sim("%s", scene),
		   *all = fixture_sim("%s", scene);
	struct checkpoint c = {0}, end = {0}, end_of_some = {0};
	char reason[FILE_READ_REASON];
	for (int n = 0; n < 2 * substeps; n++) {
		if (n == substeps)
			assert_true(checkpoint_capture(&c, whole));
		fixture_step(whole);
	}
	assert_true(checkpoint_capture(&end, whole));
	fixture_step(some);
	assert_true(checkpoint_restore(&c, some, reason) && checkpoint_restore(&c, all, reason));
	watch(some, all);
	fail_in = -1;
	restored = true;
	for (int n = 0; n < substeps; n++) {
		step_both(some, all, false);
		restored = false;
	}
	assert_true(checkpoint_capture(&end_of_some, some));
	assert_true(end_of_some.hash == end.hash && end.state.particles > 0);
	checkpoint_free(&c);
	checkpoint_free(&end);
	checkpoint_free(&end_of_some);
	fixture_free(whole);
	fixture_free(some);
	fixture_free(all);
}

#if DIM == 2
/* A column, a drop that crosses bricks in every substep and one that leaves the box; later drops
 * meet a ball. */
#define SPARSE                                                                              \
	"domain: {size: [3.7, 2.3], cells: 185, walls: {x+: open, y+: open}}\n"             \
	"time: {frames: 60, fps: 60}\n"                                                     \
	"liquids:\n"                                                                        \
	"  - {name: column, box: {min: [0, 0], max: [0.3, 0.4]}}\n"                         \
	"  - {name: drop, sphere: {center: [1.9, 1.2], radius: 0.07}, velocity: [9, -9]}\n" \
	"  - {name: leaver, sphere: {center: [3.5, 2.0], radius: 0.05}, velocity: [8, 3]}\n"
#define WITH_SOLIDS SPARSE "solids: [{name: ball, sphere: {center: [2.6, 0.5], radius: 0.3}}]\n"
#define THIN                                           \
	"domain: {size: [4, 0.02], cells: [200, 1]}\n" \
	"time: {frames: 60, fps: 60}\n"                \
	"liquids: [{name: slug, box: {min: [1, 0], max: [1.3, 0.02]}, velocity: [2, 0]}]\n"
#define BOX_OF_NONE "[1, 0.5]"
#define LEAVES                                                   \
	"domain: {size: [2, 1], cells: 80, walls: {x+: open}}\n" \
	"time: {frames: 60, fps: 60}\n"                          \
	"liquids: [{name: drop, sphere: {center: [1.97, 0.8], radius: 0.04}, velocity: [9, 0]}]\n"
#else
#define SPARSE                                                                                 \
	"domain: {size: [1.11, 0.69, 0.87], cells: [74, 46, 58], walls: {x+: open}}\n"         \
	"time: {frames: 60, fps: 60}\n"                                                        \
	"liquids:\n"                                                                           \
	"  - {name: column, box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}\n"                    \
	"  - {name: drop, sphere: {center: [0.7, 0.5, 0.6], radius: 0.04}, velocity: [5, -4, " \
	"3]}\n"
#define WITH_SOLIDS \
	SPARSE "solids: [{name: ball, sphere: {center: [0.8, 0.3, 0.7], radius: 0.11}}]\n"
#define THIN                                                                                     \
	"domain: {size: [0.8, 0.01, 0.5], cells: [80, 1, 50]}\n"                                 \
	"time: {frames: 60, fps: 60}\n"                                                          \
	"liquids: [{name: slug, box: {min: [0, 0, 0], max: [0.1, 0.01, 0.1]}, velocity: [2, 0, " \
	"1]}]\n"
#define BOX_OF_NONE "[1, 0.5, 0.5]"
#define LEAVES                                                                                    \
	"domain: {size: [1, 0.5, 0.5], cells: 40, walls: {x+: open}}\n"                           \
	"time: {frames: 60, fps: 60}\n"                                                           \
	"liquids: [{name: drop, sphere: {center: [0.97, 0.4, 0.3], radius: 0.04}, velocity: [9, " \
	"0, 0]}]\n"
#endif
#define APIC "liquid: {transfer: apic}\n"

static void same_fields_in_a_sparse_box(void)
{
	const double share = run_both(SPARSE, (int)fixture_pick(4, 40), -1);
	expect("share of bricks with liquid or just left", share, 0.001, 0.25);
}

static void same_fields_with_solids_and_a_retry(void)
{
	expect("share of bricks", run_both(APIC WITH_SOLIDS, (int)fixture_pick(4, 40), 1), 0.001,
	       0.25);
}

/* Of force. */
#if DIM == 2
#define FORCES                                                                                      \
	"drains: [{sphere: {center: [0, 0], radius: 0.1}}]\n"                                       \
	"forces: [{vortex: {strength: 2}}, {drag: {rate: 1}}, {vorticity: {strength: 9}},\n"        \
	"  {wind: {velocity: [9, 1]}}, {custom: [3, 1], box: {min: [0, 0], max: [2, 2]}, falloff: " \
	"0.2}]\n"
#else
#define FORCES                                                                               \
	"drains: [{sphere: {center: [0, 0, 0], radius: 0.05}}]\n"                            \
	"forces: [{vortex: {strength: 2}}, {drag: {rate: 1}}, {vorticity: {strength: 9}},\n" \
	"  {wind: {velocity: [9, 1, 2]}}]\n"
#endif

static void same_force_fields(void)
{
	expect("share of bricks", run_both(WITH_SOLIDS FORCES, (int)fixture_pick(4, 40), 1), 0.001,
	       0.25);
	expect("share of bricks", run_both(THIN FORCES, (int)fixture_pick(3, 20), -1), 0.001, 0.7);
	resume_both(APIC WITH_SOLIDS FORCES, (int)fixture_pick(2, 20));
}

static void same_fields_in_a_thin_box(void)
{
	expect("share of bricks", run_both(THIN, (int)fixture_pick(3, 20), -1), 0.001, 0.7);
}

static void same_bits_from_a_checkpoint(void)
{
	resume_both(SPARSE, (int)fixture_pick(2, 20));
	resume_both(APIC WITH_SOLIDS, (int)fixture_pick(2, 20));
}

/* Lists are empty from the start, or become so. */
static void same_fields_without_liquid(void)
{
	static const char none[] =
		"domain: {size: " BOX_OF_NONE ", cells: 24}\ntime: {frames: 60, fps: 60}\n"
		"liquids: []\n";
	expect("share of bricks without liquid", run_both(none, 3, -1), 0.0, 0.0);
	struct sim *some = fixture_sim("%s", LEAVES), *all = fixture_sim("%s", LEAVES);
	const u32 particles = some->stats.particles;
	watch(some, all);
	fail_in = -1;
	for (int n = 0; n < 40 && (some->stats.particles > 0 || listed(some) > 0.0); n++)
		step_both(some, all, false);
	expect("particles at the start", particles, 1, 1000);
	expect("particles at the end", some->stats.particles, 0, 0);
	expect("share of bricks when all has left", listed(some), 0.0, 0.0);
	step_both(some, all, false);
	fixture_free(some);
	fixture_free(all);
}

/* Unknowns of a level: liquid cells, and coarse cells with any below. */
static uint8_t *unknowns_of(const struct sim *sim, int n, const uint8_t *finer)
{
	const struct grid g = sim->lattice.grid;
	const struct mg_level *l = &sim->poisson.mg.levels[n];
	uint8_t *is = calloc((size_t)l->nx * (size_t)l->ny * (size_t)l->nz, 1);
	uint8_t *types = n == 0 ? fixture_read(sim, &sim->cell_type) : NULL;
	const struct mg_level *f = n == 0 ? l : l - 1;
	assert_non_null(is);
	for (int k = 0; k < f->nz; k++)
		for (int j = 0; j < f->ny; j++)
			for (int i = 0; i < f->nx; i++) {
				const int half = n > 0;
				if (types ? types[(k * g.py + j) * g.px + i] == CELL_LIQUID
					  : finer[(k * f->ny + j) * f->nx + i])
					is[((k >> half) * l->ny + (j >> half)) * l->nx +
					   (i >> half)] = 1;
			}
	free(types);
	return is;
}

/* Which rows of brick n of a level hold an unknown; first[]: its first cell. */
static u32 rows_of_brick(const struct mg_level *l, const struct brick_layout *b, int n,
			 const uint8_t *is, int first[3])
{
	const int high = DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS;
	u32 rows = 0;
	first[0] = n % b->nx * BRICK_X;
	first[1] = n / b->nx % b->ny * high;
	first[2] = n / b->nx / b->ny * BRICK_EDGE_3D;
	for (int row = 0; row < BRICK_ROWS; row++)
		for (int x = 0; x < BRICK_X; x++) {
			const int i = first[0] + x, j = first[1] + row % high,
				  k = first[2] + row / high;
			if (i < l->nx && j < l->ny && k < l->nz)
				rows |= (u32)is[(k * l->ny + j) * l->nx + i] << row;
		}
	return rows;
}

/* The list of bricks with unknowns of level n is `is` told row by row. */
static int check_level(const struct sim *sim, int n, const i32 *list, const uint8_t *is)
{
	const struct bricks *b = &sim->lattice.bricks;
	const struct brick_layout *layout = &b->layout[BRICKS_LEVEL + n];
	const i32 *entry = list + BRICK_WORDS * layout->first;
	int count = 0;
	for (int slot = 0; slot < layout->slots; slot++) {
		int first[3];
		const u32 rows = rows_of_brick(&sim->poisson.mg.levels[n], layout, slot, is, first);
		if (!rows)
			continue;
		assert_memory_equal(entry, first, sizeof(first));
		assert_int_equal((u32)entry[3], rows);
		entry += BRICK_WORDS;
		count++;
	}
	assert_int_equal(b->run[BRICKS_LEVEL + n].count, count);
	return count;
}

/* So is that of chunks of elements, by rows of as many as a sum has lanes. */
static int check_chunks(const struct sim *sim, const i32 *list, const uint8_t *is)
{
	const struct bricks *b = &sim->lattice.bricks;
	const struct brick_layout *layout = &b->layout[BRICKS_SOLVER];
	const struct mg_level *l = sim->poisson.mg.levels;
	const i32 *entry = list + BRICK_WORDS * layout->first;
	u32 *rows = calloc((size_t)layout->slots, sizeof(*rows));
	int count = 0;
	assert_non_null(rows);
	for (int k = 0; k < l->nz; k++)
		for (int j = 0; j < l->ny; j++)
			for (int i = 0; i < l->nx; i++) {
				const size_t at = multigrid_at(l, DIM, i, j, k);
				if (is[(k * l->ny + j) * l->nx + i])
					rows[at / PAIRS_CHUNK] |= 1u
								  << at % PAIRS_CHUNK / PAIRS_LANES;
			}
	for (int chunk = 0; chunk < layout->slots; chunk++) {
		if (!rows[chunk])
			continue;
		assert_int_equal(entry[0], chunk);
		assert_int_equal((u32)entry[3], rows[chunk]);
		entry += BRICK_WORDS;
		count++;
	}
	assert_int_equal(b->run[BRICKS_SOLVER].count, count);
	free(rows);
	return count;
}

/* The solver's lists hold every unknown, and no row without one. */
static void check_unknowns(const struct sim *sim)
{
	i32 *list = fixture_read(sim, &sim->lattice.bricks.list);
	uint8_t *is = unknowns_of(sim, 0, NULL);
	assert_true(check_chunks(sim, list, is) > 0 && check_level(sim, 0, list, is) > 0);
	for (int n = 1; n < sim->poisson.mg.count; n++) {
		uint8_t *coarser = unknowns_of(sim, n, is);
		free(is);
		is = coarser;
		assert_true(check_level(sim, n, list, is) > 0);
	}
	free(is);
	free(list);
}

static void unknowns_and_no_row_without(void)
{
	static const char *const scenes[] = {SPARSE, APIC WITH_SOLIDS, THIN};
	for (size_t s = 0; s < sizeof(scenes) / sizeof(scenes[0]); s++) {
		struct sim *sim = fixture_sim("%s", scenes[s]);
		for (int n = 0; n < 3; n++) {
			fixture_step(sim);
			check_unknowns(sim);
		}
		fixture_free(sim);
	}
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(same_fields_in_a_sparse_box), CASE(same_fields_with_solids_and_a_retry),
		CASE(same_fields_in_a_thin_box),   CASE(same_force_fields),
		CASE(same_bits_from_a_checkpoint), CASE(same_fields_without_liquid),
		CASE(unknowns_and_no_row_without),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
