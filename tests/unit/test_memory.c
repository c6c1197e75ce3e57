/* Device memory: what is said beforehand is what is allocated, and it keeps to docs/memory.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "message.h"
#include "scene.h"
#include "sim.h"
#include "sim_fields.h"
#include "sim_memory.h"

#define ROWS 64

static struct scene *scene_of(const char *text)
{
	struct scene *scene = scene_read_text(text, strlen(text), "memory");
	assert_non_null(scene);
	return scene;
}

static void check_scene(struct clx *cl, const char *text, bool split)
{
	struct sim_memory_row rows[ROWS];
	struct scene *scene = scene_of(text);
	struct sim *sim = sim_create(scene, cl);
	uint64_t total = 0, largest = 0, sum = 0;
	double sure;
	assert_non_null(sim);
	sim_estimate_particles(scene, &sure, NULL);
	assert_true(sure <= sim->particles.count);
	assert_int_equal(sim->solids.split, split);
	const size_t count = sim_memory(scene, sim->particles.count, sim->solids.split, rows, ROWS,
					&total, &largest);
	assert_true(clx_memory_in_use(cl) == total);
	/* Rows leave out empty buffers, which take an element each: at most 40 bytes. */
	for (size_t i = 0; i < count; i++) {
		sum += rows[i].bytes;
		assert_true(rows[i].bytes <= largest);
	}
	assert_true(count < ROWS && sum <= total && total - sum < 40 * 8);
	/* Nothing is allocated later. */
	assert_true(sim_measure(sim) && sim_substep(sim));
	assert_true(clx_memory_in_use(cl) == total);
	sim_destroy(sim);
	assert_true(clx_memory_in_use(cl) == 0);
	scene_free(scene);
}

static void test_told_is_allocated(void **state)
{
	(void)state;
	struct clx *flat = clx_open(NULL, 2, false, false, NULL);
	assert_non_null(flat);
	check_scene(flat,
		    "domain: {size: [1, 0.5], cells: 22}\n"
		    "liquids: [{box: {min: [0, 0], max: [0.3, 0.3]}}]\n",
		    false);
	check_scene(flat, "domain: {size: [1, 1], cells: 17}\n", false);
	check_scene(flat,
		    "domain: {size: [1, 1], cells: 32}\n"
		    "liquid: {transfer: apic, particles_per_cell: 9}\n"
		    "liquids: [{sphere: {center: [0.5, 0.5], radius: 0.3}}]\n"
		    "solver: {drift: density}\n"
		    "solids:\n"
		    "  - {sphere: {center: [0.2, 0.2], radius: 0.1}}\n"
		    "  - {polygon: {points: [[0.7, 0.1], [0.9, 0.1], [0.8, 0.3]]}}\n"
		    "  - {difference: [{box: {min: [0, 0.8], max: [1, 1]}},\n"
		    "                  {sphere: {center: [0.5, 0.8], radius: 0.1}}]}\n",
		    false);
	check_scene(flat,
		    "domain: {size: [1, 1], cells: 32}\n"
		    "liquids: [{box: {min: [0, 0], max: [0.5, 0.5]}}]\n"
		    "solids: [{box: {min: [0.2, 0], max: [0.205, 1]}}]\n",
		    true);
	clx_close(flat);
	struct clx *solid = clx_open(NULL, 3, false, false, NULL);
	assert_non_null(solid);
	check_scene(solid,
		    "domain: {size: [1, 1, 1.5], cells: [8, 8, 12]}\n"
		    "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}}]\n"
		    "solids: [{box: {min: [0.6, 0, 0], max: [0.95, 0.5, 1]}}]\n",
		    false);
	check_scene(solid,
		    "domain: {size: [1, 1, 1], cells: 8}\nliquid: {transfer: apic}\n"
		    "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}}]\n"
		    "solids: [{box: {min: [0.55, 0, 0], max: [0.56, 1, 1]}}]\n",
		    true);
	check_scene(solid,
		    "domain: {size: [1, 1, 1], cells: 9}\nliquid: {transfer: apic}\n"
		    "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}}]\n",
		    false);
	clx_close(solid);
}

