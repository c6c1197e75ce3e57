#include "json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "utf8.h"

static void append(struct json_writer *json, const char *text, size_t length)
{
	if (json->failed)
		return;
	if (json->length + length > json->capacity) {
		size_t capacity = (json->length + length) * 2 + 256;
		char *grown = realloc(json->text, capacity);
		if (!grown) {
			json->failed = true;
			return;
		}
		json->text = grown;
		json->capacity = capacity;
	}
	memcpy(json->text + json->length, text, length);
	json->length += length;
}

static void append_text(struct json_writer *json, const char *text)
{
	append(json, text, strlen(text));
}

static void append_quoted(struct json_writer *json, const char *value)
{
	const char *s = value;
	append_text(json, "\"");
	while (*s) {
		size_t length = utf8_length(s);
		if (length == 0) {
			append_text(json, "\\ufffd");
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\') {
			append_text(json, "\\");
			append(json, s, 1);
		} else if ((unsigned char)*s < 0x20 || *s == 0x7f) {
			char escape[8];
			snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)*s);
			append_text(json, escape);
		} else {
			append(json, s, length);
		}
		s += length;
	}
	append_text(json, "\"");
}

static void new_line(struct json_writer *json)
{
	append_text(json, "\n");
	for (int i = 0; i < json->depth; i++)
		append_text(json, "  ");
}

static void begin_member(struct json_writer *json, const char *key)
{
	if (json->depth > 0) {
		if (json->filled)
			append_text(json, ",");
		new_line(json);
	}
	json->filled = true;
	if (key) {
		append_quoted(json, key);
		append_text(json, ": ");
	}
}

static void open_level(struct json_writer *json, const char *key, const char *bracket)
{
	begin_member(json, key);
	append_text(json, bracket);
	json->depth++;
	json->filled = false;
}

static void close_level(struct json_writer *json, const char *bracket)
{
	json->depth--;
	if (json->filled)
		new_line(json);
	append_text(json, bracket);
	json->filled = true;
}

void json_begin_object(struct json_writer *json, const char *key)
{
	open_level(json, key, "{");
}

void json_end_object(struct json_writer *json)
{
	close_level(json, "}");
}

void json_begin_array(struct json_writer *json, const char *key)
{
	open_level(json, key, "[");
}

void json_end_array(struct json_writer *json)
{
	close_level(json, "]");
}

void json_string(struct json_writer *json, const char *key, const char *value)
{
	begin_member(json, key);
	if (value)
		append_quoted(json, value);
	else
		append_text(json, "null");
}

void json_number(struct json_writer *json, const char *key, double value)
{
	char text[NUMBER_TEXT];
	begin_member(json, key);
	append_text(json, isfinite(value) ? number_from_double(value, text) : "null");
}

void json_integer(struct json_writer *json, const char *key, int64_t value)
{
	char text[NUMBER_TEXT];
	begin_member(json, key);
	snprintf(text, sizeof(text), "%" PRId64, value);
	append_text(json, text);
}

void json_boolean(struct json_writer *json, const char *key, bool value)
{
	begin_member(json, key);
	append_text(json, value ? "true" : "false");
}

void json_raw(struct json_writer *json, const char *key, const char *value)
{
	begin_member(json, key);
	append_text(json, value);
}

char *json_take(struct json_writer *json, size_t *length)
{
	append(json, "\n", 2); /* with the terminator */
	char *text = json->text;
	*length = json->length - 1;
	if (json->failed) {
		free(text);
		text = NULL;
		message_error("out of memory while writing JSON");
	}
	*json = (struct json_writer){0};
	return text;
}
