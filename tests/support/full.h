/* Whether the long forms of tests are asked for. */
#ifndef FRESHET_TEST_FULL_H
#define FRESHET_TEST_FULL_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool tests_are_full(void)
{
	const char *value = getenv("FRESHET_TEST_FULL");
	return value && *value && strcmp(value, "0") != 0;
}

#endif
