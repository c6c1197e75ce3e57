/* freshet bench */
#include <string.h>

#include "bench.h"
#include "message.h"

enum {
	OPTION_DIM,
	OPTION_CELLS,
	OPTION_STEPS,
	OPTION_DEVICE,
	OPTION_TRANSFER,
	OPTION_PROFILE,
	OPTION_OUTPUT,
	OPTION_HELP_ME,
};

static const struct option options[] = {
	{"dim", 0, "2|3", "2D or 3D only (default: both, or 3D with --cells)"},
	{"cells", 0, "N",
	 "cells along each axis; may be repeated (default: 512; 64 and 128 in 3D)"},
	{"steps", 0, "N", "substeps measured, after a few that are not (default: 10)"},
	{"device", 'd', "DEVICE", "gpu, cpu, P:D (see 'freshet devices') or part of a name"},
	{"transfer", 0, "KIND", "flip (default), pic or apic"},
	{"profile", 0, NULL, "lists every kernel too"},
	{"output", 'o', "FILE", "writes everything as JSON"},
	OPTION_HELP,
	OPTION_LAST,
};

/* A whole number between `least` and `most`, or 0 after reporting. */
static int read_number(const char *name, const char *text, int least, int most)
{
	const size_t digits = strspn(text, "0123456789");
	int value = 0;
	for (size_t i = 0; i < digits && i < 7; i++)
		value = 10 * value + (text[i] - '0');
	if (digits == 0 || digits > 7 || text[digits] || value < least || value > most) {
		message_error("--%s needs a whole number from %d to %d, not '%.40s'", name, least,
			      most, text);
		return 0;
	}
	return value;
}

static bool read_transfer(const char *text, enum scene_transfer *transfer)
{
	static const char *const names[] = {"flip", "pic", "apic"};
	for (int i = 0; i < 3; i++)
		if (strcmp(text, names[i]) == 0) {
			*transfer = (enum scene_transfer)i;
			return true;
		}
	return message_error("--transfer is flip, pic or apic, not '%.40s'", text);
}

static bool read_option(int which, const char *value, struct bench_options *bench)
{
	switch (which) {
	case OPTION_DIM:
		bench->dim = read_number("dim", value, 2, 3);
		return bench->dim != 0;
	case OPTION_CELLS:
		if (bench->size_count == BENCH_MAX_SIZES)
			return message_error("more than %d --cells", BENCH_MAX_SIZES);
		bench->cells[bench->size_count] = read_number("cells", value, 4, 16384);
		return bench->cells[bench->size_count++] != 0;
	case OPTION_STEPS:
		bench->steps = read_number("steps", value, 1, BENCH_MAX_STEPS);
		return bench->steps != 0;
	case OPTION_DEVICE:
		bench->device = value;
		return *value || message_error("--device needs the name of a device");
	case OPTION_TRANSFER:
		return read_transfer(value, &bench->transfer);
	case OPTION_PROFILE:
		bench->profile = true;
		return true;
	case OPTION_OUTPUT:
		bench->output = value;
		return *value || message_error("--output needs the name of a file");
	default:
		return false;
	}
}

static enum exit_code run_command(const struct command *self, char **arguments, char *const *all)
{
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct bench_options bench = {.arguments = all, .steps = 10};
	const char *value;
	for (;;) {
		const int which = options_next(&reader, &value);
		switch (which) {
		case OPTION_END:
			if (bench.size_count && !bench.dim)
				bench.dim = 3;
			return bench_run(&bench);
		case OPTION_OPERAND:
			message_error("bench takes no argument, but there is '%.200s'", value);
			return CODE_REFUSED;
		case OPTION_HELP_ME:
			command_print_help(self);
			return CODE_DONE;
		default:
			if (!read_option(which, value, &bench))
				return CODE_REFUSED;
			break;
		}
	}
}

const struct command command_bench = {
	.name = "bench",
	.usage = "[--dim 2|3] [--cells N]... [--steps N] [-d DEVICE] [--transfer KIND]\n"
		 "                [--profile] [-o FILE.json]",
	.summary = "times the stages of a substep against the speed of a plain copy",
	.details = "The scene is a dam break in a box half full.  docs/benchmark.md explains the "
		   "columns.\nA size that the device cannot hold is reported and skipped.",
	.options = options,
	.run = run_command,
};
