/*
 * Emitters: shapes whose cells are filled with particles where there is no liquid.  Counted per
 * cell of the box around a shape, scanned, then written, so that ids ascend by cell.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "seed_params.h"
#include "seed_places.h"
#include "shape.h"

/* Index, in the box, of the cell of a position; -1 outside. */
int emitters_cell(const struct grid g, const struct lattice_box box, const float x[3])
{
	const int i = clamp_int(floor_int(x[0] * g.inv_h), 0, g.nx - 1) - box.i;
	const int j = clamp_int(floor_int(x[1] * g.inv_h), 0, g.ny - 1) - box.j;
	const int k = DIM == 3 ? clamp_int(floor_int(x[2] * g.inv_h), 0, g.nz - 1) - box.k : 0;
	const int inside =
		(i >= 0) & (i < box.nx) & (j >= 0) & (j < box.ny) & (k >= 0) & (k < box.nz);
	return inside ? i + box.nx * (j + box.ny * k) : -1;
}

/* counts[cell of the box] += particles there.  Work-items stride through the particles. */
kernel void emitters_count(const struct grid g, const struct lattice_box box,
			   global const float *position, global const uint *id, int stride, int n,
			   global uint *counts)
{
	for (int p = (int)get_global_id(0); p < n; p += (int)get_global_size(0)) {
		float x[3] = {0.0f, 0.0f, 0.0f};
		if (id[p] == ID_REMOVED)
			continue;
		for (int a = 0; a < DIM; a++)
			x[a] = position[a * stride + p];
		const int cell = emitters_cell(g, box, x);
		if (cell >= 0)
			atomic_inc(counts + cell);
	}
}

/* Is a seed in the emitter's shape, and clear of solids? */
int emitters_keeps(const struct grid g, global const struct shape_op *ops, int first_op,
		   int op_count, global const float *points,
		   global const struct shape_op *solid_ops, int solid_op_count,
		   global const float *solid_points, const float x[3])
{
	return shape_distance(DIM, ops + first_op, op_count, points, x[0], x[1], x[2]) < 0.0f &&
	       shape_distance(DIM, solid_ops, solid_op_count, solid_points, x[0], x[1], x[2]) >
		       SEED_CLEARANCE * g.h;
}

/* counts[cell of the box], particles that are there, becomes how many it gets: all that the shape
 * holds of a full cell, where there are less than half of one's and phi > 0.  One work-item per
 * cell. */
kernel void emitters_plan(const struct grid g, const struct seed_params p,
			  const struct lattice_box box, global const struct shape_op *ops,
			  int first_op, int op_count, global const float *points, int parts,
			  global const struct shape_op *solid_ops, int solid_op_count,
			  global const float *solid_points, global const float *phi,
			  global uint *counts, global uint *scalars)
{
	const int m = (int)get_global_id(0);
	if (m >= box.nx * box.ny * box.nz)
		return;
	const int cell[3] = {box.i + modulo(m, box.nx), box.j + modulo(m / box.nx, box.ny),
			     box.k + m / (box.nx * box.ny)};
	const int at = lattice_index(g, cell[0], cell[1], cell[2]);
	const uint index = (uint)(cell[0] + g.nx * (cell[1] + g.ny * cell[2]));
	const int wants = 2 * counts[m] < (uint)p.particles_per_cell && phi[at] > 0.0f;
	int left = DIM == 2 ? p.divisions * p.divisions : p.divisions * p.divisions * p.divisions;
	int k = 0;
	uint kept = 0;
	for (int n = 0; wants && left > 0; ++n, --left) {
		float x[3];
		if (!seed_chosen(p, index, n, p.particles_per_cell - k, left))
			continue;
		seed_position(g, p, cell, index, n, k++, x);
		kept += (uint)emitters_keeps(g, ops, first_op, op_count, points, solid_ops,
					     solid_op_count, solid_points, x);
	}
	counts[m] = kept;
	loops_check(parts + solid_op_count, scalars + SCALAR_LOOPS_CUT);
}

/* Writes them: position, m; the emitter's velocity, m/s; id first_id + place among them.  starts[]
 * are the scanned counts, `first` the first's index.  One work-item per cell. */
kernel void emitters_write(const struct grid g, const struct seed_params p,
			   const struct lattice_box box, global const struct shape_op *ops,
			   int first_op, int op_count, global const float *points,
			   global const struct shape_op *solid_ops, int solid_op_count,
			   global const float *solid_points, global const uint *starts, uint first,
			   uint first_id, int has_affine, uint stride, global float *position,
			   global float *velocity, global float *affine, global uint *id)
{
	const int m = (int)get_global_id(0);
	if (m >= box.nx * box.ny * box.nz)
		return;
	const int cell[3] = {box.i + modulo(m, box.nx), box.j + modulo(m / box.nx, box.ny),
			     box.k + m / (box.nx * box.ny)};
	const uint index = (uint)(cell[0] + g.nx * (cell[1] + g.ny * cell[2]));
	int left = DIM == 2 ? p.divisions * p.divisions : p.divisions * p.divisions * p.divisions;
	int k = 0;
	uint next = starts[m];
	for (int n = 0; next < starts[m + 1] && left > 0; ++n, --left) {
		float x[3];
		if (!seed_chosen(p, index, n, p.particles_per_cell - k, left))
			continue;
		seed_position(g, p, cell, index, n, k++, x);
		if (!emitters_keeps(g, ops, first_op, op_count, points, solid_ops, solid_op_count,
				    solid_points, x))
			continue;
		const size_t at = first + (size_t)next;
		for (int a = 0; a < DIM; a++) {
			position[a * (size_t)stride + at] = x[a];
			velocity[a * (size_t)stride + at] = p.velocity[a];
		}
		for (int e = 0; has_affine && e < DIM * DIM; e++)
			affine[e * (size_t)stride + at] = 0.0f;
		id[at] = first_id + next;
		++next;
	}
}
