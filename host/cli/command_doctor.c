/* freshet doctor */
#include <string.h>

#include "commands.h"
#include "doctor.h"
#include "message.h"

enum { OPTION_DEVICE, OPTION_OUTPUT, OPTION_DIM, OPTION_FULL, OPTION_QUIET, OPTION_HELP_ME };

static const struct option options[] = {
	{"device", 'd', "DEVICE", "only this one: gpu, cpu, P:D or part of a name"},
	{"output", 'o', "FILE", "writes the results as JSON, kernel by kernel"},
	{"dim", 0, "2|3", "kernels and runs of this dimension only"},
	{"full", 0, NULL, "compares every launch, and splashing runs; minutes"},
	{"quiet", 'q', NULL, "prints nothing but faults"},
	OPTION_HELP,
	OPTION_LAST,
};

static enum exit_code run_doctor_command(const struct command *self, char **arguments,
					 char *const *all)
{
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct doctor_options doctor = {.arguments = all};
	const char *value;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			return doctor_run(&doctor);
		case OPTION_OPERAND:
			ok = message_error("doctor takes no argument, but there is '%.200s'",
					   value);
			break;
		case OPTION_DEVICE:
			ok = option_take(&doctor.device, value, "device", "the name of a device");
			break;
		case OPTION_OUTPUT:
			ok = option_take(&doctor.output, value, "output", "the path of a file");
			break;
		case OPTION_DIM:
			ok = strcmp(value, "2") == 0 || strcmp(value, "3") == 0 ||
			     message_error("--dim takes 2 or 3, but there is '%.200s'", value);
			doctor.dim = value[0] - '0';
			break;
		case OPTION_FULL:
			doctor.full = true;
			break;
		case OPTION_QUIET:
			doctor.quiet = true;
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

const struct command command_doctor = {
	.name = "doctor",
	.usage = "[-d DEVICE] [-o FILE] [--dim 2|3] [--full] [--quiet]",
	.summary = "checks devices and their drivers: arithmetic, every kernel, whole runs",
	.details =
		"Every device is examined, or that of -d or FRESHET_DEVICE.  Each launch of a\n"
		"kernel in tiny 2D and 3D simulations is repeated on the host, and must give the\n"
		"same bits.  A line per check:\n"
		"  ok     sound\n"
		"  note   worth knowing; results do not depend on it\n"
		"  FAULT  results of this device would be wrong, or it cannot run\n\n"
		"The first run on a device compiles all kernels, which may take a minute.\n\n"
		"Exit codes: 0 sound, 1 a fault or no device, 2 bad command line or no such device.",
	.options = options,
	.run = run_doctor_command,
};
