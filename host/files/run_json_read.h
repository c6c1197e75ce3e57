/* Reading a run.json back. */
#ifndef FRESHET_RUN_JSON_READ_H
#define FRESHET_RUN_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "shared.h"

struct published_frame {
	int frame;
	u64 hash;
};

/* Of the texts of both; false unless they are digits of a frame's number and of a hash. */
bool published_frame_read(const char *number, const char *hash, struct published_frame *frame);

/* Owns everything. */
struct published_run {
	char *version, *git;
	char *status, *error; /* NULL where they are not texts */
	char *scene_path;     /* may be NULL */
	char *scene;	      /* the echo: JSON text */
	double fps;	      /* frames a second, of the echo; 0 where it has none */
	struct published_frame *frames;
	size_t frame_count;
};

/* False after reporting; what is not a run.json of freshet is refused.  errno is then ENOMEM if,
 * and only if, memory did not suffice. */
bool run_json_read(const char *path, struct published_run *run);
void published_run_free(struct published_run *run); /* leaves it empty */

#endif
