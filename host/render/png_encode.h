/* Pictures as PNG, in memory. */
#ifndef FRESHET_PNG_ENCODE_H
#define FRESHET_PNG_ENCODE_H

#include <stddef.h>
#include <stdint.h>

/* A picture of width x height pixels of three bytes, a row after the other from the top, as the
 * bytes of a PNG file, to be freed with free().  NULL for lack of memory.  From any thread. */
unsigned char *png_encode(const uint8_t *rgb, int width, int height, size_t *length);

#endif
