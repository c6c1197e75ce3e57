/* Force fields on the device. */
#ifndef FRESHET_FORCE_FIELDS_DATA_H
#define FRESHET_FORCE_FIELDS_DATA_H

#include "clx.h"
#include "force_params.h"

struct force_fields {
	size_t count;
	bool has_vorticity;		  /* one of them is a confinement */
	i32 parts;			  /* that loops of a kernel go through, in all */
	struct force_params *now;	  /* [count], of the substep */
	union force_params_buffer fields; /* the same on the device */
	union shape_op_buffer ops;	  /* their shapes, one after the other */
	union f32_buffer points;
};

#endif
