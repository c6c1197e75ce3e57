/*
 * The points that stand for cells beside solids (solids_sight.h): found once, as faces, rooms and
 * particles ask for them again and again.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "solids_sample.h"
#include "solids_sight.h"

/* Where a cell's centre is further than a cell from solids, which is as far as solids_turn() looks
 * for gaps, it stands for the cell. */

/* references (f32 [L][4], m) of the cells of the box, and how far they are from solids at least;
 * where a cell has none, SHAPE_FAR.  One work-item per lattice point of the box. */
kernel void solids_find_references(const struct grid g, const struct lattice_box box,
				   global const struct shape_op *ops, int op_count,
				   global const float *points, global const float *solid_phi,
				   global float *references, global uint *scalars)
{
	int cell[3];
	if (!lattice_box_point(box, &cell[0], &cell[1], &cell[2]) ||
	    !cell_exists(g, cell[0], cell[1], cell[2]))
		return;
	const struct solids_shape shape = {ops, op_count, points, 0};
	float x[3] = {((float)cell[0] + 0.5f) * g.h, ((float)cell[1] + 0.5f) * g.h,
		      DIM == 3 ? ((float)cell[2] + 0.5f) * g.h : 0.0f};
	float least, most;
	solids_corners(g, solid_phi, cell[0], cell[1], cell[2], &least, &most);
	float distance = least - SOLIDS_REACH * g.h;
	if (distance <= (1.0f + SOLIDS_CLEARANCE) * g.h) {
		if (!solids_middle(&shape, g.h, cell[0], cell[1], cell[2], x))
			x[0] = SHAPE_FAR;
		else {
			if (g.gaps)
				solids_turn(g, &shape, cell, x);
			distance = solids_evaluate(&shape, x).distance;
		}
	}
	global float *reference =
		references + 4 * (long)lattice_index(g, cell[0], cell[1], cell[2]);
	for (int axis = 0; axis < 3; ++axis)
		reference[axis] = x[axis];
	reference[3] = distance;
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
