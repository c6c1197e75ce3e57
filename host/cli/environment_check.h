#ifndef FRESHET_ENVIRONMENT_CHECK_H
#define FRESHET_ENVIRONMENT_CHECK_H

#include <stdbool.h>

/* Does every variable have a value that it can have?  Asked before a command does anything (exit
 * code 2 if not); the readers of each ask again, for programs that use the library.  False after
 * reporting. */
bool environment_check(void);

#endif
