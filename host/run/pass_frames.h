/* Which frames of a run there are to be drawn or meshed, and from which files. */
#ifndef FRESHET_PASS_FRAMES_H
#define FRESHET_PASS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "numbered_files.h"
#include "scene.h"

enum pass_source {
	PASS_ANY, /* particle files, and checkpoints where there are none */
	PASS_PARTICLES,
	PASS_CHECKPOINTS,
	PASS_FIELDS,
};

struct pass_frame {
	int frame;
	enum numbered_files file;
};

/* Zeroed = none. */
struct pass_frames {
	struct pass_frame *list; /* owned, frames ascending */
	size_t count;
	int step; /* the run wrote files of one frame in so many; 0 where that is not known */
};

/* What the command line asks for. */
struct pass_choice {
	bool given;	 /* a range of frames was named */
	int first, last; /* if given; last < 0: to the end */
	int every;	 /* of these the multiples of it */
};

/* All that `directory` has; `scene` says what the run wrote.  Checkpoints within a frame are left
 * out, and unusable ones after a warning.  False after reporting. */
bool pass_frames_find(const char *directory, const struct scene *scene, enum pass_source source,
		      struct pass_frames *frames);

/* Leaves those that are asked for; without a range those of all steps of the run.  False after
 * reporting which of them there are no files of. */
bool pass_frames_choose(struct pass_frames *frames, const char *directory,
			const struct pass_choice *choice);

/* directory/particles/particles_000024.ply and so on; owned by the caller, NULL after reporting. */
char *pass_frame_path(const char *directory, const struct pass_frame *frame);

void pass_frames_free(struct pass_frames *frames); /* leaves it empty */

#endif
