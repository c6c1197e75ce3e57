/* What the files of the public interface share. */
#ifndef FRESHET_INTERNAL_H
#define FRESHET_INTERNAL_H

#include <stdatomic.h>

#include "freshet.h"
#include "sim_view.h"

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
/* The same for one that needs a simulation: false after reporting that it is NULL. */
bool freshet_begin_simulation(const struct freshet_simulation *simulation);
/* False after reporting that `what` is NULL. */
bool freshet_given(const void *pointer, const char *what);
/* Zeroed; NULL after reporting. */
void *freshet_allocate(size_t bytes);

#endif
