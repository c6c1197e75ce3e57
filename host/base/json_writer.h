/*
 * Writes JSON text into memory.
 *
 * Start from a zeroed writer.  Keys are given inside objects and NULL inside arrays and at the top.
 * A failed allocation is remembered; json_take() then reports it.
 */
#ifndef FRESHET_JSON_WRITER_H
#define FRESHET_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_writer {
	char *text; /* owned */
	size_t length, capacity;
	int depth;
	bool filled; /* the innermost object or array has a member already */
	bool failed;
};

void json_begin_object(struct json_writer *json, const char *key);
void json_end_object(struct json_writer *json);
void json_begin_array(struct json_writer *json, const char *key);
void json_end_array(struct json_writer *json);

/* A string.  Valid UTF-8 passes through, each byte that is not becomes U+FFFD; NULL gives null. */
void json_string(struct json_writer *json, const char *key, const char *value);
/* A number that reads back to the same double; non-finite values become null. */
void json_number(struct json_writer *json, const char *key, double value);
void json_integer(struct json_writer *json, const char *key, int64_t value);
void json_boolean(struct json_writer *json, const char *key, bool value);
/* A value that is JSON text already. */
void json_raw(struct json_writer *json, const char *key, const char *value);

/* The finished text with a final newline, owned by the caller (free()), and its length.  NULL after
 * reporting.  The writer is zeroed either way. */
char *json_take(struct json_writer *json, size_t *length);

#endif
