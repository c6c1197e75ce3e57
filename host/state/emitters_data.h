/* Emitters on the device. */
#ifndef FRESHET_EMITTERS_DATA_H
#define FRESHET_EMITTERS_DATA_H

#include "clx.h"
#include "ledger_data.h"

struct emitter {
	i32 first_op, op_count; /* its shape */
	i32 parts;		/* that a kernel's loops go through */
	struct lattice_box box; /* cells around it */
	u32 entering;		/* particles, in this substep */
};

struct emitters {
	struct emitter *emitter; /* [count], as the scene has them */
	size_t count;
	union shape_op_buffer ops;
	union f32_buffer points;
	union u32_buffer counts;  /* u32 [cells of the largest box + 1] */
	union u32_buffer scratch; /* of the scan */
};

#endif
