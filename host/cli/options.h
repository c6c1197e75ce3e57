/* Reads a command line: options in any order, before or after the operands. */
#ifndef FRESHET_OPTIONS_H
#define FRESHET_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct option {
	const char *name;  /* without "--"; NULL ends a list */
	char letter;	   /* 0 = none */
	const char *value; /* what its value is called in the help; NULL = it takes none */
	const char *help;
};

struct option_reader {
	const struct option *options;
	char **arguments;    /* NULL-terminated */
	const char *cluster; /* the rest of "-abc" */
	int operands_only;   /* after "--" */
};

enum { OPTION_END = -1, OPTION_OPERAND = -2, OPTION_WRONG = -3 };

/*
 * The next item: an index into `options`, OPTION_OPERAND, OPTION_END, or OPTION_WRONG after
 * reporting.  *value is the option's value, the operand, or NULL.  Understood are --name VALUE,
 * --name=VALUE, -x VALUE, -xVALUE, flags in one word (-xy), and "--", which ends the options.
 */
int options_next(struct option_reader *reader, const char **value);

/* *to = value, unless that is empty: "--NAME needs THING". */
bool option_take(const char **to, const char *value, const char *name, const char *thing);
/* *to = value, unless it is set: "TAKES: 'A' or 'B'?" */
bool option_take_operand(const char **to, const char *value, const char *takes);

#endif
