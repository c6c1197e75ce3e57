#include "file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE 0666 /* less the umask */

int file_open_new(const char *path)
{
	for (int attempt = 0;; attempt++) {
		const int fd =
			open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE);
		if (fd >= 0 || errno != EEXIST || attempt == 2)
			return fd;
		if (unlink(path) != 0 && errno != ENOENT)
			return -1;
	}
}

/* Not blocked by a pipe that nobody writes to. */
static int open_file(const char *path, int flags)
{
	struct stat status;
	const int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, MODE);
	if (fd < 0)
		return -1;
	const bool file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
	const bool alone = (flags & O_ACCMODE) == O_RDONLY || status.st_nlink <= 1;
	if (file && alone)
		return fd;
	close(fd);
	errno = file ? EMLINK : EINVAL;
	return -1;
}

const char *file_open_reason(int code)
{
	switch (code) {
	case ELOOP:
		return "there is a link of that name";
	case EINVAL:
		return "what has that name is no file";
	case EMLINK:
		return "the file has other names too (hard links), whose content would change: put "
		       "a copy in its place";
	default:
		return strerror(code);
	}
}

int file_open_own(const char *path)
{
	return open_file(path, O_RDWR | O_CREAT);
}

int file_open_existing(const char *path)
{
	return open_file(path, O_RDWR);
}

static FILE *open_stream(const char *path, int flags, const char *mode)
{
	const int fd = open_file(path, flags);
	FILE *file = fd >= 0 ? fdopen(fd, mode) : NULL;
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

FILE *file_open_update(const char *path)
{
	return open_stream(path, O_RDWR, "r+");
}

FILE *file_open_read(const char *path)
{
	return open_stream(path, O_RDONLY, "r");
}
