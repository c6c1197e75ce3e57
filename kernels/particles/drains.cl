/* Drains: particles in a shape are removed, in the order in which they lie in memory. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "shape.h"

/* Is living particle p in the shape? */
int drains_holds(global const struct shape_op *ops, int first_op, int op_count,
		 global const float *points, global const float *position, global const uint *id,
		 int stride, int p)
{
	float x[3] = {0.0f, 0.0f, 0.0f};
	if (id[p] == ID_REMOVED)
		return 0;
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	return shape_distance(DIM, ops + first_op, op_count, points, x[0], x[1], x[2]) < 0.0f;
}

/* counts[from + m] = particles in the shape, of the m-th `run` particles.  One work-item for each
 * run. */
kernel void drains_count(global const struct shape_op *ops, int first_op, int op_count,
			 global const float *points, int parts, global const float *position,
			 global const uint *id, int stride, int n, int run, int from,
			 global uint *counts, global uint *scalars)
{
	const int m = (int)get_global_id(0), first = m * run;
	uint count = 0;
	if (first >= n)
		return;
	for (int p = first; p < n && p < first + run; p++)
		count += (uint)drains_holds(ops, first_op, op_count, points, position, id, stride,
					    p);
	counts[from + m] = count;
	loops_check(parts, scalars + SCALAR_LOOPS_CUT);
}

/*
 * Removes particles in the shape: all of them, or with `limited` the first counts[from + m] of a
 * run, which becomes 0.  Counts them for drain `which`.  One work-item for each run.
 */
kernel void drains_remove(global const struct shape_op *ops, int first_op, int op_count,
			  global const float *points, int parts, global const float *position,
			  global uint *id, int stride, int n, int run, int limited, int from,
			  global uint *counts, int which, global uint *scalars)
{
	const int m = (int)get_global_id(0), start = m * run;
	uint taken = 0, first = 0, second = 0, most = 0xffffffffu;
	if (start >= n)
		return;
	if (limited) {
		most = counts[from + m];
		counts[from + m] = 0;
	}
	for (int p = start; p < n && p < start + run && taken < most; p++)
		if (drains_holds(ops, first_op, op_count, points, position, id, stride, p)) {
			first += ledger_hash(id[p], LEDGER_FIRST);
			second += ledger_hash(id[p], LEDGER_SECOND);
			id[p] = ID_REMOVED;
			taken++;
		}
	if (taken) {
		atomic_add(scalars + SCALAR_DRAINED + which, taken);
		atomic_add(scalars + SCALAR_REMOVED_FIRST, first);
		atomic_add(scalars + SCALAR_REMOVED_SECOND, second);
	}
	loops_check(parts, scalars + SCALAR_LOOPS_CUT);
}
