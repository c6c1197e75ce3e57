#include "file_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

#define QUEUE_LENGTH 2

struct file_queue {
	pthread_t thread;
	pthread_mutex_t lock; /* guards everything below */
	pthread_cond_t changed;
	struct file_job jobs[QUEUE_LENGTH]; /* jobs[0] is being written */
	size_t queued;
	bool closing;
	char *failed_path; /* first failure not yet reported */
	int failed_reason;
};

static void *queue_main(void *argument)
{
	struct file_queue *queue = argument;
	pthread_mutex_lock(&queue->lock);
	for (;;) {
		while (queue->queued == 0 && !queue->closing)
			pthread_cond_wait(&queue->changed, &queue->lock);
		if (queue->queued == 0)
			break;
		struct file_job job = queue->jobs[0];
		pthread_mutex_unlock(&queue->lock);
		const int reason = job.write(job.path, job.data);
		job.free(job.data);
		pthread_mutex_lock(&queue->lock);
		if (reason && !queue->failed_path) {
			queue->failed_path = job.path;
			queue->failed_reason = reason;
		} else {
			free(job.path);
		}
		queue->queued--;
		memmove(queue->jobs, queue->jobs + 1, sizeof(struct file_job) * queue->queued);
		pthread_cond_broadcast(&queue->changed);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

struct file_queue *file_queue_create(void)
{
	struct file_queue *queue = calloc(1, sizeof(*queue));
	if (!queue) {
		message_memory(sizeof(*queue), "the queue of files");
		return NULL;
	}
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->changed, NULL);
	const int reason = pthread_create(&queue->thread, NULL, queue_main, queue);
	if (reason) {
		message_error("cannot start the file writer: %s", strerror(reason));
		pthread_cond_destroy(&queue->changed);
		pthread_mutex_destroy(&queue->lock);
		free(queue);
		return NULL;
	}
	return queue;
}

/* Takes the failure out under the lock and reports it outside. */
static bool report_failure(char *path, int reason)
{
	if (!path)
		return true;
	message_error("cannot write '%s': %s", path, strerror(reason));
	free(path);
	return false;
}

static bool unlock_and_report(struct file_queue *queue)
{
	char *failed = queue->failed_path;
	const int reason = queue->failed_reason;
	queue->failed_path = NULL;
	pthread_mutex_unlock(&queue->lock);
	return report_failure(failed, reason);
}

bool file_queue_submit(struct file_queue *queue, const struct file_job *job)
{
	pthread_mutex_lock(&queue->lock);
	while (queue->queued == QUEUE_LENGTH)
		pthread_cond_wait(&queue->changed, &queue->lock);
	queue->jobs[queue->queued++] = *job;
	pthread_cond_broadcast(&queue->changed);
	return unlock_and_report(queue);
}

bool file_queue_wait(struct file_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	while (queue->queued > 0)
		pthread_cond_wait(&queue->changed, &queue->lock);
	return unlock_and_report(queue);
}

bool file_queue_finish(struct file_queue *queue)
{
	if (!queue)
		return true;
	pthread_mutex_lock(&queue->lock);
	queue->closing = true;
	pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	pthread_join(queue->thread, NULL);
	const bool ok = report_failure(queue->failed_path, queue->failed_reason);
	pthread_cond_destroy(&queue->changed);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
	return ok;
}
