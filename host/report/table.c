#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "file_read.h"
#include "message.h"

#define MOST_BYTES ((size_t)1 << 32)

void table_free(struct table *table)
{
	for (size_t c = 0; table->names && c < table->column_count; c++)
		free(table->names[c]);
	free(table->names);
	free(table->values);
	free(table->hashes);
	*table = (struct table){0};
}

/* The next field of the line at *at, without its quotes, in place; *at goes past it and its comma.
 * NULL behind the last. */
static char *next_field(char **at)
{
	char *field = *at;
	if (!field)
		return NULL;
	if (*field != '"') {
		char *end = field + strcspn(field, ",");
		*at = *end ? end + 1 : NULL;
		*end = '\0';
		return field;
	}
	char *to = field, *from = field + 1;
	while (*from && (*from != '"' || from[1] == '"')) {
		from += *from == '"';
		*to++ = *from++;
	}
	from += strcspn(from, ","); /* past the quote, and what should not be behind it */
	*at = *from ? from + 1 : NULL;
	*to = '\0';
	return field;
}

/* No line has more fields; fewer if there are commas in quotes. */
static size_t most_fields(const char *line)
{
	size_t count = 1;
	for (; *line; line++)
		count += *line == ',';
	return count;
}

/* Ends the line and goes to the next one; NULL for one that has no end. */
static char *end_line(char *line, const char *end)
{
	char *stop = memchr(line, '\n', (size_t)(end - line));
	if (!stop)
		return NULL;
	*stop = '\0';
	if (stop > line && stop[-1] == '\r')
		stop[-1] = '\0';
	return stop + 1;
}

static bool short_of_memory(size_t bytes)
{
	message_memory(bytes, "a table");
	errno = ENOMEM;
	return false;
}

static bool read_names(char *line, struct table *table, const char *path)
{
	const size_t count = most_fields(line);
	if (count > TABLE_COLUMNS || !*line)
		return message_error("'%s' is no table: %s", path,
				     *line ? "more than 4096 columns"
					   : "it begins with an empty line");
	table->names = calloc(count, sizeof(*table->names));
	if (!table->names)
		return short_of_memory(count * sizeof(*table->names));
	const char *name;
	while ((name = next_field(&line))) {
		table->names[table->column_count] = strdup(name);
		if (!table->names[table->column_count++])
			return short_of_memory(strlen(name));
	}
	return true;
}

static size_t count_rows(const char *text, const char *end)
{
	size_t count = 0;
	const char *stop;
	for (; (stop = memchr(text, '\n', (size_t)(end - text))); text = stop + 1)
		count += stop > text;
	return count;
}

static void read_row(char *line, struct table *table, size_t row, size_t row_count, long hash)
{
	for (size_t c = 0; c < table->column_count; c++) {
		const char *field = next_field(&line);
		char *end = NULL;
		const double value =
			field && *field && (long)c != hash ? strtod(field, &end) : (double)NAN;
		table->values[c * row_count + row] = end && !*end ? value : (double)NAN;
		if (field && (long)c == hash && strlen(field) == TABLE_HASH)
			strcpy(table->hashes + row * (TABLE_HASH + 1), field);
	}
}

bool table_parse(char *text, size_t length, const char *path, struct table *table)
{
	char *const end = text + length;
	*table = (struct table){0};
	errno = 0;
	char *line = end_line(text, end);
	bool ok = line ? read_names(text, table, path)
		       : message_error("'%s' is no table: it has no line of names", path);
	if (ok) {
		const size_t rows = count_rows(line, end);
		const long hash = table_find(table, "hash");
		table->values = calloc(table->column_count * rows + 1, sizeof(*table->values));
		if (hash >= 0)
			table->hashes = calloc(rows + 1, TABLE_HASH + 1);
		ok = (table->values && (hash < 0 || table->hashes)) ||
		     short_of_memory(table->column_count * rows * sizeof(*table->values));
		for (char *next; ok && (next = end_line(line, end)); line = next)
			if (*line)
				read_row(line, table, table->row_count++, rows, hash);
		/* A line of a carriage return alone was counted. */
		for (size_t c = 1; ok && c < table->column_count && table->row_count < rows; c++)
			memmove(table->values + c * table->row_count, table->values + c * rows,
				table->row_count * sizeof(*table->values));
	}
	if (!ok) {
		const int code = errno;
		table_free(table);
		errno = code;
	}
	return ok;
}

bool table_read(const char *directory, const char *name, struct table *table, bool *there)
{
	char reason[FILE_READ_REASON];
	struct stat status;
	size_t length;
	*table = (struct table){0};
	char *path = file_join(directory, name);
	if (!path) {
		errno = ENOMEM;
		return false;
	}
	*there = lstat(path, &status) == 0 || errno != ENOENT;
	bool ok = true;
	if (*there) {
		char *text = file_read(path, MOST_BYTES, &length, reason);
		ok = text ? table_parse(text, length, path, table) : file_refuse(path, reason);
		const int code = errno;
		free(text);
		errno = code;
	}
	const int code = errno;
	free(path);
	errno = code;
	return ok;
}

long table_find(const struct table *table, const char *name)
{
	for (size_t c = 0; c < table->column_count; c++)
		if (strcmp(table->names[c], name) == 0)
			return (long)c;
	return -1;
}

const double *table_column(const struct table *table, size_t column)
{
	return table->values + column * table->row_count;
}

const char *table_hash(const struct table *table, size_t row)
{
	return table->hashes ? table->hashes + row * (TABLE_HASH + 1) : "";
}
