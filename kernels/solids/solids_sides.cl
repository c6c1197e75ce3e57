/*
 * Liquid on the side of a thin solid that its cell does not belong to.
 *
 * A cell that a plate cuts in two has one pressure, that of the side its reference point is on
 * (solids_sight.h); its faces are closed to the other.  What lies there has no pressure of its own
 * and would fall as if there were air.  So the room there, a recess, is counted to the next cell of
 * its side, whose fields are stretched over both: during a substep particles stand at their place
 * on the grid, and what they move there is added to their true place at its end.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "levelset_fold.h"
#include "loop_guard.h"
#include "solids_reached.h"
#include "solids_recess.h"
#include "solids_room.h"

/* Of the cell size: where corners are looked at. */
#define SOLIDS_INSET 0.02f
/* Cosine between sides that are back to back: of about 135 degrees. */
#define SOLIDS_BACK_TO_BACK -0.7f
/* In cells, by interpolated distances to a cell's centre: a kernel whose solids are all further
 * away loses nothing.  It reaches 2; a solid that cuts a cell there is at most half a cell beyond;
 * nodal distances are off by less than 1. */
#define SOLIDS_KERNEL_NEAR (DENSITY_RADIUS + 0.5f + 1.0f)

/* Does the cell have an open face, and its point in reach?  *reference is then that.  In reach is
 * what stands a margin outside a solid that ends within the cell, so at most half a cell and that
 * margin from the centre; another margin allows for the steps that found it. */
int solids_stands_for(const struct grid g, const struct solids_shape *shape,
		      global const ushort *open_fraction, const int cell[3], float reference[4])
{
	int open = 0, inside = 1;
	for (int axis = 0; axis < DIM; ++axis)
		for (int side = 0; side < 2; ++side)
			open |= open_fraction[axis * g.lattice +
					      lattice_index(g, cell[0], cell[1], cell[2]) +
					      side * lattice_stride(g, axis)];
	if (!open || !solids_reference(g, shape, cell[0], cell[1], cell[2], reference))
		return 0;
	for (int axis = 0; axis < DIM; ++axis)
		inside &= fabs(reference[axis] * g.inv_h - ((float)cell[axis] + 0.5f)) <
			  0.5f + 2.0f * SOLIDS_MARGIN;
	return inside;
}

/* Do the sides of a solid at two points turn their backs on each other, as those of a plate do? The
 * sides of a corner of more than 45 degrees do not. */
int solids_back_to_back(const struct solids_shape *shape, const float a[3], const float b[3])
{
	struct shape_sample at_a, at_b;
	float cosine = 0.0f;
	for (int turn = 0; turn < 2; ++turn) {
		at_b = solids_evaluate(shape, turn ? b : a);
		at_a = turn ? at_a : at_b;
	}
	for (int axis = 0; axis < DIM; ++axis)
		cosine += at_a.gradient[axis] * at_b.gradient[axis];
	return cosine < SOLIDS_BACK_TO_BACK;
}

/* Does a plate close a lower face of the cell?  That is a solid which ends within the cell on
 * either side of the face, so that both cells have a point, and no free path joins these.  What is
 * thicker fills a cell, and needs no more than the closed face. */
int solids_has_plate(const struct grid g, const struct solids_shape *shape,
		     global const ushort *open_fraction, const int cell[3])
{
	for (int axis = 0; axis < DIM; ++axis) {
		float reference[2][4];
		int stand = cell[axis] > 0 &&
			    open_fraction[axis * g.lattice +
					  lattice_index(g, cell[0], cell[1], cell[2])] == 0;
		for (int side = 0; side < 2 && stand; ++side) {
			int at[3] = {cell[0], cell[1], cell[2]};
			at[axis] += side - 1;
			stand = solids_stands_for(g, shape, open_fraction, at, reference[side]);
		}
		if (stand && solids_back_to_back(shape, reference[0], reference[1]) &&
		    !solids_sees(shape, g.h, reference[0], reference[1]))
			return 1;
	}
	return 0;
}

