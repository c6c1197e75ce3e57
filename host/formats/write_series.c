#include "write_series.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_stream.h"
#include "number.h"

int write_series(const char *directory, const char *stem, const char *ending, int every, int frame,
		 double fps)
{
	struct file_stream stream;
	const size_t bytes = strlen(directory) + strlen(stem) + strlen(ending) + sizeof("/.series");
	char *path = malloc(bytes);
	if (!path)
		return ENOMEM;
	snprintf(path, bytes, "%s/%s%s.series", directory, stem, ending);
	file_stream_open(&stream, path);
	file_stream_text(&stream, "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [");
	for (int n = 0; n <= frame; n += every) {
		char line[FILE_STREAM_ROOM / 8], time[NUMBER_TEXT];
		snprintf(line, sizeof(line),
			 "%s\n    {\"name\": \"%.64s_%06d%.16s\", \"time\": %s}", n > 0 ? "," : "",
			 stem, n, ending, number_from_double(n / fps, time));
		file_stream_text(&stream, line);
	}
	file_stream_text(&stream, "\n  ]\n}\n");
	const int reason = file_stream_finish(&stream);
	free(path);
	return reason;
}
