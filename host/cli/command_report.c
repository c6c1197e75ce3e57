/* freshet report */
#include <string.h>

#include "commands.h"
#include "message.h"
#include "number.h"
#include "page.h"

enum { OPTION_OUTPUT, OPTION_EVERY, OPTION_OVERWRITE, OPTION_QUIET, OPTION_HELP_ME };

static const struct option options[] = {
	{"output", 'o', "FILE.html",
	 "the page (default: DIR/report.html; of several runs report.html)"},
	{"every", 0, "N", "every Nth picture only, for a smaller page"},
	{"overwrite", 0, NULL, "replaces FILE.html even if it is no report"},
	{"quiet", 'q', NULL, "prints nothing but errors"},
	OPTION_HELP,
	OPTION_LAST,
};

static bool read_every(const char *value, int *every)
{
	uint64_t number;
	if (!number_read_count(value, 1000000, &number) || number < 1)
		return message_error("--every needs a whole number from 1, not '%.40s'", value);
	*every = (int)number;
	return true;
}

static bool add_run(const char *value, struct report_options *report)
{
	if (report->run_count == PAGE_RUNS)
		return message_error("more than %d runs beside each other", PAGE_RUNS);
	report->runs[report->run_count++] = value;
	return true;
}

static enum exit_code run_report_command(const struct command *self, char **arguments,
					 char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct report_options report = {.every = 1};
	const char *value;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (report.run_count > 0)
				return report_write(&report);
			message_error("report needs the directory of a run "
				      "('freshet report --help')");
			return CODE_REFUSED;
		case OPTION_OPERAND:
			ok = add_run(value, &report);
			break;
		case OPTION_OUTPUT:
			ok = option_take(&report.output, value, "output", "the name of a file");
			break;
		case OPTION_EVERY:
			ok = read_every(value, &report.every);
			break;
		case OPTION_OVERWRITE:
			report.overwrite = true;
			break;
		case OPTION_QUIET:
			report.quiet = true;
			break;
		case OPTION_HELP_ME:
			command_print_help(self);
			return CODE_DONE;
		default:
			return CODE_REFUSED;
		}
	}
	return CODE_REFUSED;
}

const struct command command_report = {
	.name = "report",
	.usage = "DIR [DIR2]... [-o FILE.html] [--every N] [--overwrite] [--quiet]",
	.summary = "makes one page of a run, or of several beside each other, for any browser",
	.details =
		"The page holds everything and asks nobody for anything: pictures as a player, curves,\n"
		"what was run, warnings in plain words.  Of several runs curves share their axes, and\n"
		"pictures lie under a slider.  An older report is replaced.\n"
		"Curves are drawn by dygraphs (Debian: libjs-dygraphs).  docs/report.md tells more.\n\n"
		"Exit codes: 0 done, 1 the page could not be written, or dygraphs is missing, 2 bad\n"
		"command line, or what a directory holds is no run.",
	.options = options,
	.run = run_report_command,
};
