/* Drains on the device. */
#ifndef FRESHET_DRAINS_DATA_H
#define FRESHET_DRAINS_DATA_H

#include "clx.h"

struct drain {
	i32 first_op, op_count; /* its shape */
	i32 parts;		/* that a kernel's loops go through */
	u32 missed;		/* particles that were due in this substep and not there */
};

struct drains {
	struct drain *drain; /* [count], as the scene has them */
	size_t count;
	u32 before; /* particles gone before this substep */
	union shape_op_buffer ops;
	union f32_buffer points;
};

#endif
