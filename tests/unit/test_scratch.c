/* The planner of scratch memory: what is alive at the same moment never shares a byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "message.h"
#include "methods/method_check.h"
#include "random_unit.h"
#include "scene.h"
#include "sim_fields.h"
#include "sim_method.h"

static void ignore(enum message_level level, const char *text, void *user)
{
	(void)level;
	(void)text;
	(void)user;
}

static int below(uint64_t *random, int n)
{
	return (int)(random_unit(random) * n);
}

/* By bytes and moments one after the other, without the planner's own tests. */
static bool collide(const struct scratch_part *a, const struct scratch_part *b)
{
	if (a->in != b->in || a->at >= b->at + b->bytes || b->at >= a->at + a->bytes)
		return false;
	for (int phase = 0; phase < PHASES; phase++)
		for (int stage = 0; stage < 32; stage++)
			if ((a->live.at[phase] >> stage & 1) && (b->live.at[phase] >> stage & 1))
				return true;
	return false;
}

static void check_plan(const struct scratch_part *parts, size_t count, size_t bytes,
		       const struct scratch_lender *lenders, size_t lender_count)
{
	for (size_t i = 0; i < count; i++) {
		size_t room = bytes;
		assert_int_equal(parts[i].at % CLX_VIEW_ALIGNMENT, 0);
		for (size_t l = 0; l < lender_count; l++) {
			if (parts[i].in != lenders[l].buffer)
				continue;
			room = lenders[l].bytes;
			assert_true(parts[i].borrows);
			for (int phase = 0; phase < PHASES; phase++)
				assert_false(parts[i].live.at[phase] & lenders[l].busy.at[phase]);
		}
		assert_true(parts[i].at + parts[i].bytes <= room);
		for (size_t j = 0; j < i; j++)
			if (collide(&parts[i], &parts[j]))
				fail_msg("'%s' and '%s' share memory", parts[i].name,
					 parts[j].name);
	}
}

#define MOST 24

static void test_random_lives(void **state)
{
	struct clx_buffer owners[3];
	uint64_t random = 5;
	size_t borrowed = 0, shared = 0;
	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct scratch_part parts[MOST] = {{0}};
		struct scratch_lender lenders[3] = {{0}};
		const size_t count = (size_t)below(&random, MOST) + 1;
		size_t sum = 0;
		for (size_t l = 0; l < 3; l++) {
			lenders[l].buffer = &owners[l];
			lenders[l].bytes = (size_t)below(&random, 40000);
			moments_add(&lenders[l].busy, (size_t)below(&random, 6), PHASE_LISTS,
				    (enum phase)below(&random, PHASES));
		}
		for (size_t i = 0; i < count; i++) {
			parts[i].name = "part";
			parts[i].bytes = (size_t)below(&random, 20000) + 1;
			parts[i].borrows = below(&random, 4) == 0;
			const int from = below(&random, 6), to = from + below(&random, 6 - from);
			moments_add_span(&parts[i].live, (size_t)from, PHASE_SETUP, (size_t)to,
					 PHASE_SOLVE);
			if (below(&random, 3) == 0) /* a life with a pause */
				moments_add(&parts[i].live, (size_t)below(&random, 6), PHASE_LISTS,
					    PHASE_AFTER);
			sum += fields_aligned(parts[i].bytes);
		}
		const size_t bytes = scratch_plan(parts, count, lenders, 3);
		check_plan(parts, count, bytes, lenders, 3);
		for (size_t i = 0; i < count; i++)
			borrowed += parts[i].in != NULL;
		shared += bytes < sum;
	}
	assert_true(borrowed > 100 && shared > 1000);
}

/* A span is all phases between its ends. */
static void test_spans(void **state)
{
	struct moments m = {{0}}, other = {{0}};
	(void)state;
	moments_add_span(&m, 2, PHASE_SOLVE, 4, PHASE_SETUP);
	const uint32_t expected[PHASES] = {[PHASE_LISTS] = 0x18,
					   [PHASE_SETUP] = 0x18,
					   [PHASE_SOLVE] = 0x0c,
					   [PHASE_AFTER] = 0x0c};
	assert_memory_equal(m.at, expected, sizeof(expected));
	moments_add(&other, 2, PHASE_LISTS, PHASE_SETUP);
	moments_add(&other, 4, PHASE_SOLVE, PHASE_AFTER);
	assert_false(moments_meet(&m, &other));
	moments_add(&other, 3, PHASE_AFTER, PHASE_AFTER);
	assert_true(moments_meet(&m, &other));
}

static struct scene *scene_of(const char *text)
{
	struct scene *scene = scene_read_text(text, strlen(text), "scratch");
	assert_non_null(scene);
	return scene;
}

