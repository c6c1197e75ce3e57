/*
 * Seeding: particles on a jittered sub-grid of every cell, kept where their liquid is.
 *
 * Counted per cell, scanned, then written, so that ids ascend by liquid, cell (x fastest) and
 * sub-cell.  Random numbers are a hash of (seed, liquid, cell, k): the same for any launch.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "seed_params.h"
#include "seed_places.h"
#include "shape.h"

/* Programs of all liquids one after the other, liquid l's from ends[l-1] to ends[l]; and of the
 * united solids. */
struct seed_shapes {
	global const struct shape_op *ops;
	global const float *points;
	global const int *ends;
	global const struct shape_op *solid_ops;
	int solid_op_count;
	global const float *solid_points;
};

enum seed_verdict { SEED_OUTSIDE, SEED_KEPT, SEED_SOLID };

float seed_liquid_distance(const struct seed_shapes *shapes, int liquid, const float x[3])
{
	int start = liquid > 0 ? shapes->ends[liquid - 1] : 0;
	return shape_distance(DIM, shapes->ops + start, shapes->ends[liquid] - start,
			      shapes->points, x[0], x[1], x[2]);
}

/* Can the liquid reach into the cell at all?  Its distance at the centre tells: no corner is
 * further away than 0.87 h. */
int seed_cell_touched(const struct grid g, const struct seed_params p,
		      const struct seed_shapes *shapes, const int cell[3])
{
	const float centre[3] = {((float)cell[0] + 0.5f) * g.h, ((float)cell[1] + 0.5f) * g.h,
				 DIM == 3 ? ((float)cell[2] + 0.5f) * g.h : 0.0f};
	return seed_liquid_distance(shapes, p.liquid, centre) < 0.9f * g.h;
}

int seed_judge(const struct grid g, const struct seed_params p, const struct seed_shapes *shapes,
	       const float x[3])
{
	if (!(seed_liquid_distance(shapes, p.liquid, x) < 0.0f))
		return SEED_OUTSIDE;
	for (int earlier = 0; earlier < p.liquid; ++earlier)
		if (seed_liquid_distance(shapes, earlier, x) < 0.0f)
			return SEED_OUTSIDE;
	float solid = shape_distance(DIM, shapes->solid_ops, shapes->solid_op_count,
				     shapes->solid_points, x[0], x[1], x[2]);
	return solid > SEED_CLEARANCE * g.h ? SEED_KEPT : SEED_SOLID;
}

/* counts[cell] = particles of the liquid there, cell = i + nx (j + ny k); totals[] add up, in
 * integers.  One work-item per cell.  Its loops are checked for those of
 * seed_write_cells(), which take no more turns. */
kernel void seed_count_cells(const struct grid g, const struct seed_params p,
			     global const struct shape_op *ops, global const float *points,
			     global const int *ends, global const struct shape_op *solid_ops,
			     int solid_op_count, global const float *solid_points,
			     global uint *counts, global uint *totals)
{
	const int cell[3] = {(int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2)};
	if (!cell_exists(g, cell[0], cell[1], cell[2]))
		return;
	const struct seed_shapes shapes = {ops,	      points,	      ends,
					   solid_ops, solid_op_count, solid_points};
	uint index = (uint)(cell[0] + g.nx * (cell[1] + g.ny * cell[2]));
	int k = 0,
	    left = DIM == 2 ? p.divisions * p.divisions : p.divisions * p.divisions * p.divisions;
	uint kept = 0, in_solids = 0;
	if (!seed_cell_touched(g, p, &shapes, cell))
		left = 0;
	for (int n = 0; left > 0; ++n, --left) {
		float x[3];
		if (!seed_chosen(p, index, n, p.particles_per_cell - k, left))
			continue;
		seed_position(g, p, cell, index, n, k++, x);
		int verdict = seed_judge(g, p, &shapes, x);
		kept += verdict == SEED_KEPT;
		in_solids += verdict == SEED_SOLID;
	}
	counts[index] = kept;
	if (in_solids)
		atomic_add(totals + SEED_IN_SOLIDS, in_solids);
	if (kept && atomic_add(totals + SEED_KEPT_LOW, kept) + kept < kept)
		atomic_add(totals + SEED_KEPT_HIGH, 1u);
	loops_check(solid_op_count, totals + SEED_LOOPS_CUT);
}

/* Writes them: position, m; velocity v + omega x (x - pivot), m/s; id = index.  starts[] are the
 * scanned counts, `first` the liquid's first id, `stride` the particle capacity.  One work-item per
 * cell; each writes its own range. */
kernel void seed_write_cells(const struct grid g, const struct seed_params p,
			     global const struct shape_op *ops, global const float *points,
			     global const int *ends, global const struct shape_op *solid_ops,
			     int solid_op_count, global const float *solid_points,
			     global const uint *starts, uint first, uint stride,
			     global float *position, global float *velocity, global uint *id)
{
	const int cell[3] = {(int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2)};
	if (!cell_exists(g, cell[0], cell[1], cell[2]))
		return;
	const struct seed_shapes shapes = {ops,	      points,	      ends,
					   solid_ops, solid_op_count, solid_points};
	uint index = (uint)(cell[0] + g.nx * (cell[1] + g.ny * cell[2]));
	int k = 0,
	    left = DIM == 2 ? p.divisions * p.divisions : p.divisions * p.divisions * p.divisions;
	uint at = first + starts[index], end = first + starts[index + 1];
	for (int n = 0; at < end && at < stride; ++n, --left) {
		float x[3];
		if (!seed_chosen(p, index, n, p.particles_per_cell - k, left))
			continue;
		seed_position(g, p, cell, index, n, k++, x);
		if (seed_judge(g, p, &shapes, x) != SEED_KEPT)
			continue;
		for (int axis = 0; axis < DIM; ++axis) {
			int b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1;
			position[(size_t)axis * stride + at] = x[axis];
			velocity[(size_t)axis * stride + at] =
				p.velocity[axis] + (p.angular_velocity[b] * (x[c] - p.pivot[c]) -
						    p.angular_velocity[c] * (x[b] - p.pivot[b]));
		}
		id[at] = at;
		++at;
	}
}
