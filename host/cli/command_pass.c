/* freshet mesh, freshet render */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "message.h"
#include "number.h"
#include "pass.h"

enum {
	OPTION_OUTPUT,
	OPTION_DEVICE,
	OPTION_FRAMES,
	OPTION_EVERY,
	OPTION_SET,
	OPTION_FROM,
	OPTION_OVERWRITE,
	OPTION_QUIET,
	OPTION_HELP_ME,
};

static const struct option options[] = {
	{"output", 'o', "DIR2", "directory for the results (default: that of the run)"},
	{"device", 'd', "DEVICE",
	 "gpu, cpu, native, P:D (see 'freshet devices') or part of a name"},
	{"frames", 0, "A:B", "frames from A to B; A alone, from A on (A:), up to B (:B)"},
	{"every", 0, "N", "frames whose number is a multiple of N"},
	{"set", 0, "KEY.PATH=VALUE", "changes output or camera of the scene; may be repeated"},
	{"from", 0, "FILES", "particles, checkpoints or fields"},
	{"overwrite", 0, NULL, "replaces files that are there already"},
	{"quiet", 'q', NULL, "prints nothing but errors"},
	OPTION_HELP,
	OPTION_LAST,
};

/* The number at *text, which it goes past; -1 if there is none, or it is too large. */
static int take_number(const char **text)
{
	uint64_t number;
	return number_take_count(text, 999999999, &number) ? (int)number : -1;
}

static bool read_range(const char *value, struct pass_choice *choice)
{
	const char *at = value;
	*choice = (struct pass_choice){.given = true, .last = -1, .every = choice->every};
	bool ok = true;
	if (*at != ':') {
		choice->first = choice->last = take_number(&at);
		ok = choice->first >= 0;
	}
	if (*at == ':') {
		choice->last = -1;
		at++;
		ok = ok && (*at || at > value + 1);
		if (*at)
			ok = (choice->last = take_number(&at)) >= 0 && ok;
	}
	if (*at == '\0' && choice->last >= 0 && choice->first > choice->last)
		return message_error("--frames %.40s: the first frame, %d, is after the last, %d",
				     value, choice->first, choice->last);
	return (ok && !*at) ||
	       message_error("--frames needs frames such as 10:20, 10, 10: or :20, not '%.40s'",
			     value);
}

static bool read_every(const char *value, struct pass_choice *choice)
{
	const char *at = value;
	choice->every = take_number(&at);
	return (choice->every > 0 && !*at) ||
	       message_error("--every needs a whole number from 1, not '%.40s'", value);
}

static bool read_source(const char *value, enum pass_source *source)
{
	static const char *const names[] = {[PASS_PARTICLES] = "particles",
					    [PASS_CHECKPOINTS] = "checkpoints",
					    [PASS_FIELDS] = "fields"};
	for (int i = PASS_PARTICLES; i <= PASS_FIELDS; i++)
		if (strcmp(value, names[i]) == 0) {
			*source = (enum pass_source)i;
			return true;
		}
	return message_error("--from needs particles, checkpoints or fields, not '%.40s'", value);
}

/* Reads everything.  *help: only the help is wanted.  `sets` has room for every argument. */
static bool read_pass_arguments(const struct command *self, char **arguments,
				struct pass_options *pass, const char **sets, bool *help)
{
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value;
	char takes[48];
	snprintf(takes, sizeof(takes), "%s takes one directory", self->name);
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			return pass->run || *help ||
			       message_error(
				       "%s needs the directory of a run ('freshet %s --help')",
				       self->name, self->name);
		case OPTION_OPERAND:
			ok = option_take_operand(&pass->run, value, takes);
			break;
		case OPTION_OUTPUT:
			ok = option_take(&pass->directory, value, "output",
					 "the name of a directory");
			break;
		case OPTION_DEVICE:
			ok = option_take(&pass->device, value, "device", "the name of a device");
			break;
		case OPTION_FRAMES:
			ok = read_range(value, &pass->choice);
			break;
		case OPTION_EVERY:
			ok = read_every(value, &pass->choice);
			break;
		case OPTION_SET:
			sets[pass->set_count++] = value;
			break;
		case OPTION_FROM:
			ok = read_source(value, &pass->source);
			break;
		case OPTION_OVERWRITE:
			pass->overwrite = true;
			break;
		case OPTION_QUIET:
			pass->quiet = true;
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

static enum exit_code run_pass_command(const struct command *self, char **arguments,
				       enum pass_kind kind)
{
	size_t count = 0;
	while (arguments[count])
		count++;
	const char **sets = calloc(count + 1, sizeof(*sets));
	if (!sets) {
		message_memory((count + 1) * sizeof(*sets), "the list of --set");
		return CODE_FAILED;
	}
	struct pass_options pass = {.kind = kind, .sets = sets};
	bool help = false;
	enum exit_code code = CODE_REFUSED;
	if (read_pass_arguments(self, arguments, &pass, sets, &help)) {
		code = CODE_DONE;
		if (help)
			command_print_help(self);
		else
			code = pass_run(&pass);
	}
	free(sets);
	return code;
}

static enum exit_code run_mesh_command(const struct command *self, char **arguments,
				       char *const *all)
{
	(void)all;
	return run_pass_command(self, arguments, PASS_MESH);
}

static enum exit_code run_render_command(const struct command *self, char **arguments,
					 char *const *all)
{
	(void)all;
	return run_pass_command(self, arguments, PASS_RENDER);
}

#define USAGE                                                                   \
	"DIR [-o DIR2] [-d DEVICE] [--frames A:B] [--every N] [--from FILES]\n" \
	"              [--set KEY.PATH=VALUE]... [--overwrite] [--quiet]"
#define SOURCES                                                                                    \
	"The scene is the echo in DIR/run.json; --set changes how it is shown, not how it\n"       \
	"moves.  A frame comes from its particle file, or else from its checkpoint.  With the\n"   \
	"settings of the run the files have the bytes that the run wrote or would have written.\n" \
	"A run may still be going on (then -o is needed)."
#define CODES                                                                                      \
	"\n\nExit codes: 0 done, 1 failed (a damaged file, output not writable), 2 bad command\n"  \
	"line, no such run or frames, device missing or files in the way, 130 after SIGINT, 143\n" \
	"after SIGTERM, 129 after SIGHUP."

const struct command command_mesh = {
	.name = "mesh",
	.usage = USAGE,
	.summary = "makes meshes of the liquid's surface from the files of a run",
	.details = SOURCES
	"\n"
	"Such as: --set output.mesh.format=obj --set output.surface.resolution=2." CODES,
	.options = options,
	.run = run_mesh_command,
};

const struct command command_render = {
	.name = "render",
	.usage = USAGE,
	.summary = "draws pictures from the files of a run",
	.details =
		SOURCES "\n"
			"The views pressure, levelset and cells come from field files.  Such as:\n"
			"--set output.png.view=surface --set output.png.size=[1920,1080]\n"
			"--set 'camera={eye: [3,2,4], target: [1,0.5,0.5]}'." CODES,
	.options = options,
	.run = run_render_command,
};
