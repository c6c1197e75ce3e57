/* Shared by the tests of the scene reader: reads texts as scenes and keeps the messages. */
#ifndef FRESHET_SCENE_FIXTURE_H
#define FRESHET_SCENE_FIXTURE_H

#include <stddef.h>

#include "scene.h"

/* The least a scene needs; tests append to it, so line 2 is theirs. */
#define HEAD_2D "domain: {size: [1, 1], cells: 8}\n"
#define HEAD_3D "domain: {size: [1, 1, 1], cells: 8}\n"

extern char fixture_messages[16384];			 /* of the last read, one per line */
extern int fixture_message_count, fixture_warning_count; /* of errors, of warnings */

/* Group set-up and tear-down: a temporary directory, the message sink. */
int fixture_enter(void **state);
int fixture_leave(void **state);

struct scene *read_file(const char *path, const char *const *sets, size_t count);
/* Reads a text as the file "scene.yaml" of the current directory. */
struct scene *read_bytes(const char *text, size_t length, const char *const *sets, size_t count);
struct scene *read_text(const char *text);
/* Fails the test when the text is refused. */
struct scene *read_good(const char *text);

/* Was a message with this text reported for `text`? */
void assert_message(const char *text, const char *expected);
/* One text, one error: the message starts with `expected`, and nothing else is reported. */
void assert_refused(const char *text, const char *expected);

struct refusal {
	const char *text, *expected;
};
#define REFUSE_ALL(table)                                             \
	for (size_t i = 0; i < sizeof(table) / sizeof(*(table)); i++) \
	assert_refused((table)[i].text, (table)[i].expected)

#endif
