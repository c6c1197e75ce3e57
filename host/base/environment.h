/* The environment variables FRESHET_*: docs/env.md. */
#ifndef FRESHET_ENVIRONMENT_H
#define FRESHET_ENVIRONMENT_H

#include <stdbool.h>

/* The value of a variable; NULL if it is not set, or empty. */
const char *environment_value(const char *name);

/* A variable that is one of two words, `off` if it is not set.  False after reporting. */
bool environment_switch(const char *name, const char *off, const char *on, bool *is_on);

#endif
