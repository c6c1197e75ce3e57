/* Tells that kernels are compiled, once it takes so long that a driver cannot have kept them. */
#ifndef FRESHET_COMPILE_WATCH_H
#define FRESHET_COMPILE_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#define COMPILE_WATCH_SECONDS 1 /* what was kept is there in a tenth of it */

struct compile_watch {
	pthread_t thread;
	pthread_mutex_t lock; /* guards `over` */
	pthread_cond_t ended;
	struct timespec due;
	const char *device;
	bool started, over;
	bool told; /* of the thread, to be read when it has ended */
};

/* Before the driver gets the program of a device of that name, which must live until the end.
 * Without memory for a thread nothing will be told. */
void compile_watch_begin(struct compile_watch *watch, const char *device);
/* Has it taken long? */
bool compile_watch_end(struct compile_watch *watch);

#endif