static void ignore(enum message_level level, const char *text, void *user)
{
	(void)level;
	(void)text;
	(void)user;
}

/* The places of seeds are random: within five deviations of their number. */
static void check_estimate(const char *text, double exact)
{
	struct scene *scene = scene_of(text);
	double sure, about = sim_estimate_particles(scene, &sure, NULL), looked_at = 1.0;
	for (int axis = 0; axis < scene->dim; axis++)
		looked_at *= 2.0 * scene->cells[axis];
	/* Of more than two million an eighth or more is looked at, until there are few enough. */
	while (looked_at > 2e6)
		looked_at /= scene->dim == 2 ? 4.0 : 8.0;
	const double share = looked_at / (pow(2.0, scene->dim) * pow(scene->cells[0], scene->dim));
	assert_true(fabs(about - exact) <= 5.0 * sqrt(exact / share));
	assert_true(sure <= exact);
	assert_true(sure >= exact - 10.0 * sqrt(exact / share) - 25.0 / share);
	scene_free(scene);
}

static void test_estimate(void **state)
{
	(void)state;
	message_set_sink(ignore, NULL);
	check_estimate("domain: {size: [1, 1], cells: 100}\n"
		       "liquids: [{box: {min: [0, 0], max: [0.5, 1]}}]\n",
		       20000.0);
	check_estimate("domain: {size: [1, 1, 1], cells: 300}\n"
		       "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.7, 1]}}]\n"
		       "solids: [{box: {min: [0, 0.1, 0], max: [1, 0.2, 1]}}]\n",
		       0.3 * 8.0 * 300.0 * 300.0 * 300.0);
	/* Layers thinner than a cell: by volume if seeds may be anywhere, else all rows or none. */
	static const char layer[] = "domain: {size: [1, 1], cells: 1000}\n"
				    "liquid: {jitter: %d}\n"
				    "liquids: [{box: {min: [0, 0.5], max: [1, %g]}}]\n";
	const struct {
		int jitter;
		double top, rows;
	} cases[] = {{1, 0.5003, 0.6}, {1, 0.5006, 1.2}, {0, 0.5002, 0.0},
		     {0, 0.5003, 1.0}, {0, 0.5007, 1.0}, {0, 0.5008, 2.0}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		snprintf(text, sizeof(text), layer, cases[i].jitter, cases[i].top);
		check_estimate(text, cases[i].rows * 2000.0);
	}
	message_set_sink(NULL, NULL);
}

static uint64_t bytes_of(const struct scene *scene, u32 particles, bool split)
{
	uint64_t total, largest;
	sim_memory(scene, particles, split, NULL, 0, &total, &largest);
	return total;
}

/* Bytes per particle, with enough of them that rounding does not count. */
static double per_particle(const char *text, bool split)
{
	struct scene *scene = scene_of(text);
	const u32 few = 1u << 20, many = 1u << 23;
	const uint64_t more = bytes_of(scene, many, split) - bytes_of(scene, few, split);
	scene_free(scene);
	return (double)more / (double)(many - few);
}

/* Of the grid alone. */
static double per_cell(const char *text)
{
	struct scene *scene = scene_of(text);
	double cells = 1.0;
	for (int axis = 0; axis < scene->dim; axis++)
		cells *= scene->cells[axis];
	const double bytes = (double)bytes_of(scene, 0, false);
	scene_free(scene);
	return bytes / cells;
}

