/* freshet bench */
#include <string.h>

#include "bench_pressure.h"
#include "commands.h"
#include "message.h"
#include "number.h"

enum {
	OPTION_DIM,
	OPTION_CELLS,
	OPTION_STEPS,
	OPTION_DEVICE,
	OPTION_TRANSFER,
	OPTION_GRID,
	OPTION_PROFILE,
	OPTION_SPARSE,
	OPTION_PRESSURE,
	OPTION_SCENE,
	OPTION_SOLVER,
	OPTION_SWEEPS,
	OPTION_SECONDS,
	OPTION_WAVE,
	OPTION_OFFSET,
	OPTION_NO_HISTORY,
	OPTION_OUTPUT,
	OPTION_HELP_ME,
	OPTION_COUNT,
};

static const struct option options[] = {
	{"dim", 0, "2|3", "2D or 3D only (default: both, or 3D with --cells)"},
	{"cells", 0, "N", "cells along each axis; may be repeated (defaults above)"},
	{"steps", 0, "N", "substeps measured, after a few that are not (default: 10)"},
	{"device", 'd', "DEVICE",
	 "gpu, cpu, native, P:D (see 'freshet devices') or part of a name"},
	{"transfer", 0, "KIND", "flip (default), pic or apic"},
	{"grid", 0, "SURFACE", "method grid: vof, markers or levelset"},
	{"profile", 0, NULL, "lists every kernel too"},
	{"sparse", 0, NULL, "a column that fills 5 % of a box of 2N x N (x N) cells"},
	{"pressure", 0, NULL, "measures the pressure solvers instead; the next seven need it"},
	{"scene", 0, "NAME", "may be repeated (default: all but plate-1, plate-2, chambers)"},
	{"solver", 0, "NAME",
	 "as in scenes, may be repeated (default: mgpcg, cg, gauss-seidel, pcg-ic)"},
	{"sweeps", 0, "N", "of a V-cycle, before and after (default: 1, and 2)"},
	{"seconds", 0, "N", "about how long a solver may take on a scene (default: 10)"},
	{"wave", 0, "N", "cells of the run that gives the breaking wave (default: 128; 32 in 3D)"},
	{"offset", 0, "N", "cells that plates, walls and a level are off the middle (default: 1)"},
	{"no-history", 0, NULL, "residuals after 1, 2, 4, ... iterations only; faster"},
	{"output", 'o', "FILE", "writes everything as JSON"},
	OPTION_HELP,
	OPTION_LAST,
};

/* A whole number between `least` and `most`, or -1 after reporting. */
static int read_number(int which, const char *text, int least, int most)
{
	uint64_t value;
	if (!number_read_count(text, (uint64_t)most, &value) || value < (uint64_t)least) {
		message_error("--%s needs a whole number from %d to %d, not '%.40s'",
			      options[which].name, least, most, text);
		return -1;
	}
	return (int)value;
}

static bool read_transfer(const char *text, enum scene_transfer *transfer)
{
	for (int i = 0; i < BENCH_TRANSFERS; i++)
		if (strcmp(text, bench_transfers[i]) == 0) {
			*transfer = (enum scene_transfer)i;
			return true;
		}
	return message_error("--transfer is flip, pic or apic, not '%.40s'", text);
}

static bool read_grid(const char *text, const char **surface)
{
	static const char *const surfaces[] = {"vof", "markers", "levelset"};
	for (size_t i = 0; i < sizeof(surfaces) / sizeof(surfaces[0]); i++)
		if (strcmp(text, surfaces[i]) == 0) {
			*surface = surfaces[i];
			return true;
		}
	return message_error("--grid is vof, markers or levelset, not '%.40s'", text);
}

/* "a, b", for a list of names. */
static void append_name(char all[256], const char *name)
{
	if (all[0])
		strncat(all, ", ", 255 - strlen(all));
	strncat(all, name, 255 - strlen(all));
}

static bool add_scene(const char *name, struct bench_options *bench)
{
	char all[256] = "";
	size_t scene = 0;
	for (; bench_scene(scene) && strcmp(bench_scene(scene)->name, name) != 0; scene++)
		append_name(all, bench_scene(scene)->name);
	if (!bench_scene(scene))
		return message_error("--scene is one of %s, not '%.40s'", all, name);
	if (bench->scene_count == BENCH_MAX_NAMES)
		return message_error("more than %d --scene", BENCH_MAX_NAMES);
	bench->scenes[bench->scene_count++] = scene;
	return true;
}

static bool add_solver(const char *name, struct bench_options *bench)
{
	char all[256] = "";
	int solver = 0;
	for (; solver <= SOLVER_PCG_IC; solver++) {
		const char *known = scene_solver_name((enum scene_solver)solver);
		if (strcmp(known, name) == 0)
			break;
		append_name(all, known);
	}
	if (solver > SOLVER_PCG_IC)
		return message_error("--solver is one of %s, not '%.40s'", all, name);
	if (bench->solver_count == BENCH_MAX_NAMES)
		return message_error("more than %d --solver", BENCH_MAX_NAMES);
	bench->solvers[bench->solver_count++] = solver;
	return true;
}

