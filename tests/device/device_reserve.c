/* Room for more particles: nothing that the simulation does depends on how much there is. */
#include <stdio.h>
#include <string.h>

#include "checkpoint/checkpoint.h"
#include "message.h"
#include "reserve.h"
#include "sim_fields.h"
#include "stage_fixture.h"

#if DIM == 2
#define SIZE "[1, 1]"
#define LOW "[0, 0]"
#define HIGH "[0.5, 0.6]"
#define PLATE "{box: {min: [0.7, 0], max: [0.703, 0.5]}}"
#define DROP "{box: {min: [0.6, 0.5], max: [0.9, 0.9]}, at: 0}"
#else
#define SIZE "[1, 1, 1]"
#define LOW "[0, 0, 0]"
#define HIGH "[0.5, 0.6, 0.5]"
#define PLATE "{box: {min: [0.7, 0, 0], max: [0.703, 0.5, 1]}}"
#define DROP "{box: {min: [0.6, 0.5, 0], max: [0.9, 0.9, 0.5]}, at: 0}"
#endif

static struct fixture make(const char *transfer)
{
	return fixture_make("domain: {size: " SIZE ", cells: 16}\nliquid: {transfer: %s}\n"
			    "liquids: [{box: {min: " LOW ", max: " HIGH "}}]\nsolids: [" PLATE
			    "]\n",
			    transfer);
}

/* More comes in than was there at the start. */
static struct fixture make_with_emitter(void)
{
	return fixture_make("domain: {size: " SIZE ", cells: 16}\n"
			    "liquids: [{name: a, box: {min: " LOW ", max: " HIGH "}}]\n"
			    "emitters: [" DROP "]\n");
}

static u64 state_of(struct sim *sim)
{
	u64 hash;
	assert_true(sim_hash(sim, sim->frame, &hash));
	return hash;
}

static void test_growth_changes_no_bit(void **state)
{
	static const char *const transfers[] = {"flip", "apic"};
	(void)state;
	for (size_t t = 0; t < 2; t++) {
		struct fixture plain = make(transfers[t]), grown = make(transfers[t]);
		u32 capacity = grown.sim->particles.capacity;
		assert_true(sim_measure(plain.sim) && sim_measure(grown.sim));
		for (int step = 0; step < 6; step++) {
			/* By one, by a little, by much; and not at all. */
			capacity += step == 0 ? 1 : step == 3 ? 0 : capacity / (u32)(4 - step % 3);
			assert_true(sim_reserve(grown.sim, capacity));
			assert_int_equal(grown.sim->particles.capacity, capacity);
			assert_true(state_of(plain.sim) == state_of(grown.sim));
			assert_true(sim_substep(plain.sim) && sim_substep(grown.sim));
			assert_true(state_of(plain.sim) == state_of(grown.sim));
		}
		assert_true(sim_reserve(grown.sim, 1)); /* nothing to do */
		assert_int_equal(grown.sim->particles.capacity, capacity);
		fixture_free(&plain);
		fixture_free(&grown);
	}
}

static void keep_error(enum message_level level, const char *text, void *user)
{
	if (level == MESSAGE_ERROR)
		snprintf(user, 1000, "%s", text);
}

/* Whichever call fails on the way, the simulation is as it was. */
static void test_failed_growth(void **state)
{
	static const char *const transfers[] = {"flip", "apic"};
	static long calls; /* that fault.c has counted */
	char said[1000];
	(void)state;
	for (size_t t = 0; t < 2; t++) {
		struct fixture plain = make(transfers[t]), grown = make(transfers[t]);
		const u32 capacity = grown.sim->particles.capacity;
		assert_true(sim_measure(plain.sim) && sim_measure(grown.sim));
		const u64 before = state_of(grown.sim), memory = clx_memory_in_use(fixture_device);
		int failures = 0;
		message_set_sink(keep_error, said);
		for (long nth = 1;; nth++) {
			char fault[40];
			calls += nth;
			snprintf(fault, sizeof(fault), "opencl:%ld", calls);
			assert_int_equal(setenv("FRESHET_FAULT", fault, 1), 0);
			const bool ok = sim_reserve(grown.sim, 2 * capacity);
			assert_int_equal(unsetenv("FRESHET_FAULT"), 0);
			if (ok) {
				calls--; /* the one that did not come */
				break;
			}
			failures++;
			assert_int_equal(grown.sim->particles.capacity, capacity);
			assert_true(clx_memory_in_use(fixture_device) == memory);
			assert_true(state_of(grown.sim) == before);
		}
		message_set_sink(NULL, NULL);
		/* At least three for each of six buffers of particles. */
		assert_true(failures >= 18);
		assert_true(sim_substep(plain.sim) && sim_substep(grown.sim));
		assert_true(state_of(plain.sim) == state_of(grown.sim));
		fixture_free(&plain);
		fixture_free(&grown);
	}
}

