#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "message.h"
#include "png_encode.h"

#define QUEUE_LENGTH 2 /* one image being encoded, one waiting: memory stays bounded */

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

/* ---- files -------------------------------------------------------------------------------- */

/* 0 or an errno value. */
static int write_bytes(int fd, const unsigned char *data, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, data, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		data += n;
		length -= (size_t)n;
	}
	return 0;
}

static int write_synced(const char *path, const unsigned char *data, size_t length)
{
	if (fault_is_due(FAULT_WRITE))
		return ENOSPC;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return errno;
	int reason = write_bytes(fd, data, length);
	if (!reason && fsync(fd) != 0 && errno != EINVAL) /* EINVAL: a pipe or device, no disk */
		reason = errno;
	if (close(fd) != 0 && !reason)
		reason = errno;
	return reason;
}

/* Silent, so that it may run in the background: 0 or an errno value. */
static int write_png(const char *path, const struct image *image)
{
	size_t length = 0;
	if ((uint64_t)image->height * ((uint64_t)image->width * 3 + 1) > INT_MAX / 2)
		return EFBIG; /* the encoder counts bytes in int */
	size_t bytes = strlen(path) + sizeof(".tmp");
	char *temporary = malloc(bytes);
	unsigned char *png = png_encode(image->rgb, image->width, image->height, &length);
	int reason = ENOMEM;
	if (temporary && png) {
		snprintf(temporary, bytes, "%s.tmp", path);
		reason = write_synced(temporary, png, length);
		if (!reason && rename(temporary, path) != 0)
			reason = errno;
		if (reason)
			unlink(temporary);
	}
	free(png);
	free(temporary);
	return reason;
}

static bool report(const char *path, int reason)
{
	return message_error("cannot write '%s': %s", path, strerror(reason));
}

bool image_write_png(const char *path, const struct image *image)
{
	int reason = write_png(path, image);
	return reason ? report(path, reason) : true;
}

/* ---- background writer -------------------------------------------------------------------- */

struct job {
	char *path;
	struct image image;
};

struct image_writer {
	pthread_t thread;
	pthread_mutex_t lock; /* guards everything below */
	pthread_cond_t changed;
	struct job queue[QUEUE_LENGTH]; /* queue[0] is being written */
	int queued;
	bool closing;
	char *failed_path; /* first failure not yet reported */
	int failed_reason;
};

static void *writer_main(void *argument)
{
	struct image_writer *writer = argument;
	pthread_mutex_lock(&writer->lock);
	for (;;) {
		while (writer->queued == 0 && !writer->closing)
			pthread_cond_wait(&writer->changed, &writer->lock);
		if (writer->queued == 0)
			break;
		struct job job = writer->queue[0];
		pthread_mutex_unlock(&writer->lock);
		int reason = write_png(job.path, &job.image);
		image_finish(&job.image);
		pthread_mutex_lock(&writer->lock);
		if (reason && !writer->failed_path) {
			writer->failed_path = job.path;
			writer->failed_reason = reason;
		} else {
			free(job.path);
		}
		writer->queued--;
		memmove(writer->queue, writer->queue + 1,
			sizeof(struct job) * (size_t)writer->queued);
		pthread_cond_broadcast(&writer->changed);
	}
	pthread_mutex_unlock(&writer->lock);
	return NULL;
}

struct image_writer *image_writer_create(void)
{
	struct image_writer *writer = calloc(1, sizeof(*writer));
	if (!writer) {
		message_memory(sizeof(*writer), "the writer of pictures");
		return NULL;
	}
	pthread_mutex_init(&writer->lock, NULL);
	pthread_cond_init(&writer->changed, NULL);
	int reason = pthread_create(&writer->thread, NULL, writer_main, writer);
	if (reason) {
		message_error("cannot start the image writer: %s", strerror(reason));
		pthread_cond_destroy(&writer->changed);
		pthread_mutex_destroy(&writer->lock);
		free(writer);
		return NULL;
	}
	return writer;
}

/* Takes the failure out under the lock and reports it outside. */
static bool report_failure(char *path, int reason)
{
	if (!path)
		return true;
	report(path, reason);
	free(path);
	return false;
}

bool image_writer_submit(struct image_writer *writer, const char *path, struct image *image)
{
	struct job job = {strdup(path), *image};
	*image = (struct image){0};
	if (!job.path) {
		image_finish(&job.image);
		return message_memory(strlen(path) + 1, "the name of a picture");
	}
	pthread_mutex_lock(&writer->lock);
	while (writer->queued == QUEUE_LENGTH)
		pthread_cond_wait(&writer->changed, &writer->lock);
	writer->queue[writer->queued++] = job;
	char *failed = writer->failed_path;
	int reason = writer->failed_reason;
	writer->failed_path = NULL;
	pthread_cond_broadcast(&writer->changed);
	pthread_mutex_unlock(&writer->lock);
	return report_failure(failed, reason);
}

bool image_writer_wait(struct image_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	while (writer->queued > 0)
		pthread_cond_wait(&writer->changed, &writer->lock);
	char *failed = writer->failed_path;
	int reason = writer->failed_reason;
	writer->failed_path = NULL;
	pthread_mutex_unlock(&writer->lock);
	return report_failure(failed, reason);
}

bool image_writer_finish(struct image_writer *writer)
{
	if (!writer)
		return true;
	pthread_mutex_lock(&writer->lock);
	writer->closing = true;
	pthread_cond_broadcast(&writer->changed);
	pthread_mutex_unlock(&writer->lock);
	pthread_join(writer->thread, NULL);
	bool ok = report_failure(writer->failed_path, writer->failed_reason);
	pthread_cond_destroy(&writer->changed);
	pthread_mutex_destroy(&writer->lock);
	free(writer);
	return ok;
}
