/* Device memory: what is said beforehand is what is allocated, and it keeps to docs/memory.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scene.h"
#include "sim.h"

#define ROWS 64

static struct scene *scene_of(const char *text)
{
	struct scene *scene = scene_read_text(text, strlen(text), "memory");
	assert_non_null(scene);
	return scene;
}

static void check_scene(struct clx *cl, const char *text)
{
	struct sim_memory_row rows[ROWS];
	struct scene *scene = scene_of(text);
	struct sim *sim = sim_create(scene, cl);
	uint64_t total = 0, largest = 0, sum = 0;
	assert_non_null(sim);
	const size_t count = sim_memory(scene, sim->particles.count, rows, ROWS, &total, &largest);
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
	struct clx *flat = clx_open(NULL, 2, false, NULL);
	assert_non_null(flat);
	check_scene(flat, "domain: {size: [1, 0.5], cells: 22}\n"
			  "liquids: [{box: {min: [0, 0], max: [0.3, 0.3]}}]\n");
	check_scene(flat, "domain: {size: [1, 1], cells: 17}\n");
	check_scene(flat, "domain: {size: [1, 1], cells: 32}\n"
			  "liquid: {transfer: apic, particles_per_cell: 9}\n"
			  "liquids: [{sphere: {center: [0.5, 0.5], radius: 0.3}}]\n"
			  "solver: {drift: density}\n"
			  "solids:\n"
			  "  - {sphere: {center: [0.2, 0.2], radius: 0.1}}\n"
			  "  - {polygon: {points: [[0.7, 0.1], [0.9, 0.1], [0.8, 0.3]]}}\n"
			  "  - {difference: [{box: {min: [0, 0.8], max: [1, 1]}},\n"
			  "                  {sphere: {center: [0.5, 0.8], radius: 0.1}}]}\n");
	clx_close(flat);
	struct clx *solid = clx_open(NULL, 3, false, NULL);
	assert_non_null(solid);
	check_scene(solid, "domain: {size: [1, 1, 1.5], cells: [8, 8, 12]}\n"
			   "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}}]\n"
			   "solids: [{box: {min: [0.6, 0, 0], max: [0.7, 0.5, 1]}}]\n");
	check_scene(solid, "domain: {size: [1, 1, 1], cells: 9}\nliquid: {transfer: apic}\n"
			   "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}}]\n");
	clx_close(solid);
}

static uint64_t bytes_of(const struct scene *scene, u32 particles)
{
	uint64_t total, largest;
	sim_memory(scene, particles, NULL, 0, &total, &largest);
	return total;
}

/* Bytes per particle, with enough of them that rounding does not count. */
static double per_particle(const char *text)
{
	struct scene *scene = scene_of(text);
	const u32 few = 1u << 20, many = 1u << 23;
	const uint64_t more = bytes_of(scene, many) - bytes_of(scene, few);
	scene_free(scene);
	return (double)more / (double)(many - few);
}

static void test_budget(void **state)
{
	(void)state;
	static const char flip[] = "domain: {size: [1, 1, 1], cells: 128}\n";
	static const char apic[] =
		"domain: {size: [1, 1, 1], cells: 128}\nliquid: {transfer: apic}\n";
	/* Two copies of x, v (and C) and id, two sort words; and sums of every 1024 particles. */
	const double sums = 7 * 8 / 1024.0;
	assert_true(per_particle(flip) <= 2 * (12 + 12 + 4) + 8 + sums);
	assert_true(per_particle(apic) <= 2 * (12 + 12 + 36 + 4) + 8 + sums);
	struct scene *scene = scene_of(flip);
	const uint64_t grid = bytes_of(scene, 0), two_million = bytes_of(scene, 2000000);
	scene_free(scene);
	assert_true(two_million < (uint64_t)1 << 30);
	/* docs/memory.md: not yet within the 96 bytes that are wanted. */
	assert_true((double)grid / (128.0 * 128.0 * 128.0) < 111.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_told_is_allocated),
		cmocka_unit_test(test_budget),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
