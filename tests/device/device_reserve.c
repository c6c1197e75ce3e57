/* Room for more particles: nothing that the simulation does depends on how much there is. */
#include "reserve.h"
#include "sim_fields.h"
#include "stage_fixture.h"

#if DIM == 2
#define SIZE "[1, 1]"
#define LOW "[0, 0]"
#define HIGH "[0.5, 0.6]"
#define PLATE "{box: {min: [0.7, 0], max: [0.703, 0.5]}}"
#else
#define SIZE "[1, 1, 1]"
#define LOW "[0, 0, 0]"
#define HIGH "[0.5, 0.6, 0.5]"
#define PLATE "{box: {min: [0.7, 0, 0], max: [0.703, 0.5, 1]}}"
#endif

static struct fixture make(const char *transfer)
{
	return fixture_make("domain: {size: " SIZE ", cells: 16}\nliquid: {transfer: %s}\n"
			    "liquids: [{box: {min: " LOW ", max: " HIGH "}}]\nsolids: [" PLATE
			    "]\n",
			    transfer);
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
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_restart_with_more),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
