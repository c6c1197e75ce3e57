#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bodies/bodies_csv.h"
#include "file_read.h"
#include "message.h"
#include "number.h"

/* The text up to the next comma, which becomes its end; NULL at the end of the line. */
static char *take_cell(char **line)
{
	char *cell = *line, *comma = cell ? strchr(cell, ',') : NULL;
	if (!comma)
		return NULL;
	*comma = '\0';
	*line = comma + 1;
	return cell;
}

/* A number to the bit; the program is in the locale "C". */
static bool read_number(const char *cell, double *value)
{
	char *end;
	*value = strtod(cell, &end);
	return end > cell && *end == '\0';
}

/* frame, time, body, the numbers of its state; what follows is not looked at. */
static bool read_row(char *line, int *frame, size_t *body, struct body *state)
{
	double *number = (double *)state;
	uint64_t at = 0, which = 0;
	char *cell = take_cell(&line);
	double time;
	if (!cell || !number_read_count(cell, INT_MAX, &at) || !(cell = take_cell(&line)) ||
	    !read_number(cell, &time) || !(cell = take_cell(&line)) ||
	    !number_read_count(cell, INT_MAX, &which))
		return false;
	*frame = (int)at;
	*body = (size_t)which;
	for (int i = 0; i < BODY_NUMBERS; i++)
		if (!(cell = take_cell(&line)) || !read_number(cell, &number[i]))
			return false;
	return bodies_are_sound(state, 1);
}

static bool make_room(struct bodies_table *table, size_t count, size_t *capacity)
{
	if (table->frame_count < *capacity)
		return true;
	const size_t more = 2 * *capacity + 64;
	int *frame = realloc(table->frame, more * sizeof(*frame));
	table->frame = frame ? frame : table->frame;
	struct body *bodies = frame ? realloc(table->bodies, more * count * sizeof(*bodies)) : NULL;
	table->bodies = bodies ? bodies : table->bodies;
	*capacity = bodies ? more : *capacity;
	return bodies || message_memory(more * count * sizeof(*bodies), "bodies.csv");
}

/* Rows of a frame follow one another, body by body. */
static bool read_rows(const char *path, char *text, size_t count, struct bodies_table *table)
{
	size_t capacity = 0, next = 0;
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		struct body state;
		size_t body;
		int frame;
		*end = '\0';
		if (!make_room(table, count, &capacity))
			return false;
		if (!read_row(line, &frame, &body, &state) || body != next ||
		    (next > 0 && frame != table->frame[table->frame_count]) ||
		    (next == 0 && table->frame_count > 0 &&
		     frame <= table->frame[table->frame_count - 1]))
			return message_error(
				"'%s' is damaged, or not of this scene (the rows "
				"behind frame %d)",
				path,
				table->frame_count > 0 ? table->frame[table->frame_count - 1] : -1);
		table->frame[table->frame_count] = frame;
		table->bodies[table->frame_count * count + next] = state;
		next = (next + 1) % count;
		table->frame_count += next == 0;
	}
	return true;
}

bool bodies_csv_read(const char *path, size_t count, struct bodies_table *table)
{
	char reason[FILE_READ_REASON];
	size_t length;
	*table = (struct bodies_table){0};
	if (access(path, F_OK) != 0)
		return true;
	char *text = file_read(path, SIZE_MAX, &length, reason);
	if (!text)
		return file_refuse(path, reason);
	char *rows = strchr(text, '\n');
	const bool good = !rows || read_rows(path, rows + 1, count, table);
	free(text);
	if (!good)
		bodies_table_free(table);
	return good;
}

void bodies_table_free(struct bodies_table *table)
{
	free(table->frame);
	free(table->bodies);
	*table = (struct bodies_table){0};
}

const struct body *bodies_table_find(const struct bodies_table *table, size_t count, int frame)
{
	for (size_t i = 0; i < table->frame_count; i++)
		if (table->frame[i] == frame)
			return table->bodies + i * count;
	return NULL;
}
