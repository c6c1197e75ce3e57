#include "file_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "file_open.h"

#define BUFFER_BYTES ((size_t)1 << 20)

/* Does a test want this call to fail? */
static bool is_fault(struct file_stream *stream)
{
	if (fault_is_due(FAULT_WRITE))
		stream->reason = ENOSPC;
	return stream->reason != 0;
}

void file_stream_open(struct file_stream *stream, const char *path)
{
	*stream = (struct file_stream){.path = path, .fd = -1};
	const size_t bytes = strlen(path) + sizeof(".tmp");
	stream->temporary = malloc(bytes);
	stream->buffer = malloc(BUFFER_BYTES);
	if (!stream->temporary || !stream->buffer) {
		stream->reason = ENOMEM;
		return;
	}
	snprintf(stream->temporary, bytes, "%s.tmp", path);
	if (is_fault(stream))
		return;
	stream->fd = file_open_new(stream->temporary);
	if (stream->fd < 0)
		stream->reason = errno;
}

static void write_through(struct file_stream *stream, const char *data, size_t length)
{
	if (length > 0 && !stream->reason)
		is_fault(stream);
	while (length > 0 && !stream->reason) {
		ssize_t n = write(stream->fd, data, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			stream->reason = n < 0 ? errno : ENOSPC;
			return;
		}
		data += n;
		length -= (size_t)n;
	}
}

static void flush(struct file_stream *stream)
{
	write_through(stream, stream->buffer, stream->filled);
	stream->filled = 0;
}

void file_stream_write(struct file_stream *stream, const void *data, size_t length)
{
	if (stream->reason || length == 0)
		return;
	if (stream->filled + length > BUFFER_BYTES)
		flush(stream);
	if (length > BUFFER_BYTES) {
		write_through(stream, data, length);
		return;
	}
	memcpy(stream->buffer + stream->filled, data, length);
	stream->filled += length;
}

void file_stream_text(struct file_stream *stream, const char *text)
{
	file_stream_write(stream, text, strlen(text));
}

char *file_stream_room(struct file_stream *stream, size_t length)
{
	if (stream->filled + length > BUFFER_BYTES && !stream->reason)
		flush(stream);
	return stream->reason ? NULL : stream->buffer + stream->filled;
}

void file_stream_advance(struct file_stream *stream, size_t length)
{
	stream->filled += length;
}

/* Makes a rename durable.  Some file systems cannot sync a directory; the rename stands anyway. */
static void sync_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	free(folder);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

int file_stream_finish(struct file_stream *stream)
{
	if (!stream->reason)
		flush(stream);
	/* EINVAL: a pipe or device, no disk */
	if (!stream->reason && !is_fault(stream) && fsync(stream->fd) != 0 && errno != EINVAL)
		stream->reason = errno;
	if (stream->fd >= 0 && close(stream->fd) != 0 && !stream->reason)
		stream->reason = errno;
	if (!stream->reason && !is_fault(stream) && rename(stream->temporary, stream->path) != 0)
		stream->reason = errno;
	if (!stream->reason)
		sync_folder_of(stream->path);
	else if (stream->fd >= 0)
		unlink(stream->temporary);
	free(stream->temporary);
	free(stream->buffer);
	const int reason = stream->reason;
	*stream = (struct file_stream){.fd = -1};
	return reason;
}