/* A checkpoint has no fault where memory does not suffice for its particles. */
static void test_restore_without_room(void **state)
{
	struct fixture f = make_with_emitter(), other = make_with_emitter();
	struct checkpoint c = {0};
	char reason[FILE_READ_REASON], said[1000];
	(void)state;
	assert_true(sim_measure(f.sim) && sim_substep(f.sim) && sim_measure(other.sim));
	assert_true(f.sim->particles.count > other.sim->particles.capacity);
	assert_true(checkpoint_capture(&c, f.sim));
	const u64 before = state_of(other.sim);
	message_set_sink(keep_error, said);
	assert_int_equal(setenv("FRESHET_FAULT", "opencl:1+", 1), 0);
	const bool restored = checkpoint_restore(&c, other.sim, reason),
		   loaded = checkpoint_load_particles(&c, other.sim);
	assert_int_equal(unsetenv("FRESHET_FAULT"), 0);
	message_set_sink(NULL, NULL);
	assert_false(restored);
	assert_false(loaded);
	assert_string_equal(reason, "");
	assert_true(before == state_of(other.sim));
	assert_true(checkpoint_restore(&c, other.sim, reason));
	assert_true(state_of(f.sim) == state_of(other.sim));
	checkpoint_free(&c);
	fixture_free(&f);
	fixture_free(&other);
}

/* Ids are not given again: what may need more than there are is refused before the substep. */
static void test_ids_run_out(void **state)
{
	struct fixture f = make_with_emitter();
	struct id_ranges *ids = &f.sim->particles.ids;
	char said[1000] = "";
	(void)state;
	assert_true(sim_measure(f.sim));
	assert_true(id_ranges_add(ids, SIM_MAX_PARTICLES - 5 - ids->end, 0));
	const u64 before = state_of(f.sim);
	message_set_sink(keep_error, said);
	assert_false(sim_substep(f.sim));
	message_set_sink(NULL, NULL);
	assert_non_null(strstr(said, "134217727 at most"));
	assert_true(before == state_of(f.sim));
	assert_int_equal(ids->end, SIM_MAX_PARTICLES - 5);
	fixture_free(&f);
}

/* What is allocated is what is told for so many particles from the start. */
static void test_memory(void **state)
{
	struct fixture f = make("apic");
	uint64_t total, largest;
	(void)state;
	const uint64_t others = clx_memory_in_use(fixture_device);
	sim_memory(f.scene, f.sim->particles.capacity, f.sim->solids.split, NULL, 0, &total,
		   &largest);
	assert_true(others == total);
	const u32 more = 3 * f.sim->particles.capacity;
	assert_true(sim_reserve(f.sim, more));
	sim_memory(f.scene, more, f.sim->solids.split, NULL, 0, &total, &largest);
	assert_true(clx_memory_in_use(fixture_device) == total);
	fixture_free(&f);
}

/* More particles than there was room for. */
static void test_restart_with_more(void **state)
{
	struct fixture f = make("flip");
	const u32 count = f.sim->particles.capacity + 100;
	float *place = test_malloc(count * DIM * sizeof(*place));
	uint64_t random = 3;
	(void)state;
	for (u32 i = 0; i < count * DIM; i++)
		place[i] = (float)fixture_between(&random, 0.1, 0.6);
	const struct sim_particles given = {.count = count,
					    .values = {[ATTRIBUTE_POSITION] = place}};
	assert_true(sim_reserve(f.sim, count));
	assert_true(sim_restart(f.sim, &given));
	assert_true(sim_measure(f.sim) && sim_substep(f.sim));
	assert_int_equal(f.sim->stats.particles, count);
	test_free(place);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growth_changes_no_bit),
		cmocka_unit_test(test_failed_growth),
		cmocka_unit_test(test_restore_without_room),
		cmocka_unit_test(test_ids_run_out),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_restart_with_more),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