/* Points first to last - 1 of a cell, see solids_find_sides(). */
void solids_find_sides_of(const struct grid g, const struct solids_shape *shape,
			  global const float *solid_phi, global const ushort *open_fraction,
			  const int cell[3], int first, int last, global uint *split,
			  global uint *found)
{
	const int i = cell[0], j = cell[1], k = cell[2];
	const long at = 3 * (long)lattice_index(g, i, j, k);
	const float reach = (SOLIDS_REACH + 2.0f * SOLIDS_CLEARANCE) * g.h;
	float reference[4];
	const int known = solids_reference(g, shape, i, j, k, reference);
	int near = 0;
	/* Most cells are far from solids.  A centre's ball covers all of its cell. */
	if (known && reference[3] > reach + SOLIDS_MARGIN * g.h)
		return;
	for (int q = 0; q < 1 << DIM; ++q)
		near |= !(solid_phi[lattice_index(g, i + (q & 1), j + (q >> 1 & 1), k + (q >> 2))] >
			  reach);
	if (!near)
		return;
	int is_split = split[at] != 0; /* has the cell room that it does not see? */
	uint hidden[2] = {split[at + 1], split[at + 2]};
	for (int n = first; n < last; ++n) {
		const int sample = n - SOLIDS_CORNERS(DIM);
		const int corner[3] = {modulo(n, 3), modulo(n / 3, 3), n / 9};
		float x[3] = {0.0f, 0.0f, 0.0f};
		if (sample < 0 ? is_split : !is_split)
			continue;
		for (int axis = 0; axis < DIM; ++axis)
			x[axis] = ((float)cell[axis] +
				   (sample < 0 ? 0.5f : sample_place(DIM, sample, axis)) +
				   (sample < 0 ? (float)(corner[axis] - 1) * (0.5f - SOLIDS_INSET)
					       : 0.0f)) *
				  g.h;
		if (known && solids_covers(g.h, reference, x, 0.0f))
			continue;
		const float distance = sample < 0 ? solids_evaluate(shape, x).distance : 0.0f;
		if (sample < 0 && distance < SOLIDS_CLEARANCE * g.h)
			continue;
		if (known && solids_sees_from(shape, g.h, reference, x, distance))
			continue;
		if (sample < 0)
			is_split = 1;
		else
			hidden[sample >> 5] |= 1u << (sample & 31);
	}
	split[at] = (uint)is_split;
	split[at + 1] = hidden[0];
	split[at + 2] = hidden[1];
	if (last < SOLIDS_POINTS(DIM))
		return;
	if (!is_split) {
		if (solids_has_plate(g, shape, open_fraction, cell))
			atomic_add(found, 1u);
		return;
	}
	float middle[3];
	if (!g.gaps && solids_middle(shape, g.h, i, j, k, middle) &&
	    solids_turn(g, shape, cell, middle))
		atomic_add(found + 1, 1u);
	atomic_add(found, 1u);
}

/* split[cell]: u32 [3], is it split by solids; which samples does it not see, as bits.  found[0]
 * counts such cells, found[1] those of them that belong to a gap but are not told so yet (g.gaps).
 * Points first to last - 1 of SOLIDS_POINTS: corners, then samples.  One work-item per lattice
 * point of the box. */
