/* freshet validate */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "message.h"
#include "scene_support.h"
#include "validate.h"

enum {
	OPTION_DIM,
	OPTION_LEVEL,
	OPTION_SHORT,
	OPTION_LIST,
	OPTION_DEVICE,
	OPTION_OUTPUT,
	OPTION_JUNIT,
	OPTION_HELP_ME,
};

static const struct option options[] = {
	{"dim", 0, "2|3", "cases in 2D or 3D only"},
	{"level", 0, "N", "1 coarse, 2 the resolutions that the bands are for (default), 3 finer"},
	{"short", 0, NULL, "a few cases on coarse grids, in about 5 s on two cores"},
	{"list", 0, NULL, "lists the cases and ends"},
	{"device", 'd', "DEVICE",
	 "gpu, cpu, native, P:D (see 'freshet devices') or part of a name"},
	{"output", 'o', "DIR", "directory of the report (default: freshet_validation)"},
	{"junit", 0, "FILE.xml", "writes the outcome as JUnit XML too, for CI"},
	OPTION_HELP,
	OPTION_LAST,
};

static bool read_digit(int which, const char *text, int least, int most, int *value)
{
	if (strlen(text) != 1 || text[0] < '0' + least || text[0] > '0' + most)
		return message_error("--%s needs a whole number from %d to %d, not '%.40s'",
				     options[which].name, least, most, text);
	*value = text[0] - '0';
	return true;
}

static bool add_case(const char *name, struct validate_options *validate)
{
	const char *names[VALIDATE_CASE_COUNT + 1] = {NULL};
	char quoted[SCENE_QUOTE];
	const int index = validate_find(name);
	if (index < 0) {
		for (size_t i = 0; i < VALIDATE_CASE_COUNT; i++)
			names[i] = validate_cases[i]->name;
		scene_quote(name, quoted);
		const char *near = scene_suggest(name, names);
		if (near)
			return message_error("unknown case '%s' (did you mean '%s'?)", quoted,
					     near);
		return message_error("unknown case '%s' ('freshet validate --list' lists them)",
				     quoted);
	}
	for (size_t i = 0; i < validate->case_count; i++)
		if (validate->cases[i] == (size_t)index)
			return true;
	validate->cases[validate->case_count++] = (size_t)index;
	return true;
}

static enum exit_code list_cases(void)
{
	for (size_t i = 0; i < VALIDATE_CASE_COUNT; i++) {
		const struct validate_case *self = validate_cases[i];
		printf("%-18s %dD  %s\n%22s%s; about %s on two cores%s\n", self->name, self->dim,
		       self->title, "", self->source, self->time,
		       self->quick ? "; in the short form" : "");
	}
	return CODE_DONE;
}

static bool read_validate_option(int which, const char *value, struct validate_options *validate)
{
	switch (which) {
	case OPTION_DIM:
		return read_digit(which, value, 2, 3, &validate->dim);
	case OPTION_LEVEL:
		return read_digit(which, value, VALIDATE_COARSE, VALIDATE_FINE, &validate->level);
	case OPTION_SHORT:
		validate->quick = true;
		return true;
	case OPTION_DEVICE:
		return option_take(&validate->device, value, "device", "the name of a device");
	case OPTION_OUTPUT:
		return option_take(&validate->directory, value, "output",
				   "the name of a directory");
	case OPTION_JUNIT:
		return option_take(&validate->junit, value, "junit", "the name of a file");
	default:
		return false;
	}
}

static enum exit_code run_validate_command(const struct command *self, char **arguments,
					   char *const *all)
{
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct validate_options validate = {.arguments = all, .directory = "freshet_validation"};
	const char *value;
	for (;;) {
		const int which = options_next(&reader, &value);
		switch (which) {
		case OPTION_END:
			return validate_run(&validate);
		case OPTION_OPERAND:
			if (!add_case(value, &validate))
				return CODE_REFUSED;
			break;
		case OPTION_LIST:
			return list_cases();
		case OPTION_HELP_ME:
			command_print_help(self);
			return CODE_DONE;
		default:
			if (!read_validate_option(which, value, &validate))
				return CODE_REFUSED;
			break;
		}
	}
}

const struct command command_validate = {
	.name = "validate",
	.usage = "[CASE...] [--dim 2|3] [--level N] [--short] [-d DEVICE] [-o DIR]\n"
		 "              [--junit FILE.xml] [--list]",
	.summary = "compares runs with experiments, exact solutions and published tables",
	.details =
		"Runs the cases (default: all), measures, compares, and prints a line per "
		"criterion:\n"
		"value, reference, band, and where the band comes from.  The directory gets\n"
		"report.md, report.json, plots (PNG) and their curves (CSV).  Cases are ordinary\n"
		"scenes, in scenes/validation/; the report names the commands that repeat the "
		"runs.\n"
		"docs/validation.md describes every case.\n\n"
		"A criterion that is known to be missed is printed with the reason.\n\n"
		"Exit codes: 0 every criterion of every case met, or missed by no more than is known,\n"
		"1 one is missed, one that is listed as missed is met, or a case could not be run, 2 bad\n"
		"command line or device missing.",
	.options = options,
	.run = run_validate_command,
};
