#include "checkpoint_names.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

void checkpoint_name(int frame, char name[CHECKPOINT_NAME])
{
	snprintf(name, CHECKPOINT_NAME, "checkpoint_%06d.h5", frame);
}

/* Frame of a file name, -1 if it is not that of a checkpoint. */
static int frame_of(const char *name)
{
	char again[CHECKPOINT_NAME];
	int frame = -1;
	if (sscanf(name, "checkpoint_%d", &frame) != 1 || frame < 0)
		return -1;
	checkpoint_name(frame, again);
	return strcmp(name, again) == 0 ? frame : -1;
}

static int descending(const void *a, const void *b)
{
	const int left = *(const int *)a, right = *(const int *)b;
	return (left < right) - (left > right);
}

bool checkpoint_list(const char *directory, int **frames, size_t *count)
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
		const int frame = frame_of(entry->d_name);
		if (frame < 0)
			continue;
		if (*count == capacity) {
			capacity = capacity * 2 + 16;
			int *grown = realloc(*frames, capacity * sizeof(*grown));
			ok = grown || message_error("out of memory");
			if (!ok)
				break;
			*frames = grown;
		}
		(*frames)[(*count)++] = frame;
	}
	closedir(entries);
	if (*count > 0)
		qsort(*frames, *count, sizeof(**frames), descending);
	return ok;
}
