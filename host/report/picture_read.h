/* Pictures of a run, read back. */
#ifndef FRESHET_PICTURE_READ_H
#define FRESHET_PICTURE_READ_H

#include <stddef.h>

/* The pixels of a PNG, rows from the top, `channels` bytes each, 0 to 255; to be freed by
 * picture_free().  NULL if the bytes are none. */
unsigned char *picture_read(const void *data, size_t length, int channels, int *width, int *height);
void picture_free(unsigned char *pixels);

#endif
