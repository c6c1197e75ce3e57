/* A solid as the scene tells it. */
#ifndef FRESHET_SCENE_SOLID_H
#define FRESHET_SCENE_SOLID_H

#include "shape_program.h"

struct scene_solid {
	char *name;
	struct shape_program shape;
	bool free_slip; /* false: the tangential velocity of colliding particles is removed too */
};

#endif
