/* freshet film */
#include <stdio.h>

#include "commands.h"
#include "film.h"
#include "message.h"
#include "number.h"

enum { OPTION_OUTPUT, OPTION_FPS, OPTION_OVERWRITE, OPTION_QUIET, OPTION_HELP_ME };

static const struct option options[] = {
	{"output", 'o', "FILE", "the film: .mp4, .mov or .mkv (default: DIR/film.mp4)"},
	{"fps", 0, "N", "pictures a second (default: as many as show the run as fast as it is)"},
	{"overwrite", 0, NULL, "replaces a file that is there already"},
	{"quiet", 'q', NULL, "prints nothing but errors"},
	OPTION_HELP,
	OPTION_LAST,
};

static bool read_rate(const char *value, double *rate)
{
	if (!number_read(value, rate) || !(*rate >= 0.01 && *rate <= 1000.0))
		return message_error("--fps needs a number from 0.01 to 1000, not '%.40s'", value);
	return true;
}

static enum exit_code run_film_command(const struct command *self, char **arguments,
				       char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct film_options film = {0};
	const char *value;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (film.run)
				return film_make(&film);
			message_error("film needs the directory of a run ('freshet film --help')");
			return CODE_REFUSED;
		case OPTION_OPERAND:
			ok = option_take_operand(&film.run, value, "film takes one directory");
			break;
		case OPTION_OUTPUT:
			ok = option_take(&film.output, value, "output", "the name of a file");
			break;
		case OPTION_FPS:
			ok = read_rate(value, &film.rate);
			break;
		case OPTION_OVERWRITE:
			film.overwrite = true;
			break;
		case OPTION_QUIET:
			film.quiet = true;
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

const struct command command_film = {
	.name = "film",
	.usage = "DIR [-o FILE] [--fps N] [--overwrite] [--quiet]",
	.summary = "makes a film of a run's pictures, by ffmpeg",
	.details =
		"H.264 in 4:2:0, which every player shows; odd sizes get a row or a column more.  The\n"
		"rate is the scene's time.fps over output.png.every, so that a second of the film is\n"
		"one of the run.  'freshet render' makes pictures in another view or size first.\n"
		"ffmpeg is a package of its own (Debian: apt-get install ffmpeg).\n\n"
		"Exit codes: 0 done, 1 ffmpeg is missing or failed, 2 bad command line, no run, no\n"
		"pictures, or the film is there already.",
	.options = options,
	.run = run_film_command,
};
