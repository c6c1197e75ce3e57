#include "manual.h"

#include <stdio.h>
#include <string.h>

#include "version.h"

/* A text for roff: no requests, hyphens as they are typed. */
static void print_text(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const bool starts = i == 0 || text[i - 1] == '\n';
		if (starts && (text[i] == '.' || text[i] == '\''))
			printf("\\&");
		if (text[i] == '\\')
			printf("\\e");
		else if (text[i] == '-')
			printf("\\-");
		else if (text[i] == '\'')
			printf("\\(aq");
		else
			putchar(text[i]);
	}
}

static void print_words(const char *text)
{
	print_text(text, strlen(text));
}

/* Paragraphs are apart by an empty line.  Lines of a usage go on indented. */
static void print_paragraphs(const char *text)
{
	const char *end;
	for (; (end = strstr(text, "\n\n")); text = end + 2) {
		print_text(text, (size_t)(end - text));
		printf("\n.PP\n");
	}
	print_words(text);
	printf("\n");
}

static void print_usage(const struct command *command)
{
	printf(".B freshet ");
	print_words(command->name);
	printf("\n");
	for (const char *at = command->usage; *at;) {
		at += strspn(at, " \n");
		const size_t length = strcspn(at, "\n");
		print_text(at, length);
		printf("\n");
		at += length;
	}
}

static void print_option(const struct option *option)
{
	printf(".TP\n");
	if (option->letter)
		printf("\\fB\\-%c\\fR, ", option->letter);
	printf("\\fB\\-\\-");
	print_words(option->name);
	printf("\\fR");
	if (option->value) {
		printf(" \\fI");
		print_words(option->value);
		printf("\\fR");
	}
	printf("\n");
	print_words(option->help);
	printf("\n");
}

static void print_command(const struct command *command)
{
	printf(".SS ");
	print_words(command->name);
	printf("\n");
	print_usage(command);
	printf(".PP\n");
	print_words(command->summary);
	printf(".\n");
	if (command->details) {
		printf(".PP\n");
		print_paragraphs(command->details);
	}
	for (const struct option *option = command->options; option->name; option++)
		print_option(option);
}

void manual_print(const struct command *const *commands, size_t count)
{
	printf(".TH FRESHET 1 \"\" \"freshet %s\" \"User Commands\"\n", FRESHET_VERSION);
	printf(".SH NAME\nfreshet \\- simulates liquids with particles and a grid\n");
	printf(".SH SYNOPSIS\n.B freshet\n\\fICOMMAND\\fR [\\fIoption\\fR]...\n.br\n"
	       ".B freshet\n\\-\\-version | \\-\\-help | \\-\\-man\n");
	printf(".SH DESCRIPTION\nA liquid simulator on any OpenCL device, or without one.  The same "
	       "scene gives the same bits on all.\n.SH COMMANDS\n");
	for (size_t i = 0; i < count; i++)
		print_command(commands[i]);
	printf(".SH ENVIRONMENT\n\\fBFRESHET_DEVICE\\fR names the device, as \\fB\\-\\-device\\fR "
	       "does; docs/env.md lists the other variables.\n");
}
