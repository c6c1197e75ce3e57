/* What the tests of the output share: counted checks, the last message, a scratch directory. */
#ifndef FRESHET_TEST_OUTPUT_SUPPORT_H
#define FRESHET_TEST_OUTPUT_SUPPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"
#include "temporary.h"

static int checks, failures;
static char message[4096]; /* the last one */

#define CHECK(condition)                                                                  \
	do {                                                                              \
		checks++;                                                                 \
		if (!(condition)) {                                                       \
			failures++;                                                       \
			fprintf(stderr, "%s:%d: %s fails (last message: %s)\n", __FILE__, \
				__LINE__, #condition, message);                           \
		}                                                                         \
	} while (0)

static void keep_message(enum message_level level, const char *text, void *user)
{
	(void)level;
	(void)user;
	snprintf(message, sizeof(message), "%s", text);
}

/* ---- files in a scratch directory ------------------------------------------------------- */

static char scratch[TEMPORARY_PATH];

static inline const char *in_scratch(const char *name)
{
	static char path[4][TEMPORARY_PATH + 256];
	static int next;
	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", scratch, name);
	return path[next];
}

static inline bool exists(const char *path)
{
	struct stat status;
	return lstat(path, &status) == 0;
}

static inline void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");
	CHECK(file != NULL);
	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static inline const char *get(const char *path)
{
	static char text[16384];
	FILE *file = fopen(path, "rb");
	size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	text[length] = '\0';
	if (file)
		fclose(file);
	return text;
}

static inline bool start_scratch(void)
{
	message_set_sink(keep_message, NULL);
	return temporary_folder(scratch, "output");
}

static inline void remove_scratch(void)
{
	char command[TEMPORARY_PATH + 16];
	snprintf(command, sizeof(command), "rm -rf '%s'", scratch);
	if (system(command) != 0)
		fprintf(stderr, "cannot remove %s\n", scratch);
}

/* Removes the scratch directory, prints the count; the exit status. */
static inline int end_tests(void)
{
	remove_scratch();
	printf("%d checks, %d failed\n", checks, failures);
	return failures ? 1 : 0;
}

#endif
