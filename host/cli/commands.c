#include "commands.h"

#include <stdio.h>
#include <string.h>

static void print_option(const struct option *option)
{
	char left[64];
	int length = option->letter ? snprintf(left, sizeof(left), "-%c, ", option->letter)
				    : snprintf(left, sizeof(left), "    ");
	snprintf(left + length, sizeof(left) - (size_t)length, "--%s%s%s", option->name,
		 option->value ? " " : "", option->value ? option->value : "");
	printf("  %-28s  %s\n", left, option->help);
}

void command_print_help(const struct command *command)
{
	printf("usage: freshet %s%s%s\n\n%s.\n", command->name, command->usage[0] ? " " : "",
	       command->usage, command->summary);
	if (command->details)
		printf("\n%s\n", command->details);
	printf("\nOptions:\n");
	for (const struct option *option = command->options; option->name; option++)
		print_option(option);
}
