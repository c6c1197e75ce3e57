/* The report of a validation: Markdown for people, JSON for programs. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "file.h"
#include "json_writer.h"
#include "known_misses.h"
#include "validate.h"
#include "version.h"

size_t validate_count(const struct validate_result *result, enum validate_verdict verdict)
{
	size_t count = 0;
	for (size_t i = 0; i < result->criterion_count; i++)
		count += result->criteria[i].verdict == verdict;
	return count;
}

bool validate_passed(const struct validate_result *result)
{
	return !result->broken && validate_count(result, VALIDATE_FAIL) == 0 &&
	       validate_count(result, VALIDATE_MET) == 0 && validate_count_all(result) > 0;
}

size_t validate_count_all(const struct validate_result *result)
{
	return result->criterion_count - validate_count(result, VALIDATE_NO_BAND);
}

const char *validate_counts_text(size_t met, size_t known, size_t all, char text[64])
{
	const int length = snprintf(text, 64, "%zu of %zu criteria", met, all);
	if (known)
		snprintf(text + length, 64 - (size_t)length, ", %zu known miss%s", known,
			 known == 1 ? "" : "es");
	return text;
}

static void utc_now(char date[32])
{
	const time_t now = time(NULL);
	struct tm utc;
	strftime(date, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

/* ---- Markdown ----------------------------------------------------------------------------- */

/* A cell of a table. */
static void write_cell(FILE *file, const char *text)
{
	fprintf(file, " ");
	for (const char *c = text; *c; c++) {
		if (*c == '|')
			fputc('\\', file);
		fputc(*c, file);
	}
	fprintf(file, " |");
}

static void write_criterion(FILE *file, const struct validate_criterion *c)
{
	static const char *const words[VALIDATE_VERDICTS] = {
		[VALIDATE_PASS] = "pass",
		[VALIDATE_FAIL] = "**FAIL**",
		[VALIDATE_NO_BAND] = "",
		[VALIDATE_MET] = "**FAIL**: met, but listed as missed",
		[VALIDATE_KNOWN] = "known miss",
	};
	char band[64], value[32], reference[32] = "";
	snprintf(value, sizeof(value), "%.4g", c->value);
	if (isfinite(c->reference))
		snprintf(reference, sizeof(reference), "%.4g", c->reference);
	const char *const cells[] = {words[c->verdict], c->what,   value,
				     c->unit,		reference, validate_band_text(c, band),
				     c->origin};
	fprintf(file, "|");
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		write_cell(file, cells[i]);
	fprintf(file, "\n");
	if (c->verdict == VALIDATE_KNOWN)
		fprintf(file, "| | known, up to %.4g: %s | | | | | |\n", c->known->worst,
			c->known->reason);
}

