/* The manual page, from what --help says. */
#ifndef FRESHET_MANUAL_H
#define FRESHET_MANUAL_H

#include <stddef.h>

#include "commands.h"

/* Prints freshet(1) for man(1) on standard output. */
void manual_print(const struct command *const *commands, size_t count);

#endif
