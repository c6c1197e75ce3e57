#include "validate_junit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file_stream.h"
#include "known_misses.h"
#include "utf8.h"

/* A text in an attribute.  XML 1.0 has no control characters. */
static void write_escaped(struct file_stream *file, const char *text)
{
	while (*text) {
		const size_t length = utf8_length(text);
		switch (*text) {
		case '&':
			file_stream_text(file, "&amp;");
			break;
		case '<':
			file_stream_text(file, "&lt;");
			break;
		case '>':
			file_stream_text(file, "&gt;");
			break;
		case '"':
			file_stream_text(file, "&quot;");
			break;
		default:
			if (length == 0 || (unsigned char)*text < 0x20)
				file_stream_text(file, "?");
			else
				file_stream_write(file, text, length);
		}
		text += length ? length : 1;
	}
}

static void write_attribute(struct file_stream *file, const char *name, const char *value)
{
	file_stream_text(file, " ");
	file_stream_text(file, name);
	file_stream_text(file, "=\"");
	write_escaped(file, value);
	file_stream_text(file, "\"");
}

static void write_number(struct file_stream *file, const char *name, double value)
{
	char text[40];
	snprintf(text, sizeof(text), "%.3f", value);
	write_attribute(file, name, text);
}

static void write_count(struct file_stream *file, const char *name, size_t value)
{
	char text[40];
	snprintf(text, sizeof(text), "%zu", value);
	write_attribute(file, name, text);
}

/* What of a case is neither passed, missed nor skipped: it could not be judged. */
static size_t count_errors(const struct validate_result *result)
{
	return result->broken || validate_count_all(result) == 0;
}

static size_t count_failures(const struct validate_result *result)
{
	return validate_count(result, VALIDATE_FAIL) + validate_count(result, VALIDATE_MET);
}

static void write_criterion(struct file_stream *file, const struct validate_result *result,
			    const struct validate_criterion *c)
{
	char band[64], message[VALIDATE_TEXT * 2 + 200];
	if (c->verdict == VALIDATE_NO_BAND)
		return;
	file_stream_text(file, "    <testcase");
	write_attribute(file, "classname", result->self->name);
	write_attribute(file, "name", c->what);
	snprintf(message, sizeof(message), "%.6g %s, allowed %s (%s)", c->value, c->unit,
		 validate_band_text(c, band), c->origin);
	if (c->verdict == VALIDATE_PASS) {
		file_stream_text(file, "/>\n");
		return;
	}
	if (c->verdict == VALIDATE_KNOWN) {
		file_stream_text(file, "><skipped");
		snprintf(message, sizeof(message), "a known miss: %.6g %s, allowed %s: %s",
			 c->value, c->unit, band, c->known->reason);
	} else if (c->verdict == VALIDATE_MET) {
		file_stream_text(file, "><failure");
		snprintf(message, sizeof(message), "met, but listed as missed: %.6g %s, allowed %s",
			 c->value, c->unit, band);
	} else {
		file_stream_text(file, "><failure");
	}
	write_attribute(file, "message", message);
	file_stream_text(file, "/></testcase>\n");
}

static void write_case(struct file_stream *file, const struct validate_result *result)
{
	const size_t errors = count_errors(result);
	file_stream_text(file, "  <testsuite");
	write_attribute(file, "name", result->self->name);
	write_count(file, "tests", validate_count_all(result) + errors);
	write_count(file, "failures", count_failures(result));
	write_count(file, "errors", errors);
	write_count(file, "skipped", validate_count(result, VALIDATE_KNOWN));
	write_number(file, "time", result->seconds);
	file_stream_text(file, ">\n");
	for (size_t i = 0; i < result->criterion_count; i++)
		write_criterion(file, result, &result->criteria[i]);
	if (errors) {
		file_stream_text(file, "    <testcase");
		write_attribute(file, "classname", result->self->name);
		write_attribute(file, "name", "the case is judged");
		file_stream_text(file, "><error");
		write_attribute(file, "message",
				result->broken ? result->reason : "no criterion has a band");
		file_stream_text(file, "/></testcase>\n");
	}
	file_stream_text(file, "  </testsuite>\n");
}

bool validate_write_junit(const struct validate *v)
{
	size_t tests = 0, failures = 0, errors = 0, skipped = 0;
	double seconds = 0.0;
	struct file_stream file;
	for (size_t i = 0; i < v->result_count; i++) {
		const struct validate_result *result = &v->results[i];
		tests += validate_count_all(result) + count_errors(result);
		failures += count_failures(result);
		errors += count_errors(result);
		skipped += validate_count(result, VALIDATE_KNOWN);
		seconds += result->seconds;
	}
	file_stream_open(&file, v->options->junit);
	file_stream_text(&file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	write_attribute(&file, "name", "freshet validate");
	write_count(&file, "tests", tests);
	write_count(&file, "failures", failures);
	write_count(&file, "errors", errors);
	write_count(&file, "skipped", skipped);
	write_number(&file, "time", seconds);
	file_stream_text(&file, ">\n");
	for (size_t i = 0; i < v->result_count; i++)
		write_case(&file, &v->results[i]);
	file_stream_text(&file, "</testsuites>\n");
	const int reason = file_stream_finish(&file);
	return reason == 0 ||
	       message_error("cannot write '%s': %s", v->options->junit, strerror(reason));
}
