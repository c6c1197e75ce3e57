/* What the kernels of solids share. */
#ifndef FRESHET_SOLIDS_SHAPE_H
#define FRESHET_SOLIDS_SHAPE_H

#include "common.h"
#include "shape.h"

/* No corner of a cell is further from its centre, in cells. */
#define SOLIDS_REACH (DIM == 2 ? 0.70711f : 0.86603f)

/* Open parts are stored in units of 1/FRACTION_ONE. */
#define SOLIDS_UNIT ((float)FRACTION_ONE)

/* volume_open of a room of so many SOLIDS_UNITs. */
ushort solids_room(float units)
{
	const float coarse = (float)ROOM_FINE + (units - (float)ROOM_FINE) / (float)ROOM_COARSE;
	return (ushort)rint(min_float(units <= (float)ROOM_FINE ? units : coarse, 65535.0f));
}

/* The density is never divided by less than 1/16 of the kernel. */
#define SOLIDS_KERNEL_LEAST 2048

/* All solids united. */
struct solids_shape {
	global const struct shape_op *ops;
	int op_count;
	global const float *points;
	global const float *references; /* solids_references.cl; NULL where nobody looks */
};

struct shape_sample solids_evaluate(const struct solids_shape *shape, const float x[3])
{
	return shape_evaluate(DIM, shape->ops, shape->op_count, shape->points, x[0], x[1], x[2]);
}

#endif
