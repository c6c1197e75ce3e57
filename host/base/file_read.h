/* Reading a file as a whole. */
#ifndef FRESHET_FILE_READ_H
#define FRESHET_FILE_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "message.h"

#define FILE_READ_REASON 200

/*
 * The bytes of a regular file of at most `most` bytes, and a NUL that `length` does not count;
 * malloc'ed.  NULL for anything else, at once: a pipe or a device without a writer would be waited
 * for.  `reason` then tells why, a phrase whose subject is the file ("is a directory"), and errno
 * is ENOMEM if, and only if, it is for lack of memory.  Reports nothing.
 */
char *file_read(const char *path, size_t most, size_t *length, char reason[FILE_READ_REASON]);

/* Puts a reason there.  Always false. */
MESSAGE_PRINTF(2, 3)
bool file_reason(char reason[FILE_READ_REASON], const char *format, ...);
/* Reports such a reason.  Keeps errno.  Always false. */
bool file_refuse(const char *path, const char *reason);

#endif
