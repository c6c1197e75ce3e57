/*
 * Open volumes of cells as the particles' linear weights tell them: what a cell holds once liquid
 * fills the open room evenly.  A cell that a solid cuts has more or less than the room between its
 * own faces, as it takes part in its neighbours', and they in its. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "solids_recess.h"
#include "solids_sample.h"
#include "solids_weights.h"

/* Blocks per axis of a cell and, where a solid cuts one, points per axis of a block, fewer where
 * each has to look for plates; units of the sums.  Blocks do not reach across the planes through
 * the cell's centre, between which weights are linear: all of an open block counts at its middle.
 */
#define SHARES_BLOCKS (DIM == 2 ? 4 : 2)
#define SHARES_POINTS(split) (DIM == 2 && !(split) ? 4 : 2)
#define SHARES_TURNS (SOLIDS_SHARES(DIM) / (DIM == 2 ? 16 : 8)) /* of a block, at most */
#define SHARES_UNIT 0x1p20f
/* In cells: cells with solids nearer than that to their centre take their sums; what is added to
 * those lies in cells with solids nearer than that. */
#define SHARES_TAKE 2.5f
#define SHARES_ADD 4.5f
/* In cells: where distances at a cell's corners are greater, all faces of the cells around it are
 * open: their corners are a cell's diagonal from its own at most, and solids_face() looks for
 * solids within a cell of them. */
#define SHARES_WHOLE 2.75f
/* In cells: beyond what makes an open cell, nothing stands elsewhere on the grid
 * (solids_stretch()).
 */
#define SHARES_STRETCHED 2.0f

/* Is the cell nearer to solids than `reach` cells? */
int shares_near(const struct grid g, global const float *solid_phi, int i, int j, int k,
		float reach)
{
	const float centre[3] = {((float)i + 0.5f) * g.h, ((float)j + 0.5f) * g.h,
				 DIM == 3 ? ((float)k + 0.5f) * g.h : 0.0f};
	return cell_exists(g, i, j, k) && collide_solid_phi(g, solid_phi, centre) <= reach * g.h;
}

/* The cell of a point. */
void shares_cell(const struct grid g, const float x[3], int cell[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	for (int axis = 0; axis < 3; ++axis)
		cell[axis] = axis < DIM
				     ? clamp_int(floor_int(x[axis] * g.inv_h), 0, cells[axis] - 1)
				     : 0;
}

/* What the adding functions share. */
struct shares {
	struct solids_shape shape;
	global const float *solid_phi;
	global const ushort *open_fraction;
	global uint *sum;
	int split; /* a constant where they are called */
	struct solids_view view;
};

/* Adds `room`, in cells, about x to the cells around its place on the grid, as drift_reference()
 * and solids_cut_drift() do with particles.  What a cell does not see and no other counts to itself
 * is left out. */
void shares_add(const struct grid g, struct shares *shares, const float x[3], float room)
{
	const struct solids_shape *shape = &shares->shape;
	float place[3] = {x[0], x[1], x[2]};
	int cell[3];
	shares_cell(g, x, cell);
	if (shares->split && !solids_stretch(g, shape, shares->solid_phi, x, place)) {
		const float distance = solids_evaluate(shape, x).distance;
		if (distance >= SOLIDS_CLEARANCE * g.h &&
		    !solids_cell_sees(g, shape, cell, x, distance))
			return;
	}
	shares_cell(g, place, cell);
	solids_look(g, shares->open_fraction, cell, &shares->view);
	const struct stencil stencil = sample_stencil(g, DIM, place);
	for (int q = 0; q < 1 << DIM; ++q) {
		float weight;
		int at;
		if (!solids_weight(g, &shares->view, stencil, cell, q, &weight, &at))
			at = lattice_index(g, cell[0], cell[1], cell[2]);
		const uint add = (uint)rint(weight * room * SHARES_UNIT);
		if (add)
			atomic_add(shares->sum + at, add);
	}
}

/* The same for the open part of a small cube of edge s about x, given with what solids give there:
 * what is on x's side of a solid through it, and what is beyond a thin one, each at its middle if
 * the solid faces an axis. */
void shares_add_cube(const struct grid g, struct shares *shares, const float x[3], float s,
		     float part, const struct shape_sample near)
{
	const float edge = s * g.inv_h, distance = near.distance / s;
	const float own = min_float(part, solids_part(near.distance, s));
	/* One call for both: some drivers take long to compile several. */
	for (int side = 0; side < 2; ++side) {
		const float share = side ? part - own : own;
		/* From x along the solid's normal, of the edge. */
		float shift = side		? -0.5f * (distance + (1.0f - part) + 0.5f)
			      : distance < 0.5f ? 0.5f * (0.5f - distance)
						: 0.0f;
		float middle[3];
		if (share <= 1e-3f)
			continue;
		for (int axis = 0; axis < 3; ++axis)
			middle[axis] = x[axis] + shift * s * near.gradient[axis];
		shares_add(g, shares, middle, share * edge * edge * (DIM == 3 ? edge : 1.0f));
	}
}

/* Adds the open room of a block of edge s whose lowest corner is low[]: at its middle if it is
 * open, else at points.  The middle comes before the points, in the same loop; only turns first to
 * last - 1 of it add something. */
void shares_add_block(const struct grid g, struct shares *shares, const float low[3], float s,
		      int first, int last)
{
	const int points = SHARES_POINTS(shares->split),
		  count = points * points * (DIM == 3 ? points : 1);
	const float small = s / (float)points;
	/* As distances grow by no more than the way: half a diagonal, half a small cube. */
	const float reach = (DIM == 2 ? 0.708f : 0.867f) * s + 0.51f * small;
	const float open = reach + (shares->split ? SHARES_STRETCHED * g.h : 0.0f);
	for (int n = -1; n < count && n < last - 1; ++n) {
		const int index[3] = {modulo(n, points), modulo(n / points, points),
				      n / (points * points)};
		const float edge = n < 0 ? s : small;
		if (n >= 0 && n < first - 1)
			continue;
		float x[3] = {0.0f, 0.0f, 0.0f};
		struct shape_sample near;
		for (int axis = 0; axis < DIM; ++axis)
			x[axis] = low[axis] +
				  (n < 0 ? 0.5f * s : ((float)index[axis] + 0.5f) * small);
		const float part = solids_sample(&shares->shape, x, edge, &near);
		if (n < 0 && near.distance <= -reach)
			return;
		if (n < 0 && near.distance < open)
			continue;
		if (n >= first - 1)
			shares_add_cube(g, shares, x, edge, part, near);
		if (n < 0)
			return;
	}
}

/* Is an open cell far from solids, and all that its room is shared with open, and of the box?
 * least: of the distances at its corners. */
int shares_is_open(const struct grid g, struct shares *shares, const int cell[3], float least)
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int inside = 1;
	for (int axis = 0; axis < DIM; ++axis)
		inside &= cell[axis] > 0 && cell[axis] < cells[axis] - 1;
	if (!inside)
		return 0;
	if (least <= SHARES_WHOLE * g.h) {
		solids_look(g, shares->open_fraction, cell, &shares->view);
		if (!shares->view.whole)
			return 0;
	}
	return 1;
}

