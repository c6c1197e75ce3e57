#include "compile_watch.h"

#include <errno.h>

#include "clx.h"
#include "message.h"

static void *wait_for_end(void *argument)
{
	struct compile_watch *watch = argument;
	int reason = 0;
	pthread_mutex_lock(&watch->lock);
	while (!watch->over && reason != ETIMEDOUT)
		reason = pthread_cond_timedwait(&watch->ended, &watch->lock, &watch->due);
	watch->told = !watch->over;
	pthread_mutex_unlock(&watch->lock);
	if (watch->told)
		message_progress("compiling kernels for %s, once for this driver and version of "
				 "freshet: a minute or more (at most %d kernels)",
				 watch->device, KERNEL_COUNT);
	return NULL;
}

void compile_watch_begin(struct compile_watch *watch, const char *device)
{
	*watch = (struct compile_watch){.device = device};
	clock_gettime(CLOCK_MONOTONIC, &watch->due);
	watch->due.tv_sec += COMPILE_WATCH_SECONDS;
	pthread_mutex_init(&watch->lock, NULL);
	/* A clock that nobody sets. */
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->ended, &attributes);
	pthread_condattr_destroy(&attributes);
	watch->started = pthread_create(&watch->thread, NULL, wait_for_end, watch) == 0;
}

bool compile_watch_end(struct compile_watch *watch)
{
	pthread_mutex_lock(&watch->lock);
	watch->over = true;
	pthread_cond_signal(&watch->ended);
	pthread_mutex_unlock(&watch->lock);
	if (watch->started)
		pthread_join(watch->thread, NULL);
	pthread_cond_destroy(&watch->ended);
	pthread_mutex_destroy(&watch->lock);
	return watch->told;
}
