/* host/device/selftest.c on a device: passes, catches a wrong result of every primitive, runs once. */
#include "stage_fixture.h"

#include <string.h>
#include <time.h>

#include "message.h"
#include "selftest.h"

static char last_error[2048];

static void keep_error(enum message_level level, const char *text, void *user)
{
	(void)user;
	if (level == MESSAGE_ERROR)
		strncpy(last_error, text, sizeof(last_error) - 1);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void test_passes(void **state)
{
	(void)state;
	const uint64_t before = clx_memory_in_use(fixture_device);
	assert_true(selftest_run(fixture_device));
	double start = seconds();
	assert_true(selftest_run(fixture_device));
	print_message("self-test, warm: %.1f ms\n", 1e3 * (seconds() - start));
	assert_true(clx_memory_in_use(fixture_device) == before);
}

static void test_catches(void **state)
{
	(void)state;
	static const char *const primitives[] = {"layout", "arithmetic", "atomics", "scan",
						 "sums",   "maxima",	 "sort"};
	const uint64_t before = clx_memory_in_use(fixture_device);
	message_set_sink(keep_error, NULL);
	for (size_t n = 0; n < sizeof(primitives) / sizeof(primitives[0]); n++) {
		last_error[0] = '\0';
		assert_false(selftest_run_planted(fixture_device, primitives[n]));
		assert_non_null(strstr(last_error, clx_info(fixture_device)->name));
		assert_non_null(strstr(last_error, primitives[n]));
		assert_non_null(strstr(last_error, "must be"));
	}
	message_set_sink(NULL, NULL);
	assert_true(clx_memory_in_use(fixture_device) == before);
}

/* The second time costs nothing, whatever the first one took. */
static void test_once(void **state)
{
	(void)state;
	assert_true(selftest_once(fixture_device));
	double start = seconds();
	for (int n = 0; n < 1000; n++)
		assert_true(selftest_once(fixture_device));
	assert_true(seconds() - start < 0.05);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_catches),
		cmocka_unit_test(test_once),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
