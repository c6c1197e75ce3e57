/* The subcommands.  Each file command_*.c holds one of them (command_pass.c two), options
 * included. */
#ifndef FRESHET_COMMANDS_H
#define FRESHET_COMMANDS_H

#include "exit_code.h"
#include "options.h"

struct command {
	const char *name;
	const char *usage;   /* what follows "freshet NAME" */
	const char *summary; /* one line */
	const char *details; /* paragraphs for --help, or NULL */
	const struct option *options;
	/* `arguments` follow the name, NULL-terminated; `all` is the whole command line. */
	enum exit_code (*run)(const struct command *self, char **arguments, char *const *all);
};

extern const struct command command_run;
extern const struct command command_devices;
extern const struct command command_mesh;
extern const struct command command_render;
extern const struct command command_check;
extern const struct command command_hash;
extern const struct command command_bench;
extern const struct command command_verify;
extern const struct command command_doctor;
extern const struct command command_validate;
extern const struct command command_stages;
extern const struct command command_report;
extern const struct command command_film;
extern const struct command command_serve;
extern const struct command command_compare;

/* Prints the help of one command to standard output. */
void command_print_help(const struct command *command);

/* What every command's list of options ends with. */
#define OPTION_HELP                                  \
	{                                            \
		"help", 'h', NULL, "print this help" \
	}
#define OPTION_LAST                 \
	{                           \
		NULL, 0, NULL, NULL \
	}

#endif
