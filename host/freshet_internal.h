/* What the files of the public interface share. */
#ifndef FRESHET_INTERNAL_H
#define FRESHET_INTERNAL_H

#include <stdatomic.h>

#include "freshet.h"
#include "sim.h"

struct freshet_context {
	struct clx *cl;
	int users; /* the caller, and simulations */
};

struct freshet_scene {
	struct scene *scene;
	atomic_int users; /* likewise; simulations of several threads may share it */
};

struct freshet_simulation {
	struct freshet_context *context;
	struct freshet_scene *scene;
	struct sim *sim;
	struct step_stats stats; /* of the state that there is; sim's are of the last attempt */
};

/* Every function that can fail begins with this: no errors so far, messages come to the caller. */
void freshet_begin(void);

#endif
