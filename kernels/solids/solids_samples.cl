/*
 * Open parts of cells, and of the density kernels about their centres, from samples that are looked
 * at once.
 *
 * Box walls close no part of a kernel: the density counts the liquid's images beyond them.  So
 * cells beyond closed walls are the mirror images of those before them.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "levelset_fold.h"
#include "loop_guard.h"
#include "solids_room.h"
#include "solids_sample.h"

/* In cells: half a diagonal between the samples that are furthest apart, and half a sample. */
#define SAMPLES_MIDDLE (DIM == 2 ? 0.682f : 0.775f)

/* How often levelset_fold() mirrors a cell: in a box one cell wide twice, to the cell itself. */
int samples_folds(int i, int n)
{
	const int back = i < 0 ? -1 - i : 2 * n - 1 - i;
	return i >= 0 && i < n ? 0 : back >= 0 && back < n ? 1 : 2;
}

/* Which sample of the cell that is mirrored along some axes is this? */
int samples_mirrored(int sample, const int mirrored[3])
{
	const int edge = SAMPLES_EDGE(DIM);
	const int index[3] = {modulo(sample, edge), modulo(sample / edge, edge),
			      DIM == 3 ? sample / (edge * edge) : 0};
	int own = 0, stride = 1;
	for (int axis = 0; axis < DIM; ++axis) {
		own += stride * (mirrored[axis] ? edge - 1 - index[axis] : index[axis]);
		stride *= edge;
	}
	return own;
}

/* What of a sample at `distance` its cell does not see: the sample's own side, or what is beyond a
 * plane through the solid, be that open or not.  So kernels beside what splits cells lose the cut
 * part twice; less, and a FLIP ratio of 1 lets particles store speeds (BL-011). */
float samples_hidden(int seen, float part, float distance, float s)
{
	const float own = min_float(part, solids_part(distance, s));
	return distance < 0.0f ? 0.0f : seen ? 1.0f - own : own;
}

/* Samples from `from` to end - 1 of a cell around centre[]; unseen: bits of those of the cell that
 * is mirrored here, of which it does not see the sample. */
void samples_look(const struct grid g, const struct solids_shape *shape, const float centre[3],
		  int from, int end, const uint unseen[2], const int mirrored[3],
		  global ushort *samples, int pitch)
{
	const float s = g.h / (float)SAMPLES_EDGE(DIM);
	float x[3] = {centre[0], centre[1], centre[2]};
	solids_fold(g, x);
	const float middle = solids_evaluate(shape, x).distance;
	if (fabs(middle) >= SAMPLES_MIDDLE * g.h) {
		samples[0] = middle > 0.0f ? SAMPLES_OPEN : SAMPLES_CLOSED;
		return;
	}
	for (int n = from; n < end; ++n) {
		float offset[3] = {0.0f, 0.0f, 0.0f};
		struct shape_sample near;
		for (int axis = 0; axis < DIM; ++axis) {
			offset[axis] = (sample_place(DIM, n, axis) - 0.5f) * g.h;
			x[axis] = centre[axis] + offset[axis];
		}
		const float away = shape_length(offset[0], offset[1], offset[2]) + 0.5f * s;
		float part = middle > 0.0f ? 1.0f : 0.0f;
		near.distance = middle;
		/* Mirroring brings points no further apart. */
		if (fabs(middle) < away) {
			solids_fold(g, x);
			part = solids_sample(shape, x, s, &near);
		}
		samples[n] = (ushort)rint(part * SOLIDS_UNIT);
		if (pitch > SAMPLES_CELL) {
			const int own = samples_mirrored(n, mirrored);
			const int seen = !(unseen[own >> 5] >> (own & 31) & 1u);
			samples[SAMPLES_CELL + n] = (ushort)rint(
				samples_hidden(seen, part, near.distance, s) * SOLIDS_UNIT);
		}
	}
	if (end < SAMPLES_CELL)
		return;
	int open = 0, closed = 0, hidden = 0;
	for (int n = 0; n < SAMPLES_CELL; ++n) {
		open += samples[n] == FRACTION_ONE;
		closed += samples[n] == 0;
		hidden += pitch > SAMPLES_CELL && samples[SAMPLES_CELL + n] > 0;
	}
	if (hidden == 0 && (open == SAMPLES_CELL || closed == SAMPLES_CELL))
		samples[0] = open ? SAMPLES_OPEN : SAMPLES_CLOSED;
}

