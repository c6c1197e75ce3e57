/* Particles pushed apart pair by pair (Mueller, How to write a FLIP water simulator), in the form
 * of Jacobi; and collisions of the same pairs. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide.h"
#include "common.h"
#include "loop_guard.h"
#include "neighbours_search.h"

/* Of a pair with n and m contacts: a particle's shares of all its pairs add up to 1 at most. */
float push_share(uint n, uint m)
{
	return 1.0f / (float)(n > m ? n : m);
}

/* move[p] = sum over pairs nearer than `distance` of 1/2 share (distance - d) n, n from the other
 * to p: two alone end at that distance. */
kernel void neighbours_push(const struct grid g, global const float *position,
			    global const uint *id, int stride, global const uint *start,
			    global const uint *order, float distance, int rings,
			    global const struct shape_op *ops, int op_count,
			    global const float *points, global const float *solid_phi,
			    global const uint *contacts, global int *move, global uint *scalars)
{
	const struct collide_solids solids = {ops, op_count, points, solid_phi, 0, 0};
	const struct neighbours_index index = {position, id, stride, start, order};
	const uint place = (uint)get_global_id(0);
	if (place >= start[g.keys])
		return;
	const int p = (int)order[place];
	float x[3], y[3], way[3], normal[3];
	int sum[3] = {0, 0, 0};
	neighbours_point(&index, p, x);
	struct neighbours_search s = neighbours_around(g, x, contacts[p] > 0 ? rings : 0);
	for (int q = neighbours_next(g, &index, &s); q >= 0; q = neighbours_next(g, &index, &s)) {
		neighbours_point(&index, q, y);
		const float square = neighbours_way(x, y, way);
		if (q == p || !(square < distance * distance) ||
		    !neighbours_see(g, &solids, id[p], x, id[q], y, distance))
			continue;
		neighbours_normal(id[p], id[q], square, way, neighbours_least(g), normal);
		neighbours_add(
			g, 0.5f * push_share(contacts[p], contacts[q]) * (distance - sqrt(square)),
			normal, sum);
	}
	for (int a = 0; a < DIM; a++)
		move[a * stride + p] = sum[a];
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* velocity_out[p] = v - sum over pairs that come nearer of 1/2 share ((v - v_q).n) n: without
 * rebound.  The sum of velocities stays, and their squares do not grow. */
kernel void neighbours_collide(const struct grid g, global const float *position,
			       global const float *velocity, global const uint *id, int stride,
			       global const uint *start, global const uint *order, float distance,
			       int rings, global const struct shape_op *ops, int op_count,
			       global const float *points, global const float *solid_phi,
			       global const uint *contacts, global float *velocity_out,
			       global uint *scalars)
{
	const struct collide_solids solids = {ops, op_count, points, solid_phi, 0, 0};
	const struct neighbours_index index = {position, id, stride, start, order};
	const uint place = (uint)get_global_id(0);
	if (place >= start[g.keys])
		return;
	const int p = (int)order[place];
	float x[3], y[3], way[3], normal[3], change[3] = {0.0f, 0.0f, 0.0f};
	neighbours_point(&index, p, x);
	struct neighbours_search s = neighbours_around(g, x, contacts[p] > 0 ? rings : 0);
	for (int q = neighbours_next(g, &index, &s); q >= 0; q = neighbours_next(g, &index, &s)) {
		neighbours_point(&index, q, y);
		const float square = neighbours_way(x, y, way);
		if (q == p || !(square < distance * distance) ||
		    !neighbours_see(g, &solids, id[p], x, id[q], y, distance))
			continue;
		float away = 0.0f;
		neighbours_normal(id[p], id[q], square, way, neighbours_least(g), normal);
		for (int a = 0; a < DIM; a++)
			away += (velocity[a * stride + p] - velocity[a * stride + q]) * normal[a];
		if (!(away < 0.0f))
			continue;
		const float part = 0.5f * push_share(contacts[p], contacts[q]) * away;
		for (int a = 0; a < DIM; a++)
			change[a] -= part * normal[a];
	}
	for (int a = 0; a < DIM; a++)
		velocity_out[a * stride + p] = velocity[a * stride + p] + change[a];
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
