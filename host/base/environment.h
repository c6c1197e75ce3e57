/* The environment variables FRESHET_*: docs/env.md. */
#ifndef FRESHET_ENVIRONMENT_H
#define FRESHET_ENVIRONMENT_H

#include <stdbool.h>

/* Does every variable have a value that it can have?  Asked before a command does anything (exit
 * code 2 if not); the readers of each ask again, for programs that use the library.  False after
 * reporting. */
bool environment_check(void);

/* The value of a variable; NULL if it is not set, or empty. */
const char *environment_value(const char *name);

/* A variable that is one of two words, `off` if it is not set.  False after reporting. */
bool environment_switch(const char *name, const char *off, const char *on, bool *is_on);

#endif
