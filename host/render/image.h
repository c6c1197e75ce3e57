/* Images and PNG files, which appear whole or not at all (file_stream.h). */
#ifndef FRESHET_IMAGE_H
#define FRESHET_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct file_queue; /* file_queue.h */

/* 8-bit sRGB, rows from top to bottom, rgb[3*(y*width + x)].  Zeroed = none.  Owns rgb. */
struct image {
	int width, height;
	uint8_t *rgb; /* malloc'ed */
};

/* Allocates a black image; keeps the memory of one that already has this size.  False after
 * reporting, leaving *image as it was. */
bool image_init(struct image *image, int width, int height);
void image_finish(struct image *image); /* accepts a zeroed image */

/* Pixels from (x0, y0) to before (x1, y1); what is outside the image is cut off. */
void image_fill(struct image *image, int x0, int y0, int x1, int y1, const uint8_t color[3]);

/* Writes or replaces a PNG file.  False after reporting path and reason; a file that was there
 * before is then untouched. */
bool image_write_png(const char *path, const struct image *image);

/* The same in the background.  Takes over image->rgb and zeroes *image, whatever the result.  False
 * after reporting, as file_queue_submit(). */
bool image_queue_png(struct file_queue *queue, const char *path, struct image *image);

#endif
