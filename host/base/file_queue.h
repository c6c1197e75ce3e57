/*
 * Files written in the background, one after the other, while the simulation goes on.
 *
 * One job is being written and one may wait, so that a frame's particles and fields both go into
 * the background, and memory stays bounded.
 */
#ifndef FRESHET_FILE_QUEUE_H
#define FRESHET_FILE_QUEUE_H

#include <stdbool.h>

struct file_queue;

/* A file to write.  The queue owns `path` (malloc'ed) and `data` once it is submitted. */
struct file_job {
	char *path; /* for messages, and for `write` */
	void *data;
	/* Writes it: 0 or an errno value.  Silent, runs in the background. */
	int (*write)(const char *path, void *data);
	void (*free)(void *data); /* accepts NULL */
};

/* NULL after reporting. */
struct file_queue *file_queue_create(void);

/* Takes the job over, whatever the result; waits while two are queued already.  False after
 * reporting the first failure since the last call. */
bool file_queue_submit(struct file_queue *queue, const struct file_job *job);

/* Waits until all is written.  False after reporting what failed since the last call. */
bool file_queue_wait(struct file_queue *queue);

/* Waits until all is written, frees the queue.  False after reporting what failed since the last
 * call.  Accepts NULL (true). */
bool file_queue_finish(struct file_queue *queue);

#endif
