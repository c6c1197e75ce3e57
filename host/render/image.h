/*
 * Images and PNG files.
 *
 * Files appear whole or not at all: they are written as "PATH.tmp", synced and renamed.
 */
#ifndef FRESHET_IMAGE_H
#define FRESHET_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

/* 8-bit sRGB, rows from top to bottom, rgb[3*(y*width + x)].  Zeroed = none.  Owns rgb. */
struct image {
	int width, height;
	uint8_t *rgb; /* malloc'ed */
};

/* Allocates a black image; keeps the memory of one that already has this size.  False after
 * reporting, leaving *image as it was. */
bool image_init(struct image *image, int width, int height);
void image_finish(struct image *image); /* accepts a zeroed image */

/* Writes or replaces a PNG file.  False after reporting path and reason; a file that was there
 * before is then untouched. */
bool image_write_png(const char *path, const struct image *image);

/* Encodes and writes in the background, in the order of submission. */
struct image_writer;

/* NULL after reporting. */
struct image_writer *image_writer_create(void);

/*
 * Queues an image; waits while two are queued already.  Takes over image->rgb and zeroes *image,
 * whatever the result.  False after reporting the first failure since the last call: this image
 * could not be queued, or an earlier one could not be written.
 */
bool image_writer_submit(struct image_writer *writer, const char *path, struct image *image);

/* Waits until all is written.  False after reporting what failed since the last call. */
bool image_writer_wait(struct image_writer *writer);

/* Waits until all is written, frees the writer.  False after reporting what failed since the last
 * call.  Accepts NULL (true). */
bool image_writer_finish(struct image_writer *writer);

#endif