/* The aims of docs/memory.md: at most 96 B per cell, 64 B per particle, 136 B with APIC. */
static void test_budget(void **state)
{
	(void)state;
	static const char flat[] = "domain: {size: [1, 1], cells: 1024}\n";
	static const char flat_apic[] =
		"domain: {size: [1, 1], cells: 1024}\nliquid: {transfer: apic}\n";
	static const char flip[] = "domain: {size: [1, 1, 1], cells: 128}\n";
	static const char apic[] =
		"domain: {size: [1, 1, 1], cells: 128}\nliquid: {transfer: apic}\n";
	static const char density[] =
		"domain: {size: [1, 1, 1], cells: 128}\nsolver: {drift: density}\n";
	static const char ball[] = "domain: {size: [1, 1, 1], cells: 128}\n"
				   "solids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.2}}]\n";
	static const char disc[] = "domain: {size: [1, 1], cells: 1024}\n"
				   "solids: [{sphere: {center: [0.5, 0.5], radius: 0.2}}]\n";
	static const char flat_grid[] = "method: grid\ndomain: {size: [1, 1], cells: 1024}\n";
	static const char grid[] = "method: grid\ndomain: {size: [1, 1, 1], cells: 128}\n";
	static const char flat_sph[] = "method: sph\ndomain: {size: [1, 1], cells: 1024}\n";
	static const char sph[] = "method: sph\ndomain: {size: [1, 1, 1], cells: 128}\n";
	static const char small[] = "domain: {size: [1, 1, 1], cells: 64}\n";
	assert_true(per_cell(flat) <= 96.0);
	assert_true(per_cell(flip) <= 96.0);
	assert_true(per_cell(apic) <= 96.0);
	assert_true(per_cell(density) <= 96.0);
	assert_true(per_cell(ball) <= 96.0);
	assert_true(per_cell(disc) <= 96.0);
	assert_true(per_cell(small) <= 96.0);
	assert_true(per_cell(flat_grid) <= 96.0);
	assert_true(per_cell(grid) <= 96.0);
	assert_true(per_particle(flat, false) <= 64.0);
	assert_true(per_particle(flip, false) <= 64.0);
	assert_true(per_particle(flat_apic, false) <= 136.0);
	assert_true(per_particle(apic, false) <= 136.0);
	/* Two copies of x, v (and C) and id, nothing else; and sums of every 1024 particles. */
	const double sums = 7 * 8 / 1024.0;
	assert_true(per_particle(flip, false) <= 2 * (12 + 12 + 4) + sums);
	assert_true(per_particle(apic, false) <= 2 * (12 + 12 + 36 + 4) + sums);
	/* Where solids cut cells apart, a number more. */
	assert_true(fabs(per_particle(flip, true) - per_particle(flip, false) - 4.0) < 1e-5);
	assert_true(fabs(per_particle(flat, true) - per_particle(flat, false) - 4.0) < 1e-5);
	assert_true(per_particle(flip, true) <= 64.0);
	assert_true(per_particle(apic, true) <= 136.0);
	/* Lists and gradients beside them apart. */
	assert_true(per_particle(flat_sph, false) - 2 * 4 * 32 <= 128.0);
	assert_true(per_particle(sph, false) - 2 * 4 * 72 <= 128.0);
	struct scene *scene = scene_of(flip);
	const uint64_t two_million = bytes_of(scene, 2000000, false);
	scene_free(scene);
	assert_true(two_million < (uint64_t)1 << 30);
}

/* ---- the largest grid that fits ----------------------------------------------------------- */

/* Memory of the scene read anew with another number of cells along x; false: not a grid of it. */
static bool memory_with(const char *format, int cells, double particles, uint64_t *total,
			uint64_t *largest)
{
	char text[512];
	snprintf(text, sizeof(text), format, cells);
	struct scene *scene = scene_read_text(text, strlen(text), "memory");
	if (scene)
		sim_memory(scene, (u32)particles, false, NULL, 0, total, largest);
	scene_free(scene);
	return scene != NULL;
}

#define CELLS_MOST 96

