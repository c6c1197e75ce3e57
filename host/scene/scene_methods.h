/* The numerical methods that a scene can ask for: its key `method`. */
#ifndef FRESHET_SCENE_METHODS_H
#define FRESHET_SCENE_METHODS_H

#include <stddef.h>

struct scene_method {
	const char *name, *says;
};

/* The first is the default. */
extern const struct scene_method scene_methods[];
extern const size_t scene_method_count;

#endif