static const struct scratch_part *part_named(const struct scratch_part *parts, size_t count,
					     const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(parts[i].name, name) == 0)
			return &parts[i];
	fail_msg("no part '%s'", name);
	return NULL;
}

static const char *const texts[] = {
	"domain: {size: [1, 1], cells: 1}\n",
	"domain: {size: [1, 1], cells: 8}\n",
	"domain: {size: [1, 0.01], cells: 100}\n",
	"domain: {size: [1, 1], cells: 129}\nliquid: {transfer: apic}\n",
	"domain: {size: [1, 1], cells: 64}\nsolids: [{sphere: {center: [0.5, 0.5], radius: 0.2}}]\n",
	"domain: {size: [1, 1, 1], cells: 1}\n",
	"domain: {size: [1, 1, 1], cells: 40}\nliquid: {transfer: apic}\n",
	("domain: {size: [1, 1, 1], cells: 31}\n"
	 "solids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.2}}]\n"),
};

/* The plan of the method, for solids that cut the solver's cells and for none. */
static void test_flip(void **state)
{
	(void)state;
	for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
		struct scene *scene = scene_of(texts[t]);
		struct sim sim = {0};
		sim_outline(&sim, scene, 1000);
		for (int split = 0; split <= (scene->solid_count > 0); split++) {
			struct scratch_part parts[SIM_PARTS];
			size_t bytes;
			sim_plan_solver(&sim, split != 0);
			const size_t count = sim_plan_scratch(&sim, parts, &bytes);
			check_plan(parts, count, bytes, NULL, 0);
			assert_true(bytes <= sim.scratch_bytes);
			/* The right-hand sides take no memory. */
			assert_ptr_equal(part_named(parts, count, "pressure right-hand side")->in,
					 &sim.pressure.raw);
			assert_ptr_equal(part_named(parts, count, "drift right-hand side")->in,
					 &sim.particles.cell_start.raw);
		}
		scene_free(scene);
	}
}

/* What was in an order only because memory was shared may be in another: it costs memory then. */
static void test_other_order(void **state)
{
	struct scene *scene = scene_of(texts[3]);
	struct stage stages[MOMENT_START];
	struct scratch_part parts[SIM_PARTS];
	struct sim sim = {0};
	size_t bytes, usual, drift = 0, statistics = 0;
	(void)state;
	sim_outline(&sim, scene, 1000);
	usual = sim.scratch_bytes;
	struct method other = *sim.method;
	memcpy(stages, other.stages, other.stage_count * sizeof(stages[0]));
	for (size_t s = 0; s < other.stage_count; s++) {
		drift = strcmp(stages[s].name, "drift") == 0 ? s : drift;
		statistics = strcmp(stages[s].name, "cell_statistics") == 0 ? s : statistics;
	}
	assert_true(statistics < drift);
	const struct stage swap = stages[drift];
	stages[drift] = stages[statistics];
	stages[statistics] = swap;
	other.stages = stages;
	sim.method = &other;
	const size_t count = sim_plan_scratch(&sim, parts, &bytes);
	check_plan(parts, count, bytes, NULL, 0);
	const struct scratch_part *rhs = part_named(parts, count, "drift right-hand side");
	assert_ptr_not_equal(rhs->in, &sim.particles.cell_start.raw);
	/* The pressure holds its value by then. */
	assert_null(rhs->in);
	assert_true(bytes <= usual + fields_aligned(rhs->bytes));
	scene_free(scene);
}

/* A stage between the forces and the projection that forgets what the forces add is refused. */
static void test_kick(void **state)
{
	struct stage stages[MOMENT_START];
	struct method other = *method_find("flip");
	size_t after = 0;
	(void)state;
	while (strcmp(other.stages[after++].name, "forces") != 0)
		;
	memcpy(stages, other.stages, after * sizeof(stages[0]));
	memcpy(stages + after + 1, other.stages + after,
	       (other.stage_count - after) * sizeof(stages[0]));
	stages[after] = (struct stage){.name = "drag", .reads = {USE(u_face)}};
	other.stages = stages;
	other.stage_count++;
	message_set_sink(ignore, NULL);
	assert_false(method_check(&other));
	stages[after] = (struct stage){.name = "drag", .reads = {USE(u_face), USE(kick)}};
	assert_true(method_check(&other));
	stages[after].reads[2].member = 1; /* no field */
	assert_false(method_check(&other));
	message_set_sink(NULL, NULL);
}

/* All rows name fields that there are. */
static void test_rows(void **state)
{
	(void)state;
	const struct method *flip = method_find("flip");
	assert_non_null(flip);
	assert_true(method_check(flip));
	assert_null(method_find("none"));
	assert_null(method_field(flip, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans), cmocka_unit_test(test_random_lives),
		cmocka_unit_test(test_flip),  cmocka_unit_test(test_other_order),
		cmocka_unit_test(test_rows),  cmocka_unit_test(test_kick),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