/* Against all grids with fewer cells along x that the scene reader takes. */
static void check_largest(const char *format, int cells, double particles, bool follows)
{
	char text[512];
	snprintf(text, sizeof(text), format, cells);
	struct scene *scene = scene_of(text);
	const struct sim_particle_need need = {.count = particles, .follows_cells = follows};
	uint64_t total, largest, t[CELLS_MOST], b[CELLS_MOST];
	bool is_grid[CELLS_MOST];
	assert_true(cells <= CELLS_MOST);
	sim_memory(scene, (u32)particles, false, NULL, 0, &total, &largest);
	for (int x = 1; x < cells; x++) {
		double part = particles;
		for (int a = 0; a < scene->dim && follows; a++)
			part *= (double)x / cells;
		is_grid[x] = memory_with(format, x, part, &t[x], &b[x]);
	}
	for (int share = 1; share <= 9; share += 2)
		for (int by_buffer = 0; by_buffer <= 1; by_buffer++) {
			const uint64_t most = (by_buffer ? largest : total) * (uint64_t)share / 10;
			const struct sim_memory_limit limit = {by_buffer ? total : most,
							       by_buffer ? most : largest};
			int expected = 0, grid[3];
			for (int x = 1; x < cells; x++)
				if (is_grid[x] && t[x] <= limit.total && b[x] <= limit.buffer)
					expected = x;
			assert_int_equal(sim_largest_grid(scene, need, limit, grid), expected);
			for (int a = 0; a < scene->dim && expected; a++)
				assert_int_equal(grid[a], scene->cells[a] * expected / cells);
		}
	scene_free(scene);
}

/* A layer of one cell is a multiple of no coarser grid: smaller ones of the same cells are tried.
 */
static void test_largest_box(void **state)
{
	(void)state;
	static const char format[] = "domain: {size: [%g, %g, 0.0625], cells: [%d, %d, 1]}\n";
	enum { X = 48, Y = 32 };
	uint64_t total[X + 1], largest[X + 1];
	int grid[3];
	for (int x = 1; x <= X; x++) {
		char text[256];
		const int y = x * Y / X > 0 ? x * Y / X : 1;
		snprintf(text, sizeof(text), format, x / 16.0, y / 16.0, x, y);
		struct scene *scene = scene_of(text);
		sim_memory(scene, (u32)(8 * x * y), false, NULL, 0, &total[x], &largest[x]);
		scene_free(scene);
	}
	char text[256];
	snprintf(text, sizeof(text), format, X / 16.0, Y / 16.0, X, Y);
	struct scene *scene = scene_of(text);
	const struct sim_particle_need need = {.count = 8 * X * Y, .follows_cells = true};
	for (int share = 1; share <= 9; share++) {
		const struct sim_memory_limit limit = {total[X] * (uint64_t)share / 10, largest[X]};
		int expected = 0;
		for (int x = 1; x <= X; x++)
			if (total[x] <= limit.total)
				expected = x;
		assert_int_equal(sim_largest_grid(scene, need, limit, grid), 0);
		assert_int_equal(sim_largest_box(scene, need, limit, grid), expected);
		if (expected) {
			assert_int_equal(grid[0], expected);
			assert_int_equal(grid[1], expected * Y / X > 0 ? expected * Y / X : 1);
			assert_int_equal(grid[2], 1);
		}
	}
	scene_free(scene);
}

static void test_largest_grid(void **state)
{
	(void)state;
	message_set_sink(ignore, NULL); /* grids that are refused */
	check_largest("domain: {size: [2, 1], cells: %d}\n", 96, 4000, true);
	check_largest("domain: {size: [2, 1], cells: %d}\n", 96, 4000, false);
	check_largest("domain: {size: [1, 1, 1.5], cells: %d}\nliquid: {transfer: apic}\n", 32,
		      100000, true);
	check_largest("domain: {size: [0.7, 0.3], cells: %d}\n", 91, 0, true);
	message_set_sink(NULL, NULL);
}

