/* host/device/scan.c on a device: exclusive prefix sums against the host's, exactly. */
#include "stage_fixture.h"

#include "scan.h"

static void check_length(size_t n, uint64_t *random)
{
	union u32_buffer values = {0}, scratch = {0};
	u32 *expected = test_malloc((n + 1) * sizeof(*expected)), sum = 0;
	assert_true(clx_alloc(fixture_device, &values, "values", n + 1) &&
		    clx_alloc(fixture_device, &scratch, "scratch",
			      scan_scratch_bytes(n) / sizeof(u32)));
	/* Large values too: sums wrap as u32 do. */
	for (size_t i = 0; i < n; i++)
		expected[i] = (u32)(fixture_random(random) * (i % 7 ? 9.0 : 4294967296.0));
	expected[n] = 0xdeadbeefu; /* replaced by the total */
	fixture_write(&values, expected, (n + 1) * sizeof(u32));
	for (size_t i = 0; i <= n; i++) {
		u32 value = expected[i];
		expected[i] = sum;
		sum += value;
	}
	assert_true(scan_exclusive(fixture_device, &values, n, &scratch));
	u32 *got = fixture_read(&values, (n + 1) * sizeof(u32));
	for (size_t i = 0; i <= n; i++)
		if (got[i] != expected[i])
			fail_msg("length %zu: element %zu is %u, not %u", n, i, got[i],
				 expected[i]);
	test_free(got);
	test_free(expected);
	clx_free(fixture_device, &values);
	clx_free(fixture_device, &scratch);
}

static void test_lengths(void **state)
{
	(void)state;
	static const size_t lengths[] = {1,    2,    31,    255,    256,     257,
					 271,  272,  273,   1000,   1024,    1025,
					 4096, 4097, 65537, 300001, 1048576, 1048577};
	uint64_t random = 1;
	for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++)
		check_length(lengths[l], &random);
}

static void test_small_scratch(void **state)
{
	(void)state;
	union u32_buffer values = {0}, scratch = {0};
	assert_true(clx_alloc(fixture_device, &values, "values", 1001) &&
		    clx_alloc(fixture_device, &scratch, "scratch", 1));
	assert_false(scan_exclusive(fixture_device, &values, 1000, &scratch));
	clx_free(fixture_device, &values);
	clx_free(fixture_device, &scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_small_scratch),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
