/* The progress line: speed and forecast without what compiling kernels takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "summary.h"

static struct scene scene = {.time = {.frames = 10, .fps = 2.0}};

/* A substep that took `seconds`, and the end of a frame. */
static void add(struct summary *summary, int frame, int substep, double seconds)
{
	const struct step_stats stats = {.frame = frame, .substep = substep, .time = frame / 2.0};
	summary_add_substep(summary, &stats, seconds);
}

static void frame(struct summary *summary, double seconds)
{
	assert_true(summary_add_frame(summary, seconds));
}

static const char *line(const struct summary *summary, char text[SUMMARY_LINE])
{
	return summary_line(summary, &scene, text);
}

static void test_first_substep_is_left_out(void **state)
{
	struct summary summary = {0};
	char text[SUMMARY_LINE];
	(void)state;
	add(&summary, 0, 0, 0.0);
	frame(&summary, 0.0);
	assert_null(strstr(line(&summary, text), "ms/substep"));
	/* 30 s of compilation; the substeps take 0.5 s, the picture nothing. */
	add(&summary, 1, 1, 30.5);
	assert_null(strstr(line(&summary, text), "ms/substep"));
	assert_null(strstr(line(&summary, text), "ETA"));
	add(&summary, 1, 2, 0.5);
	frame(&summary, 31.0);
	assert_non_null(strstr(line(&summary, text), "  500 ms/substep  ETA 0:09"));
	/* Frames of 1 s: 9 are left, then 8. */
	add(&summary, 2, 1, 0.5);
	add(&summary, 2, 2, 0.5);
	frame(&summary, 1.0);
	assert_non_null(strstr(line(&summary, text), "  500 ms/substep  ETA 0:08"));
	assert_float_equal(summary_ms_per_substep(&summary), 500.0, 1e-9);
	summary_free(&summary);
}

/* A resumed run compiles again: its first substep is left out, too. */
static void test_resumed(void **state)
{
	struct summary summary = {0};
	char text[SUMMARY_LINE];
	(void)state;
	add(&summary, 0, 0, 0.0);
	frame(&summary, 0.0);
	add(&summary, 1, 1, 30.5);
	add(&summary, 1, 2, 0.5);
	frame(&summary, 31.0);
	summary.compiled = false; /* no checkpoint holds it */
	add(&summary, 2, 1, 10.5);
	assert_float_equal(summary_ms_per_substep(&summary), 500.0, 1e-9);
	add(&summary, 2, 2, 0.5);
	frame(&summary, 11.0);
	/* 8 frames of two substeps of 0.5 s are left. */
	assert_non_null(strstr(line(&summary, text), "  500 ms/substep  ETA 0:08"));
	summary_free(&summary);
}

static void test_one_substep_per_frame(void **state)
{
	struct summary summary = {0};
	char text[SUMMARY_LINE];
	(void)state;
	add(&summary, 0, 0, 0.0);
	frame(&summary, 0.0);
	add(&summary, 1, 1, 30.25);
	frame(&summary, 30.25);
	assert_null(strstr(line(&summary, text), "ETA"));
	add(&summary, 2, 1, 0.25);
	frame(&summary, 0.25);
	assert_non_null(strstr(line(&summary, text), "  250 ms/substep  ETA 0:02"));
	summary_free(&summary);
}

static void test_milliseconds(void **state)
{
	char text[SUMMARY_NUMBER];
	(void)state;
	assert_string_equal(summary_milliseconds(2547.6, text), "2548");
	assert_string_equal(summary_milliseconds(99.96, text), "100");
	assert_string_equal(summary_milliseconds(53.24, text), "53.2");
	assert_string_equal(summary_milliseconds(9.996, text), "10.0");
	assert_string_equal(summary_milliseconds(0.1234, text), "0.12");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_substep_is_left_out),
		cmocka_unit_test(test_resumed),
		cmocka_unit_test(test_one_substep_per_frame),
		cmocka_unit_test(test_milliseconds),
	};
	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
