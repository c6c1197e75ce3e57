#include "stats_csv_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_read.h"
#include "message.h"

#define MOST_BYTES ((size_t)1 << 32)

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

static char *find_value(char *line, int column, size_t *width)
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

static bool add_frame(struct published_frame **frames, size_t *count, struct published_frame frame)
{
	if ((*count & (*count + 1)) == 0) { /* room for a power of two, less one */
		struct published_frame *grown =
			realloc(*frames, (2 * *count + 1) * sizeof(**frames));
		if (!grown) {
			message_memory((2 * *count + 1) * sizeof(**frames),
				       "the frames in stats.csv");
			errno = ENOMEM;
			return false;
		}
		*frames = grown;
	}
	(*frames)[(*count)++] = frame;
	return true;
}

/* The lines behind the first one; each becomes a text of its own. */
static bool read_rows(char *line, const char *end, int column, struct published_frame **frames,
		      size_t *count)
{
	char *stop;
	/* The end of a killed run may lack a part of its last line. */
	for (; (stop = memchr(line, '\n', (size_t)(end - line))); line = stop + 1) {
		struct published_frame frame;
		size_t width, number_width;
		*stop = '\0';
		char *hash = find_value(line, column, &width),
		     *number = find_value(line, 0, &number_width);
		hash[width] = number[number_width] = '\0';
		if (published_frame_read(number, hash, &frame) && !add_frame(frames, count, frame))
			return false;
	}
	return true;
}

static bool read_text(char *text, size_t length, const char *path, struct published_frame **frames,
		      size_t *count)
{
	char *stop = memchr(text, '\n', length);
	int column = -1;
	if (stop) {
		*stop = '\0';
		column = find_column(text, "hash");
	}
	errno = 0;
	if (column < 0)
		return message_error("'%s' is not a stats.csv of freshet", path);
	return read_rows(stop + 1, text + length, column, frames, count);
}

bool stats_csv_read_frames(const char *path, struct published_frame **frames, size_t *count)
{
	char reason[FILE_READ_REASON];
	size_t length;
	struct stat status;
	*frames = NULL;
	*count = 0;
	if (stat(path, &status) != 0 && errno == ENOENT)
		return true;
	char *text = file_read(path, MOST_BYTES, &length, reason);
	if (!text)
		return file_refuse(path, reason);
	const bool ok = read_text(text, length, path, frames, count);
	const int code = errno;
	free(text);
	if (!ok) {
		free(*frames);
		*frames = NULL;
		*count = 0;
	}
	errno = code;
	return ok;
}
