#include "checkpoint_names.h"

#include <stdio.h>

#include "numbered_files.h"

void checkpoint_name(int frame, char name[CHECKPOINT_NAME])
{
	snprintf(name, CHECKPOINT_NAME, "checkpoint_%06d.h5", frame);
}

bool checkpoint_list(const char *directory, int **frames, size_t *count)
{
	if (!numbered_files_list(directory, "checkpoint_", ".h5", frames, count))
		return false;
	for (size_t i = 0; i < *count / 2; i++) {
		const int other = (*frames)[*count - 1 - i];
		(*frames)[*count - 1 - i] = (*frames)[i];
		(*frames)[i] = other;
	}
	return true;
}
