/* Files in the background and files in pieces, without a device: what overlaps, what is reported,
 * what is left on the disk. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "file_queue.h"
#include "file_stream.h"
#include "output_support.h"

/* ---- queue ------------------------------------------------------------------------------ */

/* A job that waits for its gate, notes when it was done, and ends with `result`. */
struct job {
	pthread_mutex_t *gate; /* NULL = open */
	int result;
	int *done; /* counts up */
	int order; /* value of *done when this one was done */
	bool freed;
};

static int do_job(const char *path, void *data)
{
	struct job *job = data;
	(void)path;
	if (job->gate) {
		pthread_mutex_lock(job->gate);
		pthread_mutex_unlock(job->gate);
	}
	job->order = ++*job->done;
	return job->result;
}

static void free_job(void *data)
{
	struct job *job = data;
	job->freed = true;
}

static bool submit(struct file_queue *queue, const char *path, struct job *job)
{
	return file_queue_submit(queue, &(struct file_job){strdup(path), job, do_job, free_job});
}

static void test_overlap(void)
{
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	int done = 0;
	struct job first = {.gate = &gate, .done = &done}, second = {.done = &done};
	struct file_queue *queue = file_queue_create();
	CHECK(queue != NULL);
	pthread_mutex_lock(&gate);
	CHECK(submit(queue, "first", &first)); /* would never return if it waited for the job */
	CHECK(submit(queue, "second", &second));
	CHECK(first.order == 0 && second.order == 0);
	pthread_mutex_unlock(&gate);
	CHECK(file_queue_wait(queue));
	CHECK(first.order == 1 && second.order == 2);
	CHECK(first.freed && second.freed);
	CHECK(file_queue_finish(queue));
	CHECK(file_queue_finish(NULL));
	pthread_mutex_destroy(&gate);
}

static void test_failures(void)
{
	int done = 0;
	struct job good = {.done = &done}, bad = {.done = &done, .result = ENOSPC};
	struct file_queue *queue = file_queue_create();
	CHECK(queue != NULL);
	CHECK(submit(queue, "some/bad", &bad));
	CHECK(!file_queue_wait(queue));
	CHECK(strstr(message, "some/bad") && strstr(message, strerror(ENOSPC)));
	CHECK(file_queue_wait(queue)); /* reported once */
	CHECK(submit(queue, "some/good", &good));
	CHECK(submit(queue, "other/bad", &bad));
	CHECK(!file_queue_finish(queue));
	CHECK(strstr(message, "other/bad") != NULL);
	CHECK(good.freed && done == 3);
}

/* ---- stream ----------------------------------------------------------------------------- */

static void test_whole_file(void)
{
	const size_t length = 3000000; /* more than the buffer, and not a multiple */
	char *big = malloc(length);
	struct file_stream stream;
	CHECK(big != NULL);
	if (!big)
		return;
	for (size_t i = 0; i < length; i++)
		big[i] = (char)('a' + i % 23);
	put(in_scratch("file"), "old");
	file_stream_open(&stream, in_scratch("file"));
	file_stream_text(&stream, "head\n");
	for (size_t i = 0; i < length; i += 1000) {
		char *room = file_stream_room(&stream, 1000);
		CHECK(room != NULL);
		if (!room)
			break;
		memcpy(room, big + i, 1000);
		file_stream_advance(&stream, 1000);
	}
	file_stream_write(&stream, big, length);
	CHECK(strcmp(get(in_scratch("file")), "old") == 0); /* until it is whole */
	CHECK(exists(in_scratch("file.tmp")));
	CHECK(file_stream_finish(&stream) == 0);
	CHECK(!exists(in_scratch("file.tmp")));
	FILE *file = fopen(in_scratch("file"), "rb");
	char *found = malloc(2 * length + 6);
	CHECK(file && found && fread(found, 1, 2 * length + 6, file) == 2 * length + 5);
	CHECK(found && memcmp(found, "head\n", 5) == 0 && memcmp(found + 5, big, length) == 0 &&
	      memcmp(found + 5 + length, big, length) == 0);
	if (file)
		fclose(file);
	free(found);
	free(big);
}

static void test_bad_files(void)
{
	struct file_stream stream;
	file_stream_open(&stream, in_scratch("missing/file"));
	file_stream_text(&stream, "x");
	CHECK(file_stream_room(&stream, 1) == NULL);
	CHECK(file_stream_finish(&stream) == ENOENT);

	/* renaming fails at the end: nothing is left behind */
	CHECK(mkdir(in_scratch("taken"), 0777) == 0);
	file_stream_open(&stream, in_scratch("taken"));
	file_stream_text(&stream, "x");
	CHECK(file_stream_finish(&stream) == EISDIR);
	CHECK(!exists(in_scratch("taken.tmp")));

	/* no room on the way: a limit of sizes, as a full disk has no name */
	struct rlimit limit, none;
	CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
	none = limit;
	none.rlim_cur = 0;
	void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
	CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
	file_stream_open(&stream, in_scratch("full"));
	file_stream_text(&stream, "x");
	CHECK(file_stream_finish(&stream) == EFBIG);
	CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	signal(SIGXFSZ, handler);
	CHECK(!exists(in_scratch("full")) && !exists(in_scratch("full.tmp")));
}

int main(void)
{
	if (!start_scratch())
		return 1;
	test_overlap();
	test_failures();
	test_whole_file();
	test_bad_files();
	return end_tests();
}
