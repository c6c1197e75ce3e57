/* The frames of a run so far, for files that join them (particle_formats.h). */
#ifndef FRESHET_JOINED_FRAMES_H
#define FRESHET_JOINED_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene.h"
#include "shared.h"

/* What is known of a run's frames so far, for the file that joins them.  Zeroed = nothing;
 * joined_frames_free() frees it. */
struct joined_frames {
	const struct scene *scene;
	size_t count, capacity;
	int64_t *frame, *particles; /* owned, [capacity] */
	u32 attributes;		    /* bits, of the last frame */
	bool late;		    /* the file lacks frames */
};
void joined_frames_free(struct joined_frames *joined);

#endif
