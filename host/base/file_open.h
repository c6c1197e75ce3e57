/*
 * Opening files of a run's directory: only what is a file and no link.  Somebody else may write
 * there too, and what is written through a link lands in another place.
 *
 * All set errno where they fail: ELOOP for a link, EINVAL for what is no file, EMLINK for a file to
 * be written that has other names too, whose content would change.
 */
#ifndef FRESHET_FILE_OPEN_H
#define FRESHET_FILE_OPEN_H

#include <stdio.h>

/* A new, empty file to be written.  What has its name, left by a run that was killed, is removed
 * first; a link goes, not what it points to.  A descriptor, or -1. */
int file_open_new(const char *path);
/* An existing file, or a new one, to be written and read. */
int file_open_own(const char *path);
/* An existing file, to be read and written. */
int file_open_existing(const char *path);
/* The same as a stream; NULL. */
FILE *file_open_update(const char *path);
/* An existing file, to be read; NULL. */
FILE *file_open_read(const char *path);

/* What errno means after one of these has failed: "there is a link of that name". */
const char *file_open_reason(int code);

#endif
