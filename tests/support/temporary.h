/* Files and folders of tests that do not outlive them, in $TMPDIR. */
#ifndef FRESHET_TEST_TEMPORARY_H
#define FRESHET_TEST_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define TEMPORARY_PATH 256

/* A pattern for mkstemp() and mkdtemp(); false where it does not fit. */
static inline bool temporary_pattern(char path[TEMPORARY_PATH], const char *what)
{
	const char *root = getenv("TMPDIR");
	const int length = snprintf(path, TEMPORARY_PATH, "%s/freshet-%s-XXXXXX",
				    root && *root ? root : "/tmp", what);
	return length > 0 && length < TEMPORARY_PATH;
}

/* Makes a folder.  False after saying why not. */
static inline bool temporary_folder(char path[TEMPORARY_PATH], const char *what)
{
	if (temporary_pattern(path, what) && mkdtemp(path))
		return true;
	perror(path);
	return false;
}

#endif
