/* Particles and those near them: who is, and moves that were summed up. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide_count.h"
#include "common.h"
#include "drift_reference.h"
#include "loop_guard.h"
#include "neighbours_search.h"

/* contacts[p]: particles nearer to p than `distance`.  One work-item per particle, in the order of
 * the index, as in all kernels over neighbours. */
kernel void neighbours_contacts(const struct grid g, global const float *position,
				global const uint *id, int stride, global const uint *start,
				global const uint *order, float distance, int rings,
				global const struct shape_op *ops, int op_count,
				global const float *points, global const float *solid_phi,
				global uint *contacts, global uint *scalars)
{
	const struct collide_solids solids = {ops, op_count, points, solid_phi, 0, 0};
	const struct neighbours_index index = {position, id, stride, start, order};
	const uint place = (uint)get_global_id(0);
	if (place >= start[g.keys])
		return;
	const int p = (int)order[place];
	float x[3], y[3], way[3];
	uint count = 0;
	neighbours_point(&index, p, x);
	struct neighbours_search s = neighbours_around(g, x, rings);
	for (int q = neighbours_next(g, &index, &s); q >= 0; q = neighbours_next(g, &index, &s)) {
		neighbours_point(&index, q, y);
		if (q != p && neighbours_way(x, y, way) < distance * distance &&
		    neighbours_see(g, &solids, id[p], x, id[q], y, distance))
			count++;
	}
	contacts[p] = count;
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* The move of particle p in metres, no longer than `limit`. */
void neighbours_move_of(const struct grid g, global const int *move, int stride, int p, float limit,
			float d[3])
{
	float square = 0.0f;
	for (int a = 0; a < DIM; a++) {
		d[a] = (float)move[a * stride + p] * (g.h * (1.0f / NEIGHBOURS_UNITS));
		square += d[a] * d[a];
	}
	const float share = drift_share(square, limit);
	for (int a = 0; a < DIM; a++)
		d[a] *= share;
}

/* x += move, as far as solids and walls let it.  One work-item per particle. */
kernel void neighbours_move(const struct grid g, global const int *move, float limit, uint salt,
			    global float *position, global float *velocity, global uint *id,
			    int stride, int n, global const struct shape_op *ops, int op_count,
			    global const float *points, global const float *solid_phi,
			    global const uint *solid_slip, int solid_count, global uint *scalars)
{
	const struct collide_solids solids = {ops,	 op_count,   points,
					      solid_phi, solid_slip, solid_count};
	const int p = (int)get_global_id(0);
	if (p >= n || id[p] == ID_REMOVED)
		return;
	float x[3] = {0.0f, 0.0f, 0.0f}, moved[3] = {0.0f, 0.0f, 0.0f}, d[3];
	neighbours_move_of(g, move, stride, p, limit, d);
	for (int a = 0; a < DIM; a++) {
		x[a] = position[a * stride + p];
		moved[a] = x[a] + d[a];
	}
	collide_move(g, &solids, salt, x, moved, position, velocity, 1, id, stride, p, scalars);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
