#include "curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "validate_files.h"

const struct embedded_text *validate_find_file(const char *name)
{
	for (const struct embedded_text *file = validate_files; file->name; file++)
		if (strcmp(file->name, name) == 0)
			return file;
	message_error("the program holds no file '%s'", name);
	return NULL;
}

/* ---- curves ------------------------------------------------------------------------------- */

bool curve_add(struct curve *curve, double t, double y)
{
	if (curve->count == curve->room) {
		const size_t room = curve->room ? 2 * curve->room : 64;
		double *times = realloc(curve->t, room * sizeof(*times));
		if (times)
			curve->t = times;
		double *values = realloc(curve->y, room * sizeof(*values));
		if (values)
			curve->y = values;
		if (!times || !values)
			return message_error("out of memory for a curve of %zu points", room);
		curve->room = room;
	}
	curve->t[curve->count] = t;
	curve->y[curve->count++] = y;
	return true;
}

void curve_free(struct curve *curve)
{
	free(curve->t);
	free(curve->y);
	*curve = (struct curve){0};
}

struct series curve_series(const struct curve *curve)
{
	return (struct series){curve->t, curve->y, curve->count};
}

void curve_draw(const struct curve *curve, struct plot *plot, const char *name,
		enum plot_style style)
{
	plot_add(plot, name, style, curve->t, curve->y, curve->count);
}

double worse_of(double a, double b)
{
	return fabs(b) > fabs(a) ? b : a;
}

/* ---- tables ------------------------------------------------------------------------------- */

/* Copies the next line of a text, without its end; false at the end of the text. */
static bool next_line(const char **text, char *line, size_t size)
{
	const char *start = *text;
	if (!*start)
		return false;
	const size_t length = strcspn(start, "\n");
	const size_t kept = length < size - 1 ? length : size - 1;
	memcpy(line, start, kept);
	line[kept] = '\0';
	*text = start + length + (start[length] == '\n');
	return true;
}

/* Field `index` of a line of a CSV file without quotes; false if there are fewer. */
static bool copy_column(const char *line, int index, char *text, size_t size)
{
	for (; index > 0; index--) {
		line = strchr(line, ',');
		if (!line)
			return false;
		line++;
	}
	const size_t length = strcspn(line, ",");
	snprintf(text, size, "%.*s", (int)(length < size ? length : size - 1), line);
	return true;
}

static int find_column(const char *header, const char *name)
{
	char text[64];
	for (int i = 0; copy_column(header, i, text, sizeof(text)); i++)
		if (strcmp(text, name) == 0)
			return i;
	return -1;
}

bool curve_read(const char *file, const char *t, const char *y, double from, double to,
		struct curve *curve)
{
	const struct embedded_text *source = validate_find_file(file);
	char line[256], text[2][64];
	int column[2] = {-1, -1};
	bool header = true;
	if (!source)
		return false;
	for (const char *at = source->text; next_line(&at, line, sizeof(line));) {
		double value[2];
		if (line[0] == '#')
			continue;
		if (header) {
			column[0] = find_column(line, t);
			column[1] = find_column(line, y);
			header = false;
			continue;
		}
		for (int i = 0; i < 2; i++)
			if (column[i] < 0 ||
			    !copy_column(line, column[i], text[i], sizeof(text[i])) ||
			    !number_read(text[i], &value[i]))
				return message_error("%s: no '%s' or '%s' in '%s'", file, t, y,
						     line);
		if (value[0] >= from && value[0] <= to && !curve_add(curve, value[0], value[1]))
			return false;
	}
	return true;
}

double curve_mean(const struct curve *curve, double t)
{
	double sum = 0.0, count = 0.0;
	for (size_t n = 0; n < curve->count; n++)
		if (curve->t[n] > t) {
			sum += curve->y[n];
			count += 1.0;
		}
	return count > 0.0 ? sum / count : (double)NAN;
}
