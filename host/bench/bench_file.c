/* The file that a benchmark writes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "file.h"
#include "message.h"
#include "version.h"

void bench_add_origin(struct json_writer *json, const char *program, char *const *arguments)
{
	char date[32];
	const time_t now = time(NULL);
	struct tm utc;
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	json_string(json, "program", program);
	json_string(json, "version", FRESHET_VERSION);
	json_string(json, "git", FRESHET_GIT);
	json_string(json, "date", date);
	json_begin_array(json, "command");
	for (char *const *argument = arguments; *argument; argument++)
		json_string(json, NULL, *argument);
	json_end_array(json);
}

/* The folder of a path, malloc'ed; NULL when memory is short. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

bool bench_can_write(const char *path)
{
	char *folder = folder_of(path);
	const bool ok = folder && access(folder, W_OK) == 0;
	free(folder);
	return ok || message_error("cannot write '%s': %s", path, strerror(errno));
}

bool bench_write_file(const char *path, const char *text, size_t length)
{
	const char *slash = strrchr(path, '/');
	char *directory = folder_of(path);
	const bool ok =
		directory ? file_write_atomic(directory, slash ? slash + 1 : path, text, length)
			  : message_memory(strlen(path) + 1, "the name of a folder");
	free(directory);
	return ok;
}
