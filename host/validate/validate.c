/* The driver: runs the cases that were asked for, one after the other, and tells what passed. */
#include "validate.h"
#include "junit/validate_junit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "clx.h"
#include "report.h"

#define CASE(name) &validate_##name,
const struct validate_case *const validate_cases[VALIDATE_CASE_COUNT] = {VALIDATE_CASES(CASE)};

int validate_find(const char *name)
{
	for (int i = 0; i < VALIDATE_CASE_COUNT; i++)
		if (strcmp(validate_cases[i]->name, name) == 0)
			return i;
	return -1;
}

/* Shows every message and keeps the last error: the reason of a case that could not be run. */
static void keep_error(enum message_level level, const char *text, void *user)
{
	struct validate *v = user;
	if (level == MESSAGE_NOTE || (level == MESSAGE_PROGRESS && !message_progress_due()))
		return;
	fprintf(stderr, "freshet: %s%s\n", level == MESSAGE_WARNING ? "warning: " : "", text);
	if (level == MESSAGE_ERROR)
		snprintf(v->last_error, sizeof(v->last_error), "%.255s", text);
}

static bool is_wanted(const struct validate_options *options, size_t index)
{
	const struct validate_case *self = validate_cases[index];
	if (options->dim && options->dim != self->dim)
		return false;
	for (size_t i = 0; i < options->case_count; i++)
		if (options->cases[i] == index)
			return true;
	return options->case_count == 0 && (self->quick || !options->quick);
}

static void run_one_case(struct validate *v, const struct validate_case *self)
{
	struct validate_result *result = &v->results[v->result_count++];
	char counts[64];
	const double start = clock_seconds();
	result->self = self;
	v->result = result;
	v->alters = NULL;
	v->last_error[0] = '\0';
	printf("%s (%dD): %s\n", self->name, self->dim, self->title);
	fflush(stdout);
	if (!self->run(v)) {
		result->broken = true;
		snprintf(result->reason, sizeof(result->reason), "%s",
			 v->last_error[0] ? v->last_error : "it could not be run");
	}
	result->seconds = clock_seconds() - start;
	if (result->broken)
		printf("  FAIL  could not be run: %s\n", result->reason);
	printf("  %s in %.1f s: %s\n\n", validate_passed(result) ? "passed" : "FAILED",
	       result->seconds,
	       validate_counts_text(validate_count(result, VALIDATE_PASS),
				    validate_count(result, VALIDATE_KNOWN),
				    validate_count_all(result), counts));
	fflush(stdout);
}

/* Told before minutes of running rather than after. */
static bool make_directory(const char *directory)
{
	struct stat status;
	if (mkdir(directory, 0777) == 0)
		return true;
	if (errno != EEXIST)
		return message_error("cannot create the directory '%s': %s", directory,
				     strerror(errno));
	if (stat(directory, &status) != 0 || !S_ISDIR(status.st_mode))
		return message_error("'%s' is not a directory", directory);
	return true;
}

static bool print_totals(const struct validate *v)
{
	size_t passed = 0, criteria = 0, met = 0, known = 0;
	char counts[64];
	for (size_t i = 0; i < v->result_count; i++) {
		const struct validate_result *result = &v->results[i];
		passed += validate_passed(result);
		met += validate_count(result, VALIDATE_PASS);
		known += validate_count(result, VALIDATE_KNOWN);
		criteria += validate_count_all(result);
	}
	printf("%zu of %zu cases passed, %s\nreport: %s/report.md\n", passed, v->result_count,
	       validate_counts_text(met, known, criteria, counts), v->options->directory);
	return passed == v->result_count;
}

static enum exit_code run_wanted_cases(struct validate *v)
{
	for (size_t i = 0; i < VALIDATE_CASE_COUNT; i++)
		if (is_wanted(v->options, i)) {
			run_one_case(v, validate_cases[i]);
			if (v->named_missing)
				return CODE_REFUSED;
			/* After each case: what is done is on the disk whatever follows. */
			if (!validate_write_report(v) ||
			    (v->options->junit && !validate_write_junit(v)))
				return CODE_FAILED;
		}
	if (v->result_count == 0) {
		message_error("no case is left of those asked for (see 'freshet validate --list')");
		return CODE_REFUSED;
	}
	return print_totals(v) ? CODE_DONE : CODE_FAILED;
}

enum exit_code validate_run(const struct validate_options *options)
{
	struct validate *v = calloc(1, sizeof(*v));
	if (!v) {
		message_memory(sizeof(*v), "the list of cases");
		return CODE_FAILED;
	}
	v->options = options;
	v->level = options->level   ? options->level
		   : options->quick ? VALIDATE_COARSE
				    : VALIDATE_USUAL;
	message_set_sink(keep_error, v);
	const enum exit_code code =
		make_directory(options->directory) ? run_wanted_cases(v) : CODE_FAILED;
	message_set_sink(NULL, NULL);
	for (size_t i = 0; i < v->result_count; i++)
		for (size_t n = 0; n < v->results[i].run_count; n++)
			free(v->results[i].runs[n]);
	clx_close(v->cl[0]);
	clx_close(v->cl[1]);
	free(v);
	return code;
}
