#include "numbered_files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

int numbered_file_frame(const char *name, const char *stem, const char *ending)
{
	const size_t length = strlen(stem);
	char again[16];
	if (strncmp(name, stem, length) != 0)
		return -1;
	name += length;
	const size_t digits = strspn(name, "0123456789");
	if (digits < 6 || digits > 10 || strcmp(name + digits, ending) != 0)
		return -1;
	const long frame = strtol(name, NULL, 10);
	/* As many digits as a run writes: one name per frame. */
	snprintf(again, sizeof(again), "%06ld", frame);
	return frame <= INT_MAX && strlen(again) == digits ? (int)frame : -1;
}

static int ascending(const void *a, const void *b)
{
	const int left = *(const int *)a, right = *(const int *)b;
	return (left > right) - (left < right);
}

static bool add(int **frames, size_t *count, size_t *capacity, int frame)
{
	if (*count == *capacity) {
		*capacity = *capacity * 2 + 16;
		int *grown = realloc(*frames, *capacity * sizeof(*grown));
		if (!grown)
			return message_memory(*capacity * sizeof(*grown),
					      "the list of numbered files");
		*frames = grown;
	}
	(*frames)[(*count)++] = frame;
	return true;
}

bool numbered_files_list(const char *directory, const char *stem, const char *ending, int **frames,
			 size_t *count)
{
	size_t capacity = 0;
	const struct dirent *entry;
	*frames = NULL;
	*count = 0;
	DIR *entries = opendir(directory);
	if (!entries)
		return errno == ENOENT ||
		       message_error("cannot read '%s': %s", directory, strerror(errno));
	bool ok = true;
	while (ok && (entry = readdir(entries))) {
		const int frame = numbered_file_frame(entry->d_name, stem, ending);
		ok = frame < 0 || add(frames, count, &capacity, frame);
	}
	closedir(entries);
	if (*count > 0)
		qsort(*frames, *count, sizeof(**frames), ascending);
	if (!ok) {
		free(*frames);
		*frames = NULL;
		*count = 0;
	}
	return ok;
}