/* Samples from `from` to end - 1 of `layers` layers into the room (solids_room.h).  One work-item
 * per cell of it. */
kernel void solids_sample_layers(const struct grid g, const struct lattice_box box,
				 global const struct shape_op *ops, int op_count,
				 global const float *points, global const float *solid_phi,
				 global const uint *split, int first, int layers, int from, int end,
				 int pitch, global ushort *room, global uint *scalars)
{
	const int column = (int)get_global_id(0), row = (int)get_global_id(1),
		  layer = (int)get_global_id(2), rows = solids_room_rows(box);
	if (column >= box.nx + 4 || row >= rows || layer >= layers)
		return;
	const struct solids_shape shape = {ops, op_count, points, 0};
	global ushort *samples = room + pitch * ((layer * rows + row) * (box.nx + 4) + column);
	const int cell[3] = {box.i + column - 2, DIM == 2 ? first + layer - 2 : box.j + row - 2,
			     DIM == 2 ? 0 : first + layer - 2};
	const int low[3] = {box.i, box.j, box.k},
		  high[3] = {box.i + box.nx, box.j + box.ny, box.k + box.nz};
	const int cells[3] = {g.nx, g.ny, g.nz};
	float centre[3] = {0.0f, 0.0f, 0.0f}, least = 0.0f, most = 0.0f;
	int own[3] = {0, 0, 0}, mirrored[3] = {0, 0, 0}, inside = 1;
	uint unseen[2] = {0, 0};
	for (int axis = 0; axis < DIM; ++axis) {
		centre[axis] = ((float)cell[axis] + 0.5f) * g.h;
		own[axis] = levelset_fold(g, axis, cell[axis], cells[axis]);
		mirrored[axis] = samples_folds(cell[axis], cells[axis]) & 1;
		inside &=
			own[axis] >= low[axis] && own[axis] < min_int(high[axis] - 1, cells[axis]);
	}
	if (inside) {
		const int at = lattice_index(g, own[0], own[1], own[2]);
		solids_corners(g, solid_phi, own[0], own[1], own[2], &least, &most);
		for (int n = 0; n < 2 && pitch > SAMPLES_CELL; ++n)
			unseen[n] = split[3 * (long)at + 1 + n];
	}
	if (least > SAMPLES_NEAR * g.h || most < -SAMPLES_NEAR * g.h)
		samples[0] = least > 0.0f ? SAMPLES_OPEN : SAMPLES_CLOSED;
	else
		samples_look(g, &shape, centre, from, end, unseen, mirrored, samples, pitch);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* volume_open, as far as cells see it, and kernel_open of the layers from `first` to last - 1, and
 * 0 at lattice points that are no cells; whole: the sum of all weights.  Without solids there are
 * no samples.  One work-item per lattice point of them. */
kernel void solids_sum_samples(const struct grid g, const struct lattice_box box, int op_count,
			       global const float *solid_phi, int first, int last, int pitch,
			       global const ushort *samples, global const ushort *weights,
			       uint whole, global ushort *volume_open, global ushort *kernel_open)
{
	int cell[3];
	if (!solids_room_point(box, first, last, cell))
		return;
	const int at = lattice_index(g, cell[0], cell[1], cell[2]);
	volume_open[at] = 0;
	kernel_open[at] = 0;
	if (!cell_exists(g, cell[0], cell[1], cell[2]))
		return;
	const struct solids_room room = {samples, weights, first, pitch};
	/* Its corners are half a diagonal from the centre, its kernel's samples 2 h and half their
	 * diagonal at most. */
	const float reach = (2.0f + SOLIDS_REACH + 0.25f) * g.h;
	float least = SHAPE_FAR, most = SHAPE_FAR;
	if (op_count > 0)
		solids_corners(g, solid_phi, cell[0], cell[1], cell[2], &least, &most);
	if (most > reach) {
		volume_open[at] = kernel_open[at] = FRACTION_ONE;
		return;
	}
	uint open = 0, own = 0;
	for (int n = 0; n < SAMPLES_AROUND(DIM) && least >= -reach; ++n)
		open += solids_room_sum(&room, solids_room_around(box, &room, cell, n), n, 0);
	own = solids_room_own(&room, solids_room_around(box, &room, cell, SAMPLES_AROUND(DIM) / 2));
	volume_open[at] = (ushort)rint((float)own * (1.0f / (float)SAMPLES_CELL));
	kernel_open[at] = solids_kernel_part((float)open / ((float)SAMPLES_PARTS * (float)whole));
}