kernel void solids_find_sides(const struct grid g, const struct lattice_box box,
			      global const struct shape_op *ops, int op_count,
			      global const float *points, global const float *solid_phi,
			      global const float *references, global const ushort *open_fraction,
			      int first, int last, global uint *split, global uint *found,
			      global uint *scalars)
{
	int cell[3];
	if (!lattice_box_point(box, &cell[0], &cell[1], &cell[2]))
		return;
	const struct solids_shape shape = {ops, op_count, points, references};
	for (int n = 0; n < 3 && first == 0; ++n)
		split[3 * (long)lattice_index(g, cell[0], cell[1], cell[2]) + n] = 0;
	if (cell_exists(g, cell[0], cell[1], cell[2]))
		solids_find_sides_of(g, &shape, solid_phi, open_fraction, cell, first, last, split,
				     found);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* volume_open of cells with recesses, which are counted to them.  One work-item per lattice point
 * of the box. */
kernel void solids_add_recesses(const struct grid g, const struct lattice_box box,
				global const struct shape_op *ops, int op_count,
				global const float *points, global const float *solid_phi,
				global const float *references, global ushort *volume_open,
				global uint *scalars)
{
	int cell[3];
	if (!lattice_box_point(box, &cell[0], &cell[1], &cell[2]) ||
	    !cell_exists(g, cell[0], cell[1], cell[2]))
		return;
	const struct solids_shape shape = {ops, op_count, points, references};
	const int at = lattice_index(g, cell[0], cell[1], cell[2]), edge = SAMPLES_EDGE(DIM);
	const float centre[3] = {((float)cell[0] + 0.5f) * g.h, ((float)cell[1] + 0.5f) * g.h,
				 DIM == 3 ? ((float)cell[2] + 0.5f) * g.h : 0.0f};
	float recesses = 0.0f;
	if (collide_solid_phi(g, solid_phi, centre) > SOLIDS_STRETCHED * g.h)
		return;
	for (int n = 0; n < SAMPLES_CELL; ++n) {
		float x[3] = {0.0f, 0.0f, 0.0f};
		for (int axis = 0; axis < DIM; ++axis)
			x[axis] = ((float)cell[axis] + sample_place(DIM, n, axis)) * g.h;
		/* By a face, samples next to it stand for its parts. */
		for (int side = 0; side < 2 * DIM; ++side)
			if (fabs(sample_place(DIM, n, side >> 1) - (float)(side & 1)) <
			    1.0f / (float)edge)
				recesses += solids_recess(g, &shape, cell, side >> 1, side & 1, x);
	}
	recesses *= g.inv_h / (float)(edge * (DIM == 3 ? edge : 1));
	if (recesses > 0.0f)
		volume_open[at] = solids_room((float)volume_open[at] + recesses * SOLIDS_UNIT);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* What cell n around a kernel's own takes from it, in units of solids_room_sum(): all of it that
 * faces do not lead to, and what it does not see.  A recess counts as if it lay there, too: `fill`
 * is what the cell holds then, in cells. */
float solids_lost(const struct grid g, const struct solids_room *room, global const ushort *samples,
		  int n, int reached, int is_split, float fill)
{
	const float open = (float)solids_room_sum(room, samples, n, 0);
	if (!reached)
		return open;
	const float hidden = (float)solids_room_sum(room, samples, n, 1);
	/* How much more than what it sees of itself the cell holds.  In scenes with gaps that is
	 * summed first, as a gap's cell may have a recess and hold less than 1. */
	float more = fill;
	if (g.gaps && is_split)
		more = fill * (float)(SAMPLES_CELL * FRACTION_ONE) /
		       max_float((float)solids_room_own(room, samples), (float)FRACTION_ONE);
	more = max_float(more, 1.0f);
	return more * hidden + (1.0f - more) * open;
}

/* kernel_open of cells near what is split, of the layers from `first` to last - 1: without what
 * they do not reach, with recesses.  One work-item per lattice point of them. */
kernel void solids_split_kernels(const struct grid g, const struct lattice_box box,
				 global const float *solid_phi, global const uint *split,
				 global const ushort *open_fraction,
				 global const ushort *volume_open, int first, int last, int pitch,
				 global const ushort *samples, global const ushort *weights,
				 uint whole, global ushort *kernel_open)
{
	int cell[3];
	if (!solids_room_point(box, first, last, cell) ||
	    !cell_exists(g, cell[0], cell[1], cell[2]))
		return;
	const struct solids_room room = {samples, weights, first, pitch};
	const float centre[3] = {((float)cell[0] + 0.5f) * g.h, ((float)cell[1] + 0.5f) * g.h,
				 DIM == 3 ? ((float)cell[2] + 0.5f) * g.h : 0.0f};
	const int count[3] = {g.nx, g.ny, g.nz};
	const int own = lattice_index(g, cell[0], cell[1], cell[2]);
	float lost = 0.0f;
	struct solids_view view;
	if (collide_solid_phi(g, solid_phi, centre) > SOLIDS_KERNEL_NEAR * g.h)
		return;
	view.of = -1;
	solids_look(g, open_fraction, cell, &view);
	for (int n = 0; n < SAMPLES_AROUND(DIM); ++n) {
		/* Closed walls of the box mirror the cells before them. */
		const int away[3] = {modulo(n, 5) - 2, modulo(n / 5, 5) - 2,
				     DIM == 3 ? n / 25 - 2 : 0};
		int to[3] = {cell[0], cell[1], cell[2]};
		for (int axis = 0; axis < DIM; ++axis)
			to[axis] = levelset_fold(g, axis, cell[axis] + away[axis], count[axis]);
		if (!cell_exists(g, to[0], to[1], to[2]))
			continue;
		const int at = lattice_index(g, to[0], to[1], to[2]);
		const int reached = solids_is_seen(&view, cell, to);
		const int is_split = split[3 * (long)at] != 0;
		const float fill = (float)room_units(volume_open[at]) * (1.0f / FRACTION_ONE);
		if (!reached || is_split || fill > 1.0f)
			lost += solids_lost(g, &room, solids_room_around(box, &room, cell, n), n,
					    reached, is_split, fill);
	}
	const float part = (float)kernel_open[own] / SOLIDS_UNIT -
			   lost / ((float)SAMPLES_PARTS * (float)whole);
	kernel_open[own] =
		(ushort)rint(clamp_float(part * SOLIDS_UNIT, (float)SOLIDS_KERNEL_LEAST, 65535.0f));
}