/* ---- what a device allows ----------------------------------------------------------------- */

static void keep(enum message_level level, const char *text, void *user)
{
	(void)level;
	snprintf(user, 1024, "%s", text);
}

static void test_limits(void **state)
{
	(void)state;
	char said[1024] = "";
	struct clx *cl = clx_open(NULL, 2, false, false, NULL);
	assert_non_null(cl);
	const struct clx_device_info *info = clx_info(cl);
	union pair_buffer pairs = {0}, view = {0};
	const i32 from = 0, chunks = 1;
	assert_true(clx_alloc(cl, &pairs, "pairs", 2 * CLX_VIEW_ALIGNMENT / sizeof(struct pair)));
	assert_true(LAUNCH(cl, reduce_total, clx_groups(cl, 1), .partial = &pairs,
			   .from = I32(from), .chunks = I32(chunks), .totals = &pairs,
			   .at = I32(from), .lane = LOCAL(PAIRS_FINAL_LANES * 2 * sizeof(f32))));
	message_set_sink(keep, said);
	/* More local memory than there is. */
	assert_false(LAUNCH(cl, reduce_total, clx_groups(cl, 1), .partial = &pairs,
			    .from = I32(from), .chunks = I32(chunks), .totals = &pairs,
			    .at = I32(from), .lane = LOCAL(info->local_memory + 8)));
	assert_non_null(strstr(said, "reduce_total"));
	assert_non_null(strstr(said, "local memory"));
	/* A group that is larger than any. */
	struct clx_range range = clx_range1(4 * info->max_work_group);
	range.local[0] = 2 * info->max_work_group;
	range.local[1] = range.local[2] = 1;
	assert_false(LAUNCH(cl, reduce_total, range, .partial = &pairs, .from = I32(from),
			    .chunks = I32(chunks), .totals = &pairs, .at = I32(from),
			    .lane = LOCAL(PAIRS_FINAL_LANES * 2 * sizeof(f32))));
	assert_non_null(strstr(said, "reduce_total"));
	assert_non_null(strstr(said, "work-items"));
	/* What is not given is named; 0 is a value. */
	said[0] = '\0';
	assert_false(LAUNCH(cl, reduce_total, clx_groups(cl, 1), .partial = &pairs,
			    .from = I32(from), .chunks = I32(chunks), .at = I32(from),
			    .lane = LOCAL(PAIRS_FINAL_LANES * 2 * sizeof(f32))));
	assert_non_null(strstr(said, "kernel reduce_total: its argument 'totals' is missing"));
	assert_false(LAUNCH(cl, reduce_total, clx_groups(cl, 1), .partial = &pairs,
			    .from = I32(from), .totals = &pairs, .at = I32(from),
			    .lane = LOCAL(PAIRS_FINAL_LANES * 2 * sizeof(f32))));
	assert_non_null(strstr(said, "'chunks' is missing"));
	assert_false(LAUNCH(cl, reduce_total, clx_groups(cl, 1), .partial = &pairs,
			    .from = I32(from), .chunks = I32(chunks), .totals = &pairs,
			    .at = I32(from)));
	assert_non_null(strstr(said, "'lane' is missing"));
	/* Views: whole multiples of what the device wants. */
	assert_true(info->view_alignment > 0 && CLX_VIEW_ALIGNMENT % info->view_alignment == 0);
	if (info->view_alignment > 1) {
		assert_false(clx_view(cl, &pairs, info->view_alignment / 2, 1, "odd", &view));
		assert_non_null(strstr(said, "odd"));
	}
	assert_true(clx_view(cl, &pairs, info->view_alignment, 1, "even", &view));
	message_set_sink(NULL, NULL);
	clx_free(cl, &view);
	clx_free(cl, &pairs);
	clx_close(cl);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_told_is_allocated),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_largest_grid),
		cmocka_unit_test(test_largest_box),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
