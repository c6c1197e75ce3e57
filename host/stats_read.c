#include "stats_read.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* The place of a column in a line of names, -1 if there is none. */
static int find_column(const char *line, const char *name)
{
	size_t length = strlen(name);
	for (int column = 0;; column++) {
		size_t width = strcspn(line, ",\r\n");
		if (width == length && strncmp(line, name, length) == 0)
			return column;
		if (line[width] != ',')
			return -1;
		line += width + 1;
	}
}

static const char *field(const char *line, int column, size_t *width)
{
	for (; column > 0; column--) {
		line += strcspn(line, ",\r\n");
		if (*line != ',')
			break;
		line++;
	}
	*width = strcspn(line, ",\r\n");
	return line;
}

static bool add(struct published_frame **frames, size_t *count, struct published_frame frame)
{
	if ((*count & (*count + 1)) == 0) { /* room for a power of two, less one */
		struct published_frame *grown =
			realloc(*frames, (2 * *count + 1) * sizeof(**frames));
		if (!grown)
			return message_error("out of memory");
		*frames = grown;
	}
	(*frames)[(*count)++] = frame;
	return true;
}

static bool read_rows(FILE *file, int column, char **line, size_t *capacity,
		      struct published_frame **frames, size_t *count)
{
	while (getline(line, capacity, file) > 0) {
		size_t width, frame_width;
		const char *hash = field(*line, column, &width);
		const char *frame = field(*line, 0, &frame_width);
		/* The end of a killed run may lack a part. */
		if (width != 16 || !strchr(*line, '\n'))
			continue;
		const struct published_frame row = {(int)strtol(frame, NULL, 10),
						    strtoull(hash, NULL, 16)};
		if (!add(frames, count, row))
			return false;
	}
	return true;
}

bool stats_read_frames(const char *path, struct published_frame **frames, size_t *count)
{
	*frames = NULL;
	*count = 0;
	FILE *file = fopen(path, "rb");
	if (!file)
		return errno == ENOENT ||
		       message_error("cannot read '%s': %s", path, strerror(errno));
	char *line = NULL;
	size_t capacity = 0;
	int column = -1;
	bool ok = getline(&line, &capacity, file) > 0 && (column = find_column(line, "hash")) >= 0;
	if (!ok)
		message_error("'%s' is not a stats.csv of freshet", path);
	ok = ok && read_rows(file, column, &line, &capacity, frames, count);
	free(line);
	fclose(file);
	if (!ok) {
		free(*frames);
		*frames = NULL;
		*count = 0;
	}
	return ok;
}
