/*
 * A file written piece by piece that appears whole or not at all.
 *
 * It grows as "directory/NAME.tmp"; file_stream_finish() syncs and renames it.  All functions are
 * silent, so that they may run in the background; the first error is kept and makes the rest do
 * nothing.
 */
#ifndef FRESHET_FILE_STREAM_H
#define FRESHET_FILE_STREAM_H

#include <stddef.h>

struct file_stream {
	const char *path; /* final name, borrowed */
	char *temporary;  /* owned */
	char *buffer;	  /* owned */
	size_t filled;
	int fd;
	int reason; /* first error, an errno value; 0 = none */
};

/* Starts a file; always to be followed by file_stream_finish(). */
void file_stream_open(struct file_stream *stream, const char *path);
void file_stream_write(struct file_stream *stream, const void *data, size_t length);
void file_stream_text(struct file_stream *stream, const char *text);
/* Room for `length` (at most FILE_STREAM_ROOM) bytes to be filled in place, NULL after an error;
 * then file_stream_advance() by the bytes used. */
#define FILE_STREAM_ROOM 4096
char *file_stream_room(struct file_stream *stream, size_t length);
void file_stream_advance(struct file_stream *stream, size_t length);

/* Gives the file its name, or removes what there is of it.  0 or an errno value. */
int file_stream_finish(struct file_stream *stream);

#endif
