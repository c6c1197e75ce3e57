#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"
#include "file_open.h"

char *file_join(const char *directory, const char *name)
{
	size_t length = strlen(directory);
	const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
	size_t bytes = length + strlen(name) + 2;
	char *path = malloc(bytes);
	if (!path) {
		message_memory(bytes, "the name of a file");
		return NULL;
	}
	snprintf(path, bytes, "%s%s%s", directory, slash, name);
	return path;
}

/* ---- writing ---------------------------------------------------------------------------- */

/* False, with errno, where a test wants a failure. */
static bool may_write(void)
{
	if (!fault_is_due(FAULT_WRITE))
		return true;
	errno = ENOSPC;
	return false;
}

static bool write_all(int fd, const char *data, size_t length)
{
	if (!may_write())
		return false;
	while (length > 0) {
		ssize_t n = write(fd, data, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (n == 0)
				errno = ENOSPC;
			return false;
		}
		data += n;
		length -= (size_t)n;
	}
	return true;
}

/* Makes a rename durable.  Some file systems cannot sync a directory; the rename stands anyway. */
static void sync_directory(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int write_temporary(const char *path, const char *data, size_t length)
{
	int fd = may_write() ? file_open_new(path) : -1;
	if (fd < 0)
		return errno;
	int reason = write_all(fd, data, length) && may_write() && fsync(fd) == 0 ? 0 : errno;
	if (close(fd) != 0 && reason == 0)
		reason = errno;
	return reason;
}

bool file_replacement_prepare(struct file_replacement *replacement, const char *directory,
			      const char *name, const char *data, size_t length)
{
	*replacement = (struct file_replacement){.data = data, .length = length};
	size_t bytes = strlen(name) + sizeof(".") + sizeof(".tmp");
	char *hidden = malloc(bytes);
	if (!hidden)
		return message_memory(bytes, "the name of a file");
	snprintf(hidden, bytes, ".%s.tmp", name);
	replacement->temporary = file_join(directory, hidden);
	replacement->path = file_join(directory, name);
	free(hidden);
	if (!replacement->temporary || !replacement->path) {
		file_replacement_free(replacement);
		return false;
	}
	return true;
}

int file_replacement_do(const struct file_replacement *replacement)
{
	int reason =
		write_temporary(replacement->temporary, replacement->data, replacement->length);
	if (reason == 0 && !(may_write() && rename(replacement->temporary, replacement->path) == 0))
		reason = errno;
	if (reason != 0)
		unlink(replacement->temporary);
	return reason;
}

void file_replacement_free(struct file_replacement *replacement)
{
	free(replacement->temporary);
	free(replacement->path);
	*replacement = (struct file_replacement){0};
}

bool file_write_atomic(const char *directory, const char *name, const char *data, size_t length)
{
	struct file_replacement replacement;
	if (!file_replacement_prepare(&replacement, directory, name, data, length))
		return false;
	int reason = file_replacement_do(&replacement);
	if (reason == 0)
		sync_directory(directory);
	else
		message_error("cannot write '%s': %s", replacement.path, strerror(reason));
	file_replacement_free(&replacement);
	return reason == 0;
}

/* Opens or creates it, cut to `length` bytes. */
static bool open_at(struct append_file *file, const char *directory, const char *name,
		    long long length)
{
	*file = (struct append_file){0};
	char *path = file_join(directory, name);
	if (!path)
		return false;
	file->fd = may_write() ? file_open_own(path) : -1;
	if (file->fd < 0 || ftruncate(file->fd, (off_t)length) != 0 ||
	    lseek(file->fd, (off_t)length, SEEK_SET) < 0) {
		message_error("cannot create '%s': %s", path, file_open_reason(errno));
		if (file->fd >= 0)
			close(file->fd);
		free(path);
		return false;
	}
	file->path = path;
	file->written = length;
	file->unsynced = true;
	return true;
}

bool append_file_open(struct append_file *file, const char *directory, const char *name)
{
	return open_at(file, directory, name, 0);
}

bool append_file_reopen(struct append_file *file, const char *directory, const char *name,
			long long length)
{
	return open_at(file, directory, name, length);
}

bool append_file_sync(struct append_file *file)
{
	if (!append_file_flush(file))
		return false;
	if (!file->path || !file->unsynced)
		return true;
	if ((may_write() && fsync(file->fd) == 0) || errno == EINVAL) {
		file->unsynced = false;
		return true;
	}
	file->failed = true;
	return message_error("cannot write '%s': %s", file->path, strerror(errno));
}

static void append_bytes(struct append_file *file, const char *text, size_t length)
{
	if (!file->path || file->failed || length == 0)
		return;
	if (file->length + length > file->capacity) {
		size_t capacity = (file->length + length) * 2 + 1024;
		char *grown = realloc(file->pending, capacity);
		if (!grown) {
			file->failed = true;
			message_error("out of memory while writing '%s'", file->path);
			return;
		}
		file->pending = grown;
		file->capacity = capacity;
	}
	memcpy(file->pending + file->length, text, length);
	file->length += length;
}

void append_file_text(struct append_file *file, const char *text)
{
	append_bytes(file, text, strlen(text));
}

void append_file_print(struct append_file *file, const char *format, ...)
{
	char text[4096];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	append_file_text(file, text);
}

void append_file_take_back(struct append_file *file)
{
	file->length = 0;
}

bool file_is_at(int fd, const char *path)
{
	struct stat held, named;
	return fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_dev == named.st_dev &&
	       held.st_ino == named.st_ino;
}

bool append_file_flush(struct append_file *file)
{
	if (!file->path)
		return true;
	if (file->failed)
		return false;
	if (file->length == 0)
		return true;
	/* What is written into a file without a name is lost without a word. */
	if (!file_is_at(file->fd, file->path)) {
		file->failed = true;
		return message_error(
			"cannot write '%s', which was removed or replaced during the run: %s",
			file->path, strerror(ENOENT));
	}
	struct stat held;
	if (fstat(file->fd, &held) == 0 && held.st_size < (off_t)file->written) {
		file->failed = true;
		return message_error(
			"cannot write '%s', which was shortened during the run (%lld of "
			"%lld bytes)",
			file->path, (long long)held.st_size, file->written);
	}
	if (!write_all(file->fd, file->pending, file->length)) {
		int reason = errno;
		file->failed = true; /* first: a sink may write the next message to this file */
		/* Take a partial block back, so that the file ends with a whole line. */
		if (ftruncate(file->fd, (off_t)file->written) != 0)
			message_error("cannot shorten '%s': %s", file->path, strerror(errno));
		return message_error("cannot write '%s': %s", file->path, strerror(reason));
	}
	file->written += (long long)file->length;
	file->length = 0;
	file->unsynced = true;
	return true;
}

bool append_file_close(struct append_file *file)
{
	if (!file->path)
		return true;
	bool ok = append_file_sync(file);
	if (close(file->fd) != 0 && ok)
		ok = message_error("cannot write '%s': %s", file->path, strerror(errno));
	free(file->path);
	free(file->pending);
	*file = (struct append_file){0};
	return ok;
}
