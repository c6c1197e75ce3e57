#include "file_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

static int open_file(const char *path, size_t most, size_t *bytes, char reason[FILE_READ_REASON])
{
	struct stat status;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &status) != 0) {
		snprintf(reason, FILE_READ_REASON, "cannot be opened (%s)", strerror(errno));
	} else if (S_ISDIR(status.st_mode)) {
		snprintf(reason, FILE_READ_REASON, "is a directory, not a file");
	} else if (!S_ISREG(status.st_mode)) {
		snprintf(reason, FILE_READ_REASON,
			 "is a pipe or a device, not a file (save what it gives as a file)");
	} else if ((uintmax_t)status.st_size > most) {
		snprintf(reason, FILE_READ_REASON, "is too large (%ju bytes, at most %zu)",
			 (uintmax_t)status.st_size, most);
	} else {
		*bytes = (size_t)status.st_size;
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Up to `most` bytes, fewer at the file's end.  False with errno. */
static bool read_bytes(int fd, char *bytes, size_t most, size_t *length)
{
	for (*length = 0; *length < most;) {
		const ssize_t n = read(fd, bytes + *length, most - *length);
		if (n == 0)
			break;
		if (n > 0)
			*length += (size_t)n;
		else if (errno != EINTR)
			return false;
	}
	return true;
}

char *file_read(const char *path, size_t most, size_t *length, char reason[FILE_READ_REASON])
{
	size_t bytes = 0;
	int code = 0;
	const int fd = open_file(path, most < SIZE_MAX ? most : SIZE_MAX - 1, &bytes, reason);
	if (fd < 0) {
		errno = 0;
		return NULL;
	}
	char *text = malloc(bytes + 1);
	if (!text) {
		snprintf(reason, FILE_READ_REASON, "does not fit into memory (%zu bytes)", bytes);
		code = ENOMEM;
	} else if (!read_bytes(fd, text, bytes, length)) {
		snprintf(reason, FILE_READ_REASON, "cannot be read (%s)", strerror(errno));
		free(text);
		text = NULL;
	} else {
		text[*length] = '\0';
	}
	close(fd);
	errno = code;
	return text;
}

bool file_reason(char reason[FILE_READ_REASON], const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(reason, FILE_READ_REASON, format, args);
	va_end(args);
	return false;
}

bool file_refuse(const char *path, const char *reason)
{
	const int code = errno;
	message_error("'%s' %s", path, reason);
	errno = code;
	return false;
}
