/* freshet compare */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare.h"
#include "message.h"
#include "number.h"

enum { OPTION_TOLERANCE, OPTION_QUIET, OPTION_HELP_ME };

static const struct option options[] = {
	{"tolerance", 't', "COLUMN=VALUE",
	 "how far a column may be off: in its unit, or 5% of its greatest; may be repeated"},
	{"quiet", 'q', NULL, "prints only what differs"},
	OPTION_HELP,
	OPTION_LAST,
};

/* A name may hold a '='; a value does not.  Changes the text. */
static bool read_tolerance(char *text, struct compare_tolerance *tolerance)
{
	char *equals = strrchr(text, '=');
	const char *value = equals ? equals + 1 : "";
	const size_t length = strlen(value);
	char digits[NUMBER_TEXT] = "";
	tolerance->relative = length > 0 && value[length - 1] == '%';
	if (length < sizeof(digits))
		memcpy(digits, value, length - tolerance->relative);
	char *end = digits;
	if (*digits >= '0' && *digits <= '9')
		tolerance->value = strtod(digits, &end);
	if (end == digits || *end || equals == text || !(tolerance->value >= 0.0))
		return message_error("--tolerance needs COLUMN=VALUE, such as volume_error=1e-4 or "
				     "gate=5%%, not '%.100s'",
				     text);
	*equals = '\0';
	tolerance->name = text;
	if (strcmp(text, "hash") == 0)
		return message_error(
			"--tolerance hash: hashes are equal or not; without --tolerance they "
			"must be");
	if (tolerance->relative && strcmp(text, COMPARE_PICTURES) == 0)
		return message_error("--tolerance pictures needs levels from 0 to 255, no %%");
	tolerance->value /= tolerance->relative ? 100.0 : 1.0;
	return true;
}

static bool add_run(const char *value, struct compare_options *compare)
{
	const char **to = compare->runs[0] ? &compare->runs[1] : &compare->runs[0];
	return option_take_operand(to, value, "compare takes two directories");
}

/* False after reporting.  *help: only the help is wanted. */
static bool read_compare_arguments(char **arguments, struct compare_options *compare, char **texts,
				   bool *help)
{
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			return compare->runs[1] ||
			       message_error("compare needs the directories of two runs "
					     "('freshet compare --help')");
		case OPTION_OPERAND:
			ok = add_run(value, compare);
			break;
		case OPTION_TOLERANCE:
			texts[compare->tolerance_count] = strdup(value);
			ok = texts[compare->tolerance_count]
				     ? read_tolerance(
					       texts[compare->tolerance_count],
					       &compare->tolerances[compare->tolerance_count])
				     : message_memory(strlen(value), "a tolerance");
			compare->tolerance_count++;
			break;
		case OPTION_QUIET:
			compare->quiet = true;
			break;
		case OPTION_HELP_ME:
			*help = true;
			return true;
		default:
			return false;
		}
	}
	return false;
}

static enum exit_code run_compare_command(const struct command *self, char **arguments,
					  char *const *all)
{
	(void)all;
	size_t count = 0;
	while (arguments[count])
		count++;
	struct compare_options compare = {.tolerances =
						  calloc(count + 1, sizeof(*compare.tolerances))};
	char **texts = calloc(count + 1, sizeof(*texts));
	enum exit_code code = CODE_REFUSED;
	bool help = false;
	if (!texts || !compare.tolerances) {
		message_memory((count + 1) * sizeof(*compare.tolerances), "the list of tolerances");
		code = CODE_FAILED;
	} else if (read_compare_arguments(arguments, &compare, texts, &help)) {
		code = CODE_DONE;
		if (help)
			command_print_help(self);
		else
			code = compare_runs(&compare);
	}
	for (size_t i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
	free(compare.tolerances);
	return code;
}

const struct command command_compare = {
	.name = "compare",
	.usage = "A B [--tolerance COLUMN=VALUE]... [--quiet]",
	.summary = "compares two runs: state hashes, tables and pictures",
	.details =
		"All must be equal, but for times on the clock.  With --tolerance only the columns that\n"
		"are named count, at the ends of frames; 'pictures=N' allows N levels of 255 in each\n"
		"channel of a pixel.  Lines that begin with ! are differences that count.\n\n"
		"Exit codes: 0 equal, or within the tolerances, 1 they differ, 2 bad command line, or\n"
		"what is given is no run.",
	.options = options,
	.run = run_compare_command,
};
