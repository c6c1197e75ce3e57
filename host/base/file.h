/*
 * Files that are whole or absent.
 *
 * Whole files are written under a temporary name, synced and renamed.  Tables and logs grow by
 * whole blocks: a block that cannot be written is taken back.  Every error is reported with path
 * and reason.
 */
#ifndef FRESHET_FILE_H
#define FRESHET_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "message.h"

/* "directory/name", owned by the caller.  NULL after reporting. */
char *file_join(const char *directory, const char *name);

/* Creates or replaces directory/name with `length` bytes; a failure leaves the old file as it was.
 */
bool file_write_atomic(const char *directory, const char *name, const char *data, size_t length);

/* The two steps of file_write_atomic(), the second of which may be taken in a signal handler. */
struct file_replacement {
	char *temporary, *path; /* owned; ".NAME.tmp" beside the final name */
	const char *data;	/* borrowed */
	size_t length;
};
bool file_replacement_prepare(struct file_replacement *replacement, const char *directory,
			      const char *name, const char *data, size_t length);
/* Returns 0 or, the old file being as it was, the errno of what failed.  Reports nothing. */
int file_replacement_do(const struct file_replacement *replacement);
void file_replacement_free(struct file_replacement *replacement); /* accepts a zeroed one */

/* Is the open file what has the name `path`?  Not if that was removed or replaced. */
bool file_is_at(int fd, const char *path);

/* A file that is appended to.  Zeroed = closed. */
struct append_file {
	int fd;	       /* valid while path is set */
	char *path;    /* owned */
	char *pending; /* owned; bytes not yet written */
	size_t length, capacity;
	long long written; /* bytes in the file */
	bool unsynced;	   /* what was written may not be on the disk yet */
	bool failed;	   /* a write failed and was reported: nothing more is written */
};

/* Creates directory/name, empty. */
bool append_file_open(struct append_file *file, const char *directory, const char *name);
/* The same for a file that goes on behind its first `length` bytes; what follows them is cut off.
 */
bool append_file_reopen(struct append_file *file, const char *directory, const char *name,
			long long length);
/* Adds text to the pending block. */
void append_file_print(struct append_file *file, const char *format, ...) MESSAGE_PRINTF(2, 3);
void append_file_text(struct append_file *file, const char *text);
/* Drops the pending block: a row that could not be completed must not reach the file. */
void append_file_take_back(struct append_file *file);
/* Writes the pending block.  If it does not fit, or the file has lost its name, leaves the file as
 * it was and reports. */
bool append_file_flush(struct append_file *file);
/* Flushes and syncs: what was added is on the disk.  Accepts a zeroed file. */
bool append_file_sync(struct append_file *file);
/* Flushes, syncs, closes.  Accepts a zeroed file. */
bool append_file_close(struct append_file *file);

#endif
