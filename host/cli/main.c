/* The command line: finds the subcommand and hands it the rest. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "environment_check.h"
#include "manual.h"
#include "message.h"
#include "scene_support.h"
#include "sim_method.h"
#include "version.h"

static const struct command *const commands[] = {
	&command_run,	 &command_devices, &command_check,    &command_mesh,	&command_render,
	&command_hash,	 &command_verify,  &command_validate, &command_bench,	&command_doctor,
	&command_stages, &command_report,  &command_film,     &command_compare, &command_serve,
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *stream)
{
	fprintf(stream, "freshet simulates liquids with particles and a grid, on any OpenCL "
			"device.\n\nusage:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(stream, "  freshet %s%s%s\n", commands[i]->name,
			*commands[i]->usage ? " " : "", commands[i]->usage);
	fprintf(stream, "  freshet --version | --help | --man\n\ncommands:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(stream, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(stream, "\n'freshet COMMAND --help' explains a command and its options.\n"
			"'freshet --man' prints a manual page: freshet --man | man -l -\n");
}

static enum exit_code report_unknown_command(const char *word)
{
	const char *names[COMMAND_COUNT + 4] = {NULL};
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		names[i] = commands[i]->name;
	names[COMMAND_COUNT] = "--version";
	names[COMMAND_COUNT + 1] = "--help";
	names[COMMAND_COUNT + 2] = "--man";
	char quoted[SCENE_QUOTE];
	const char *kind = word[0] == '-' ? "option" : "command";
	const char *near = scene_suggest(word, names);
	scene_quote(word, quoted);
	if (near)
		message_error("unknown %s '%s' (did you mean '%s'?)", kind, quoted, near);
	else
		message_error("unknown %s '%s' ('freshet --help' lists them)", kind, quoted);
	return CODE_REFUSED;
}

static enum exit_code run_named_command(char **arguments)
{
	const char *word = arguments[1];
	if (!word) {
		print_help(stderr);
		return CODE_REFUSED;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		print_help(stdout);
		return CODE_DONE;
	}
	if (strcmp(word, "--man") == 0) {
		manual_print(commands, COMMAND_COUNT);
		return CODE_DONE;
	}
	if (strcmp(word, "--version") == 0) {
		printf("freshet %s (%s)\n", FRESHET_VERSION, FRESHET_GIT);
		return CODE_DONE;
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(word, commands[i]->name) == 0)
			return environment_check() && methods_check()
				       ? commands[i]->run(commands[i], arguments + 2, arguments)
				       : CODE_REFUSED;
	return report_unknown_command(word);
}

/*
 * A standard stream that the caller closed would be the next file that is opened, by a driver too,
 * and messages would end up in it.  Opened for the opposite, it stays an error to use.
 */
static void reserve_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	static char *none[] = {NULL, NULL};
	reserve_standard_streams();
	enum exit_code code = run_named_command(argc > 0 ? argv : none);
	if ((fflush(stdout) != 0 || ferror(stdout)) && code == CODE_DONE) {
		message_error("cannot write to the standard output: %s", strerror(errno));
		code = CODE_FAILED;
	}
	return (int)code;
}