/* Adds such a cell: halves of it, along every axis, give a quarter of their room to the next one.
 */
void shares_add_open(const struct grid g, const struct shares *shares, const int cell[3])
{
	for (int n = 0; n < (DIM == 2 ? 9 : 27); ++n) {
		const int away[3] = {modulo(n, 3) - 1, modulo(n / 3, 3) - 1,
				     DIM == 3 ? n / 9 - 1 : 0};
		float share = SHARES_UNIT;
		for (int axis = 0; axis < DIM; ++axis)
			share *= away[axis] == 0 ? 0.75f : 0.125f;
		atomic_add(shares->sum + lattice_index(g, cell[0] + away[0], cell[1] + away[1],
						       cell[2] + away[2]),
			   (uint)share);
	}
}

/* Adds the open room of the cell of this work-item, if it is near solids: turns first to last - 1
 * of the loops over its blocks and, within, over their middles and points. */
void shares_add_cell(const struct grid g, const struct lattice_box box, struct shares *shares,
		     int first, int last)
{
	int cell[3];
	float least, most;
	shares->view.of = -1;
	if (!lattice_box_point(box, &cell[0], &cell[1], &cell[2]) ||
	    !shares_near(g, shares->solid_phi, cell[0], cell[1], cell[2], SHARES_ADD))
		return;
	solids_corners(g, shares->solid_phi, cell[0], cell[1], cell[2], &least, &most);
	if (most < -SAMPLES_NEAR * g.h)
		return;
	if (least > SAMPLES_NEAR * g.h + (shares->split ? SHARES_STRETCHED * g.h : 0.0f) &&
	    shares_is_open(g, shares, cell, least)) {
		if (first == 0)
			shares_add_open(g, shares, cell);
		return;
	}
	const int blocks = shares->split || least <= SAMPLES_NEAR * g.h ? SHARES_BLOCKS : 2;
	const float s = g.h / (float)blocks;
	const int count = blocks * blocks * (DIM == 3 ? blocks : 1);
	for (int n = first / SHARES_TURNS; n * SHARES_TURNS < last && n < count; ++n) {
		const float low[3] = {(float)cell[0] * g.h + (float)modulo(n, blocks) * s,
				      (float)cell[1] * g.h + (float)modulo(n / blocks, blocks) * s,
				      DIM == 3 ? (float)cell[2] * g.h +
							 (float)(n / (blocks * blocks)) * s
					       : 0.0f};
		shares_add_block(g, shares, low, s, first - n * SHARES_TURNS,
				 last - n * SHARES_TURNS);
	}
}

/* Adds the open room of every cell, turns first to last - 1 of SOLIDS_SHARES, to sum (u32 [L],
 * zero before).  One work-item per lattice point. */
kernel void solids_add_shares(const struct grid g, const struct lattice_box box,
			      global const struct shape_op *ops, int op_count,
			      global const float *points, global const float *solid_phi,
			      global const float *references, global const ushort *open_fraction,
			      int first, int last, global uint *sum, global uint *scalars)
{
	struct shares shares = {
		{ops, op_count, points, references}, solid_phi, open_fraction, sum, 0, {0}};
	shares_add_cell(g, box, &shares, first, last);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* The same where solids split cells.  A kernel of its own, as it is long and few scenes have any.
 */
kernel void solids_add_split_shares(const struct grid g, const struct lattice_box box,
				    global const struct shape_op *ops, int op_count,
				    global const float *points, global const float *solid_phi,
				    global const float *references,
				    global const ushort *open_fraction, int first, int last,
				    global uint *sum, global uint *scalars)
{
	struct shares shares = {
		{ops, op_count, points, references}, solid_phi, open_fraction, sum, 1, {0}};
	shares_add_cell(g, box, &shares, first, last);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* volume_open of cells near solids.  One work-item per lattice point. */
kernel void solids_take_shares(const struct grid g, const struct lattice_box box,
			       global const float *solid_phi, global const uint *sum,
			       global ushort *volume_open)
{
	int i, j, k;
	if (!lattice_box_point(box, &i, &j, &k) || !shares_near(g, solid_phi, i, j, k, SHARES_TAKE))
		return;
	int at = lattice_index(g, i, j, k);
	volume_open[at] = solids_room((float)sum[at] * (SOLIDS_UNIT / SHARES_UNIT));
}
