#include "scene_support.h"
#include "utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A person reads a screenful; a file that is no scene at all should not print thousands. */
#define MAX_SHOWN 40

/* Longest path or override quoted in full; of a longer one the tail tells more. */
#define MAX_WHERE 400
#define WHERE_BYTES (MAX_WHERE + 64)

/* Longest message, with the place. */
#define TEXT_BYTES (WHERE_BYTES + 1400)

/* Longest word that gets a suggestion. */
#define MAX_WORD 48

/* "PATH:LINE:COLUMN" or "--set KEY=VALUE". */
static void say_where(const struct scene_errors *errors, int source, size_t line, size_t column,
		      char where[WHERE_BYTES])
{
	if (source != SCENE_SOURCE_FILE) {
		snprintf(where, WHERE_BYTES, "--set %.*s", MAX_WHERE - 1, errors->sets[source]);
		return;
	}
	const char *path = errors->path;
	const size_t length = strlen(path);
	const char *dots = "";
	if (length > MAX_WHERE) {
		path += length - MAX_WHERE;
		dots = "...";
	}
	if (line == 0)
		snprintf(where, WHERE_BYTES, "%s%s", dots, path);
	else
		snprintf(where, WHERE_BYTES, "%s%s:%zu:%zu", dots, path, line, column);
}

/* "WHERE: " and the text. */
static void compose_error(const struct scene_errors *errors, int source, size_t line, size_t column,
			  const char *format, va_list args, char text[TEXT_BYTES])
{
	say_where(errors, source, line, column, text);
	size_t length = strlen(text);
	length += (size_t)snprintf(text + length, TEXT_BYTES - length, ": ");
	vsnprintf(text + length, TEXT_BYTES - length, format, args);
}

void scene_warning_at(const struct scene_errors *errors, int source, size_t line, size_t column,
		      const char *format, ...)
{
	char text[TEXT_BYTES];
	va_list args;
	va_start(args, format);
	compose_error(errors, source, line, column, format, args, text);
	va_end(args);
	message_warning("%s", text);
}

void scene_error_at(struct scene_errors *errors, int source, size_t line, size_t column,
		    const char *format, ...)
{
	errors->count++;
	if (errors->count > MAX_SHOWN) {
		if (errors->count == MAX_SHOWN + 1)
			message_error("%s: more errors, not shown", errors->path);
		return;
	}
	char text[TEXT_BYTES];
	va_list args;
	va_start(args, format);
	compose_error(errors, source, line, column, format, args, text);
	va_end(args);
	message_error("%s", text);
}

bool scene_error_memory(struct scene_errors *errors)
{
	errors->out_of_memory = true;
	scene_error_at(errors, SCENE_SOURCE_FILE, 0, 0, "out of host memory for the scene");
	return false;
}

const char *scene_quote(const char *text, char buffer[SCENE_QUOTE])
{
	size_t used = 0;
	while (*text) {
		size_t length = utf8_length(text);
		const bool plain = length > 0 && !iscntrl((unsigned char)*text);
		if (length == 0)
			length = 1;
		if (used + length > SCENE_QUOTE - 4) {
			memcpy(buffer + used, "...", 3);
			used += 3;
			break;
		}
		if (plain) {
			memcpy(buffer + used, text, length);
			used += length;
		} else {
			buffer[used++] = '?';
		}
		text += length;
	}
	buffer[used] = '\0';
	return buffer;
}

static size_t smaller_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t edit_distance(const char *a, const char *b)
{
	const size_t m = strlen(a), n = strlen(b);
	size_t rows[3][MAX_WORD + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];
	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; i <= m; i++) {
		size_t *spare = before;
		before = above;
		above = row;
		row = spare;
		row[0] = i;
		const int ca = tolower((unsigned char)a[i - 1]);
		for (size_t j = 1; j <= n; j++) {
			const int cb = tolower((unsigned char)b[j - 1]);
			row[j] = smaller_size(above[j - 1] + (ca != cb),
					      smaller_size(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
			    cb == tolower((unsigned char)a[i - 2]))
				row[j] = smaller_size(row[j], before[j - 2] + 1);
		}
	}
	return row[n];
}

const char *scene_suggest(const char *word, const char *const *names)
{
	const size_t length = strlen(word);
	if (length == 0 || length > MAX_WORD)
		return NULL;
	const size_t limit = length <= 3 ? 1 : length <= 6 ? 2 : 3;
	const char *best = NULL;
	size_t best_distance = smaller_size(limit, length - 1) + 1;
	for (; *names; names++) {
		const char *name = *names + (**names == '!');
		if (strlen(name) > MAX_WORD)
			continue;
		const size_t distance = edit_distance(word, name);
		if (distance < best_distance) {
			best_distance = distance;
			best = name;
		}
	}
	return best;
}

void *scene_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
	if (needed <= *capacity)
		return array;
	size_t larger = *capacity < 8 ? 8 : *capacity;
	while (larger < needed) {
		if (larger > SIZE_MAX / 2)
			return NULL;
		larger *= 2;
	}
	if (larger > SIZE_MAX / size)
		return NULL;
	void *moved = realloc(array, larger * size);
	if (moved)
		*capacity = larger;
	return moved;
}

char *scene_copy_text(const char *text)
{
	const size_t bytes = strlen(text) + 1;
	char *copy = malloc(bytes);
	if (copy)
		memcpy(copy, text, bytes);
	return copy;
}
