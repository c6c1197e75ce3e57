/* Friction at walls on the device. */
#ifndef FRESHET_FRICTION_DATA_H
#define FRESHET_FRICTION_DATA_H

#include "clx.h"
#include "friction_params.h"

struct friction {
	bool on;
	struct friction_params now; /* of the substep */
	union i32_buffer kinds;	    /* [solids], by place in their program: enum friction_kind */
	/* f32 [1 + solids][FRICTION_TABLE], first that of the box's walls */
	union f32_buffer table;
	union pair_buffer sums; /* pair [solids][FRICTION_SUMS], as the scene has them: loads */
};

#endif
