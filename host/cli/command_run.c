/* freshet run */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "message.h"
#include "number.h"
#include "run.h"
#include "server.h"

enum {
	OPTION_OUTPUT,
	OPTION_DEVICE,
	OPTION_FRAMES,
	OPTION_SET,
	OPTION_OVERWRITE,
	OPTION_RESUME,
	OPTION_PROFILE,
	OPTION_WATCH,
	OPTION_QUIET,
	OPTION_HELP_ME,
};

static const struct option options[] = {
	{"output", 'o', "DIR", "directory for the results (default: named after the scene)"},
	{"device", 'd', "DEVICE",
	 "gpu, cpu, native, P:D (see 'freshet devices') or part of a name"},
	{"frames", 0, "N", "index of the last frame, instead of time.frames"},
	{"set", 0, "KEY.PATH=VALUE", "changes a value of the scene; may be repeated"},
	{"overwrite", 0, NULL, "replaces another run's files in DIR"},
	{"resume", 0, NULL, "continues the run in DIR from its last usable checkpoint"},
	{"profile", 0, NULL, "times every kernel"},
	{"watch", 'w', NULL, "shows the run to browsers on this machine as it goes on"},
	{"quiet", 'q', NULL, "prints nothing but errors"},
	OPTION_HELP,
	OPTION_LAST,
};

#define FRAMES_KEY "time.frames="

/* The overrides of the scene: --set as it is, --frames as one more. */
struct overrides {
	const char **list; /* room for every argument */
	size_t count;
	char frames[sizeof(FRAMES_KEY) + 16];
};

static bool set_frames(struct overrides *overrides, const char *value)
{
	uint64_t frames;
	if (!number_read_count(value, 999999999, &frames) || strlen(value) > 9)
		return message_error("--frames needs the index of the last frame, a whole number "
				     "from 0, not '%.40s'",
				     value);
	if (!overrides->frames[0])
		overrides->list[overrides->count++] = overrides->frames;
	strcpy(overrides->frames, FRAMES_KEY);
	strcat(overrides->frames, value);
	return true;
}

/* A page that follows the run.  One that cannot be served is told, and the run goes on. */
struct watch {
	struct server *server;
	bool quiet;
};

static void start_watching(const char *directory, void *user)
{
	struct watch *watch = user;
	const struct server_options serve = {.runs = {directory}, .run_count = 1, .own = true};
	enum exit_code code;
	watch->server = server_start(&serve, &code);
	if (watch->server && !watch->quiet)
		message_note("watch it at http://127.0.0.1:%u/", server_port(watch->server));
}

/* Reads everything.  *help: only the help is wanted. */
static bool read_run_arguments(char **arguments, struct run_options *run,
			       struct overrides *overrides, bool *help)
{
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (run->resume && run->overwrite && !*help)
				return message_error("--resume continues a run, --overwrite "
						     "replaces it: choose one");
			return run->scene || *help ||
			       message_error("run needs a scene file ('freshet run --help')");
		case OPTION_OPERAND:
			ok = option_take_operand(&run->scene, value, "run takes one scene");
			break;
		case OPTION_OUTPUT:
			ok = option_take(&run->directory, value, "output",
					 "the name of a directory");
			break;
		case OPTION_DEVICE:
			ok = option_take(&run->device, value, "device", "the name of a device");
			break;
		case OPTION_FRAMES:
			ok = set_frames(overrides, value);
			break;
		case OPTION_SET:
			overrides->list[overrides->count++] = value;
			break;
		case OPTION_OVERWRITE:
			run->overwrite = true;
			break;
		case OPTION_RESUME:
			run->resume = true;
			break;
		case OPTION_PROFILE:
			run->profile = true;
			break;
		case OPTION_WATCH:
			run->started = start_watching;
			break;
		case OPTION_QUIET:
			run->quiet = true;
			break;
		case OPTION_HELP_ME:
			*help = true;
			break;
		default:
			return false;
		}
	}
	return false;
}

static enum exit_code run_watched(struct run_options *run)
{
	struct watch watch = {.quiet = run->quiet};
	enum exit_code possible = CODE_DONE;
	if (run->started && !server_is_possible(&possible))
		return possible;
	run->user = &watch;
	const enum exit_code code = run_scene(run);
	server_stop(watch.server);
	return code;
}

static enum exit_code run_run_command(const struct command *self, char **arguments,
				      char *const *all)
{
	size_t count = 0;
	while (arguments[count])
		count++;
	struct run_options run = {.arguments = all};
	struct overrides overrides = {.list = calloc(count + 1, sizeof(char *))};
	if (!overrides.list) {
		message_memory((count + 1) * sizeof(char *), "the list of --set");
		return CODE_FAILED;
	}
	bool help = false;
	enum exit_code code = CODE_REFUSED;
	if (read_run_arguments(arguments, &run, &overrides, &help)) {
		run.sets = overrides.list;
		run.set_count = overrides.count;
		code = CODE_DONE;
		if (help)
			command_print_help(self);
		else
			code = run_watched(&run);
	}
	free(overrides.list);
	return code;
}

const struct command command_run = {
	.name = "run",
	.usage = "SCENE.yaml [-o DIR] [-d DEVICE] [--frames N] [--set KEY.PATH=VALUE]...\n"
		 "              [--overwrite] [--resume] [--profile] [--watch] [--quiet]",
	.summary = "simulates a scene and writes the results into a directory",
	.details =
		"DIR is created with its parents; one that holds another run is refused.\n"
		"docs/output.md lists the files, docs/scene.md the keys of a scene.  Ctrl-C finishes\n"
		"the current substep and leaves whole files and a checkpoint; a second one ends at\n"
		"once.  --resume continues bit for bit, with the same --frames and --set given again; of\n"
		"the scene only time.frames, output, camera, names and colours may have changed.\n\n"
		"Exit codes: 0 done, 1 the run failed, 2 bad command line, variable or scene, device\n"
		"missing, directory occupied or resume refused, 130 after SIGINT, 143 after SIGTERM, 129\n"
		"after SIGHUP.",
	.options = options,
	.run = run_run_command,
};
