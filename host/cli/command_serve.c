/* freshet serve */
#include "commands.h"
#include "message.h"
#include "number.h"
#include "server.h"

enum { OPTION_PORT, OPTION_QUIET, OPTION_HELP_ME };

static const struct option options[] = {
	{"port", 'p', "N", "port (default: 8613, or any that is free)"},
	{"quiet", 'q', NULL, "prints nothing but errors"},
	OPTION_HELP,
	OPTION_LAST,
};

static bool read_port(const char *value, unsigned *port)
{
	uint64_t number;
	if (!number_read_count(value, 65535, &number) || number < 1)
		return message_error("--port needs a whole number from 1 to 65535, not '%.40s'",
				     value);
	*port = (unsigned)number;
	return true;
}

static bool add_run(const char *value, struct server_options *serve)
{
	if (serve->run_count == PAGE_RUNS)
		return message_error("more than %d runs beside each other", PAGE_RUNS);
	serve->runs[serve->run_count++] = value;
	return true;
}

static enum exit_code run_serve_command(const struct command *self, char **arguments,
					char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	struct server_options serve = {0};
	const char *value;
	bool quiet = false;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (serve.run_count > 0)
				return serve_runs(&serve, quiet);
			message_error(
				"serve needs the directory of a run ('freshet serve --help')");
			return CODE_REFUSED;
		case OPTION_OPERAND:
			ok = add_run(value, &serve);
			break;
		case OPTION_PORT:
			ok = read_port(value, &serve.port);
			break;
		case OPTION_QUIET:
			quiet = true;
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

const struct command command_serve = {
	.name = "serve",
	.usage = "DIR [DIR2]... [--port N] [--quiet]",
	.summary = "shows the page of a run, also of one that goes on, to browsers on this machine",
	.details =
		"The page is that of 'freshet report', but asks for what is new every second.  It is\n"
		"served on 127.0.0.1 alone; requests that come by another name, or from pages of other\n"
		"origins, are refused.  Files are only read: neither it nor a browser changes a run.\n"
		"'freshet run --watch' does the same while it runs.\n\n"
		"Exit codes: 0 ended by Ctrl-C or a signal, 1 the port is taken, or dygraphs is missing,\n"
		"2 bad command line, no run, or built without libmicrohttpd.",
	.options = options,
	.run = run_serve_command,
};
