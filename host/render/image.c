#include "image.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "file_queue.h"
#include "file_stream.h"
#include "message.h"
#include "png_encode.h"

bool image_init(struct image *image, int width, int height)
{
	if (image->rgb && image->width == width && image->height == height)
		return true;
	if (width < 1 || height < 1)
		return message_error("an image of %d x %d pixels is not possible", width, height);
	uint8_t *rgb = calloc((size_t)width * (size_t)height, 3);
	if (!rgb)
		return message_error("out of memory for an image of %d x %d pixels", width, height);
	free(image->rgb);
	*image = (struct image){width, height, rgb};
	return true;
}

void image_finish(struct image *image)
{
	free(image->rgb);
	*image = (struct image){0};
}

void image_fill(struct image *image, int x0, int y0, int x1, int y1, const uint8_t color[3])
{
	for (int y = y0 < 0 ? 0 : y0; y < y1 && y < image->height; y++)
		for (int x = x0 < 0 ? 0 : x0; x < x1 && x < image->width; x++)
			memcpy(image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x),
			       color, 3);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Silent, so that it may run in the background: 0 or an errno value. */
static int write_png(const char *path, const struct image *image)
{
	struct file_stream stream;
	size_t length = 0;
	if ((uint64_t)image->height * ((uint64_t)image->width * 3 + 1) > INT_MAX / 2)
		return EFBIG; /* the encoder counts bytes in int */
	unsigned char *png = png_encode(image->rgb, image->width, image->height, &length);
	if (!png)
		return ENOMEM;
	file_stream_open(&stream, path);
	file_stream_write(&stream, png, length);
	free(png);
	return file_stream_finish(&stream);
}

bool image_write_png(const char *path, const struct image *image)
{
	const int reason = write_png(path, image);
	return !reason || message_error("cannot write '%s': %s", path, strerror(reason));
}

static int write_image_file(const char *path, void *data)
{
	return write_png(path, data);
}

static void free_image(void *data)
{
	if (data)
		image_finish(data);
	free(data);
}

bool image_queue_png(struct file_queue *queue, const char *path, struct image *image)
{
	const struct file_job job = {strdup(path), malloc(sizeof(*image)), write_image_file,
				     free_image};
	const bool ok = job.path && job.data;
	if (job.data)
		*(struct image *)job.data = *image;
	else
		image_finish(image);
	*image = (struct image){0};
	if (ok)
		return file_queue_submit(queue, &job);
	free(job.path);
	free_image(job.data);
	return message_memory(strlen(path) + 1, "the name of a picture");
}