static bool read_bench_option(int which, const char *value, struct bench_options *bench)
{
	switch (which) {
	case OPTION_DIM:
		bench->dim = read_number(which, value, 2, 3);
		return bench->dim >= 0;
	case OPTION_CELLS:
		if (bench->size_count == BENCH_MAX_SIZES)
			return message_error("more than %d --cells", BENCH_MAX_SIZES);
		bench->cells[bench->size_count] = read_number(which, value, 4, 16384);
		return bench->cells[bench->size_count++] >= 0;
	case OPTION_STEPS:
		bench->steps = read_number(which, value, 1, BENCH_MAX_STEPS);
		return bench->steps >= 0;
	case OPTION_DEVICE:
		return option_take(&bench->device, value, "device", "the name of a device");
	case OPTION_TRANSFER:
		return read_transfer(value, &bench->transfer);
	case OPTION_GRID:
		return read_grid(value, &bench->grid);
	case OPTION_PROFILE:
		bench->profile = true;
		return true;
	case OPTION_SPARSE:
		bench->sparse = true;
		return true;
	case OPTION_PRESSURE:
		bench->pressure = true;
		return true;
	case OPTION_SCENE:
		return add_scene(value, bench);
	case OPTION_SOLVER:
		return add_solver(value, bench);
	case OPTION_SWEEPS:
		bench->sweeps = read_number(which, value, 1, 100);
		return bench->sweeps >= 0;
	case OPTION_SECONDS:
		bench->seconds = read_number(which, value, 1, 86400);
		return bench->seconds >= 0;
	case OPTION_WAVE:
		bench->wave = read_number(which, value, 4, 16384);
		return bench->wave >= 0;
	case OPTION_OFFSET:
		bench->offset = read_number(which, value, 0, 1000);
		return bench->offset >= 0;
	case OPTION_NO_HISTORY:
		bench->no_history = true;
		return true;
	case OPTION_OUTPUT:
		return option_take(&bench->output, value, "output", "the name of a file");
	default:
		return false;
	}
}

/* Options of the other benchmark are mistakes. */
static bool options_fit(const struct bench_options *bench, const bool given[OPTION_COUNT])
{
	static const int stages[] = {OPTION_STEPS, OPTION_TRANSFER, OPTION_GRID, OPTION_SPARSE};
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]) && bench->pressure; i++)
		if (given[stages[i]])
			return message_error("--%s does not go with --pressure",
					     options[stages[i]].name);
	for (int which = OPTION_SCENE; which <= OPTION_NO_HISTORY && !bench->pressure; which++)
		if (given[which])
			return message_error("--%s needs --pressure", options[which].name);
	return true;
}

static enum exit_code run_bench_command(const struct command *self, char **arguments,
					char *const *all)
{
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct bench_options bench = {.arguments = all, .steps = 10, .seconds = 10, .offset = 1};
	bool given[OPTION_COUNT] = {false};
	const char *value;
	for (;;) {
		const int which = options_next(&reader, &value);
		switch (which) {
		case OPTION_END:
			if (bench.size_count && !bench.dim)
				bench.dim = 3;
			if (!options_fit(&bench, given))
				return CODE_REFUSED;
			return bench_run(&bench);
		case OPTION_OPERAND:
			message_error("bench takes no argument, but there is '%.200s'", value);
			return CODE_REFUSED;
		case OPTION_HELP_ME:
			command_print_help(self);
			return CODE_DONE;
		default:
			if (!read_bench_option(which, value, &bench))
				return CODE_REFUSED;
			given[which] = true;
			break;
		}
	}
}

const struct command command_bench = {
	.name = "bench",
	.usage =
		"[--dim 2|3] [--cells N]... [-d DEVICE] [-o FILE.json]\n"
		"                [--steps N] [--transfer KIND | --grid SURFACE] [--sparse] [--profile]\n"
		"                [--pressure [--scene NAME]... [--solver NAME]... [--sweeps N]\n"
		"                [--seconds N] [--wave N] [--offset N] [--no-history]]",
	.summary = "times the stages of a substep, or the pressure solvers, against a plain copy",
	.details =
		"It measures one of these:\n"
		"  (default)      the stages of a dam break in a box half full\n"
		"  --sparse       the same of a column that fills 5 % of its box\n"
		"  --pressure     the solvers alone, on scenes named pool, row, drops, wave, round,\n"
		"                 plate, plate-half, plate-1, plate-2, slabs, baffles, chambers, sealed\n\n"
		"docs/benchmark.md describes scenes and columns.  A size that the device cannot hold\n"
		"is reported and skipped.  Default sizes: 512 in 2D, 64 and 128 in 3D; with\n"
		"--pressure 256, 32 and 64.",
	.options = options,
	.run = run_bench_command,
};