static void write_result(FILE *file, const struct validate_result *result)
{
	fprintf(file, "\n## %s: %s\n\n%s, %.1f s. Compared with: %s.\n", result->self->name,
		result->self->title, validate_passed(result) ? "Passed" : "**Failed**",
		result->seconds, result->self->source);
	if (result->broken)
		fprintf(file, "\n**Could not be run to its end:** %s\n", result->reason);
	fprintf(file, "\n| | criterion | value | unit | reference | band | the band is from |\n"
		      "|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < result->criterion_count; i++)
		write_criterion(file, &result->criteria[i]);
	for (size_t i = 0; i < result->figure_count; i++)
		fprintf(file, "\n![%s](%s)\n\n%s\n", result->figures[i].caption,
			result->figures[i].file, result->figures[i].caption);
	if (result->run_count)
		fprintf(file, "\nThe runs by hand:\n\n```\n");
	for (size_t i = 0; i < result->run_count; i++)
		fprintf(file, "%s\n", result->runs[i]);
	if (result->run_count)
		fprintf(file, "```\n");
	if (result->altered)
		fprintf(file, "\n%s cannot be repeated by a command: the case sets %s itself.\n",
			result->run_count ? "The other runs" : "The runs", result->altered);
}

static void write_markdown(FILE *file, const struct validate *v)
{
	char date[32];
	utc_now(date);
	fprintf(file,
		"# Validation\n\nfreshet %s (%s), %s, on %s, level %d.\n"
		"docs/validation.md describes cases and bands.\n\n"
		"| case | | criteria met | known misses | s |\n|---|---|---|---|---|\n",
		FRESHET_VERSION, FRESHET_GIT, date, v->device, v->level);
	for (size_t i = 0; i < v->result_count; i++) {
		const struct validate_result *result = &v->results[i];
		fprintf(file, "| %s | %s | %zu of %zu | %zu | %.1f |\n", result->self->name,
			validate_passed(result) ? "pass" : "**FAIL**",
			validate_count(result, VALIDATE_PASS), validate_count_all(result),
			validate_count(result, VALIDATE_KNOWN), result->seconds);
	}
	for (size_t i = 0; i < v->result_count; i++)
		write_result(file, &v->results[i]);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void add_criterion_json(struct json_writer *json, const struct validate_criterion *c)
{
	static const char *const words[VALIDATE_VERDICTS] = {
		[VALIDATE_PASS] = "pass",	[VALIDATE_FAIL] = "fail",
		[VALIDATE_NO_BAND] = "no band", [VALIDATE_KNOWN] = "known miss",
		[VALIDATE_MET] = "met",
	};
	json_begin_object(json, NULL);
	json_string(json, "what", c->what);
	json_string(json, "verdict", words[c->verdict]);
	json_number(json, "value", c->value);
	json_string(json, "unit", c->unit);
	json_number(json, "reference", c->reference);
	json_number(json, "low", c->low);
	json_number(json, "high", c->high);
	json_string(json, "origin", c->origin);
	if (c->known) {
		json_number(json, "known_worst", c->known->worst);
		json_string(json, "known_reason", c->known->reason);
	}
	json_end_object(json);
}

static void add_case_json(struct json_writer *json, const struct validate_result *result)
{
	json_begin_object(json, NULL);
	json_string(json, "name", result->self->name);
	json_string(json, "title", result->self->title);
	json_integer(json, "dim", result->self->dim);
	json_string(json, "source", result->self->source);
	json_boolean(json, "passed", validate_passed(result));
	json_number(json, "seconds", result->seconds);
	json_string(json, "broken", result->broken ? result->reason : NULL);
	json_begin_array(json, "criteria");
	for (size_t i = 0; i < result->criterion_count; i++)
		add_criterion_json(json, &result->criteria[i]);
	json_end_array(json);
	json_begin_array(json, "figures");
	for (size_t i = 0; i < result->figure_count; i++)
		json_string(json, NULL, result->figures[i].file);
	json_end_array(json);
	json_begin_array(json, "runs");
	for (size_t i = 0; i < result->run_count; i++)
		json_string(json, NULL, result->runs[i]);
	json_end_array(json);
	json_string(json, "altered", result->altered);
	json_end_object(json);
}

static char *make_json(const struct validate *v, size_t *length)
{
	struct json_writer json = {0};
	char date[32];
	bool passed = true;
	utc_now(date);
	json_begin_object(&json, NULL);
	json_string(&json, "program", "freshet validate");
	json_string(&json, "version", FRESHET_VERSION);
	json_string(&json, "git", FRESHET_GIT);
	json_string(&json, "date", date);
	json_string(&json, "device", v->device);
	json_begin_array(&json, "command");
	for (char *const *argument = v->options->arguments; *argument; argument++)
		json_string(&json, NULL, *argument);
	json_end_array(&json);
	json_integer(&json, "level", v->level);
	json_begin_array(&json, "cases");
	for (size_t i = 0; i < v->result_count; i++) {
		add_case_json(&json, &v->results[i]);
		passed = passed && validate_passed(&v->results[i]);
	}
	json_end_array(&json);
	json_boolean(&json, "passed", passed);
	json_end_object(&json);
	return json_take(&json, length);
}

bool validate_write_report(const struct validate *v)
{
	const char *directory = v->options->directory;
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	if (!memory)
		return message_error("out of memory for the report");
	write_markdown(memory, v);
	bool ok = fclose(memory) == 0 || message_error("out of memory for the report");
	ok = ok && file_write_atomic(directory, "report.md", text, length);
	free(text);
	text = ok ? make_json(v, &length) : NULL;
	ok = text && file_write_atomic(directory, "report.json", text, length);
	free(text);
	return ok;
}
