#include "run_state.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "json_writer.h"
#include "numbered_files.h"
#include "page_run.h"

/* Does another process hold the lock of the directory? */
static bool is_locked(const char *directory)
{
	struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char *path = file_join(directory, ".lock");
	const int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	const bool locked = fd >= 0 && fcntl(fd, F_GETLK, &range) == 0 && range.l_type != F_UNLCK;
	if (fd >= 0)
		close(fd);
	free(path);
	return locked;
}

static bool look(const char *directory, const char *name, struct stat *status)
{
	char *path = file_join(directory, name);
	const bool found = path && lstat(path, status) == 0 && S_ISREG(status->st_mode);
	free(path);
	return found;
}

char *run_state_text(const char *directory, bool own, size_t *length)
{
	struct json_writer json = {0};
	struct stat status;
	char stamp[80] = "", name[32];
	int *frames;
	size_t count;
	json_begin_object(&json, NULL);
	json_boolean(&json, "going", own || is_locked(directory));
	if (look(directory, "run.json", &status))
		snprintf(stamp, sizeof(stamp), "%lld.%09ld/%lld/%" PRIuMAX,
			 (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
			 (long long)status.st_size, (uintmax_t)status.st_ino);
	json_string(&json, "stamp", stamp);
	for (int t = 0; t < PAGE_TABLES; t++) {
		snprintf(name, sizeof(name), "%s.csv", page_table_names[t]);
		json_integer(&json, page_table_names[t],
			     look(directory, name, &status) ? (int64_t)status.st_size : 0);
	}
	numbered_files_list(directory, NUMBERED_PICTURES, &frames, &count);
	json_begin_array(&json, "frames");
	for (size_t i = 0; i < count; i++)
		json_integer(&json, NULL, frames[i]);
	json_end_array(&json);
	json_end_object(&json);
	free(frames);
	return json_take(&json, length);
}
