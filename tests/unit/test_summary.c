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
	assert_non_null(
		strstr(line(&summary, text), "frame 1/10  ETA 0:09  t 0.5000 s  500 ms/substep"));
	/* Frames of 1 s: 9 are left, then 8. */
	add(&summary, 2, 1, 0.5);
	add(&summary, 2, 2, 0.5);
	frame(&summary, 1.0);
	assert_non_null(
		strstr(line(&summary, text), "frame 2/10  ETA 0:08  t 1.0000 s  500 ms/substep"));
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
	assert_non_null(strstr(line(&summary, text), "  ETA 0:08  t 1.0000 s  500 ms/substep"));
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
	assert_non_null(strstr(line(&summary, text), "  ETA 0:02  t 1.0000 s  250 ms/substep"));
	summary_free(&summary);
}

/* On 80 columns there are at least these of a run of a week. */
static void test_narrow_terminal(void **state)
{
	const struct scene long_scene = {.time = {.frames = 99999, .fps = 24.0}};
	struct summary summary = {0};
	char text[SUMMARY_LINE];
	(void)state;
	add(&summary, 0, 0, 0.0);
	frame(&summary, 0.0);
	for (int n = 1; n <= 3; n++) {
		add(&summary, n, 1, 5.0);
		frame(&summary, 5.0);
	}
	summary.last = (struct step_stats){.frame = 10000,
					   .time = 10000 / 24.0,
					   .dt = 1.0 / 240.0,
					   .particles = 134217727,
					   .pressure_iterations = 100};
	summary_line(&summary, &long_scene, text);
	text[79] = '\0';
	assert_string_equal(text,
			    "frame 10000/99999  ETA 124:59:55  t 416.6667 s  5000 ms/substep  "
			    "134217727 part");
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
		cmocka_unit_test(test_narrow_terminal),
		cmocka_unit_test(test_milliseconds),
	};
	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
