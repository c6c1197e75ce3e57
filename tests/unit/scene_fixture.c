#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "message.h"
#include "scene_fixture.h"
#include "temporary.h"

char fixture_messages[16384];
int fixture_message_count, fixture_warning_count;
static char directory[TEMPORARY_PATH];

static void record(enum message_level level, const char *text, void *user)
{
	(void)user;
	assert_true(level == MESSAGE_ERROR || level == MESSAGE_WARNING);
	const size_t used = strlen(fixture_messages);
	snprintf(fixture_messages + used, sizeof(fixture_messages) - used, "%s\n", text);
	fixture_message_count += level == MESSAGE_ERROR;
	fixture_warning_count += level == MESSAGE_WARNING;
}

int fixture_enter(void **state)
{
	(void)state;
	message_set_sink(record, NULL);
	return !temporary_folder(directory, "scene") || chdir(directory) != 0;
}

int fixture_leave(void **state)
{
	(void)state;
	remove("scene.yaml");
	return chdir("/") != 0 || rmdir(directory) != 0;
}

struct scene *read_file(const char *path, const char *const *sets, size_t count)
{
	fixture_messages[0] = '\0';
	fixture_message_count = fixture_warning_count = 0;
	return scene_read(path, sets, count);
}

struct scene *read_bytes(const char *text, size_t length, const char *const *sets, size_t count)
{
	FILE *file = fopen("scene.yaml", "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
	return read_file("scene.yaml", sets, count);
}

struct scene *read_text(const char *text)
{
	return read_bytes(text, strlen(text), NULL, 0);
}

struct scene *read_good(const char *text)
{
	struct scene *scene = read_text(text);
	if (!scene)
		fail_msg("refused:\n%s\n%s", text, fixture_messages);
	assert_int_equal(fixture_message_count, 0);
	return scene;
}

void assert_message(const char *text, const char *expected)
{
	if (!strstr(fixture_messages, expected))
		fail_msg("expected '%s' for\n%s\nbut got\n%s", expected, text, fixture_messages);
}

void assert_refused(const char *text, const char *expected)
{
	struct scene *scene = read_text(text);
	if (scene)
		fail_msg("accepted:\n%s", text);
	assert_message(text, expected);
	if (fixture_message_count != 1 ||
	    strncmp(fixture_messages, expected, strlen(expected)) != 0)
		fail_msg("expected only '%s' for\n%s\nbut got\n%s", expected, text,
			 fixture_messages);
}
