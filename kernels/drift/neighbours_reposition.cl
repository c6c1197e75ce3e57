/* Particles in solids, which have no way out of their own: to cells inside the liquid. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide.h"
#include "common.h"
#include "loop_guard.h"
#include "neighbours_search.h"

/* stuck[p] = 1 where particle p is in a solid or in a cell without an open face, otherwise 0;
 * stuck[stride]: how many.  One work-item per particle. */
kernel void neighbours_stuck(const struct grid g, global const float *position,
			     global const uint *id, int stride, int n,
			     global const uchar *cell_type, global const struct shape_op *ops,
			     int op_count, global const float *points,
			     global const float *solid_phi, global uint *stuck,
			     global uint *scalars)
{
	const struct collide_solids solids = {ops, op_count, points, solid_phi, 0, 0};
	const int cells[3] = {g.nx, g.ny, g.nz};
	const int p = (int)get_global_id(0);
	if (p >= n)
		return;
	float x[3] = {0.0f, 0.0f, 0.0f};
	int cell[3] = {0, 0, 0}, is = 0;
	if (id[p] != ID_REMOVED) {
		for (int a = 0; a < DIM; a++) {
			x[a] = position[a * stride + p];
			cell[a] = clamp_int(floor_int(x[a] * g.inv_h), 0, cells[a] - 1);
		}
		is = cell_type[lattice_index(g, cell[0], cell[1], cell[2])] == CELL_SOLID ||
		     (op_count > 0 && !collide_is_far(g, solid_phi, x, 0.0f) &&
		      collide_evaluate(&solids, x).distance < 0.0f);
	}
	stuck[p] = (uint)is;
	if (is)
		atomic_inc(stuck + stride);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* Particle which[n] to the cell of lattice point to[n], n < count, a quarter of a cell from its
 * middle at most.  One work-item for each. */
kernel void neighbours_reposition(const struct grid g, global const uint *which,
				  global const int *to, int count, uint salt, global const uint *id,
				  int stride, global float *position)
{
	const int n = (int)get_global_id(0);
	if (n >= count)
		return;
	const int p = (int)which[n], row = to[n] / g.px;
	const int cell[3] = {modulo(to[n], g.px), modulo(row, g.py), row / g.py};
	for (int a = 0; a < DIM; a++) {
		const float off = unit_float(hash_4(id[p], salt, (uint)a, 0x73747563u));
		position[a * stride + p] = ((float)cell[a] + 0.25f + 0.5f * off) * g.h;
	}
}
