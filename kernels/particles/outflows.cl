/*
 * Outflows: parts of closed walls that liquid leaves by, or flows in and out by under a pressure.
 * While the pressure is solved for, the faces of the latter are open, with the pressure p0 at the
 * wall: half a cell from the middle of the cell, as at an open wall.  The solver knows 0 there.
 * With q = q' + q0 at the wall alone the equations are those of q', and u* - (+-) q0 / theta in
 * place of u*, theta = 1/2 (docs/method.md, "Outflows").
 */
#pragma OPENCL FP_CONTRACT OFF

#include "collide.h"
#include "common.h"
#include "loop_guard.h"
#include "outflow_params.h"
#include "runge_kutta.h"

/* open_fraction of the listed faces: their part, or 0.  No face is listed twice.  One work-item per
 * face. */
kernel void outflows_open(global const int *face, global const int *part, int n, int is_open,
			  global ushort *open_fraction)
{
	const int i = (int)get_global_id(0);
	if (i < n)
		open_fraction[face[i]] = (ushort)(is_open ? part[i] : 0);
}

/* u_face += push, m/s, on the listed faces whose cell is liquid; pushed[i]: what was added.  Where
 * liquid comes in the pressure is that of liquid at rest outside less what it takes to make it
 * flow, rho u^2 / 2.  inward: 1 or -1, the sign of such u; per_h: dt/h, s/m.  One work-item per
 * face. */
kernel void outflows_push(global const int *face, global const int *cell,
			  global const float *inward, global const float *push, int n, float per_h,
			  global const uchar *cell_type, global float *u_face, global float *pushed)
{
	const int i = (int)get_global_id(0);
	if (i >= n)
		return;
	const float u = u_face[face[i]], in = max_float(inward[i] * u, 0.0f);
	const float add = push[i] - inward[i] * in * in * per_h;
	pushed[i] = cell_type[cell[i]] == CELL_LIQUID ? add : 0.0f;
	u_face[face[i]] = u + pushed[i];
}

/* After the projection: the push belongs to the change of the velocity, not to what it was.  One
 * work-item per face. */
kernel void outflows_include(global const int *face, global const float *pushed, int n,
			     int keep_old, global float *delta, global float *u_old)
{
	const int i = (int)get_global_id(0);
	if (i >= n)
		return;
	delta[face[i]] += pushed[i];
	if (keep_old)
		u_old[face[i]] -= pushed[i];
}

/* report[2 i]: u at a listed face, its bits, 0 where no liquid is; report[2 i + 1]: particles that
 * have left there in the substep.  One work-item per face. */
kernel void outflows_look(global const int *face, global const int *cell, int n,
			  global const uchar *cell_type, global const float *u_face,
			  global const uint *left, global uint *report)
{
	const int i = (int)get_global_id(0);
	if (i >= n)
		return;
	report[2 * i] = cell_type[cell[i]] == CELL_LIQUID ? as_uint(u_face[face[i]]) : 0u;
	report[2 * i + 1] = left[i];
}

/* Where the way from x[] to moved[] meets the part of the wall; 0 if it does not. */
int outflows_crossed(const struct grid g, const struct outflow_params p, const float x[3],
		     const float moved[3], float crossing[3])
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const int cells[3] = {g.nx, g.ny, g.nz};
	const int a = p.wall / 2, side = p.wall & 1 ? 1 : -1;
	if (collide_side(g, moved[a], size[a], cells[a]) != side)
		return 0;
	const float plane = side > 0 ? size[a] : 0.0f, way = moved[a] - x[a];
	const float whole = (plane - x[a]) / way;
	const float share = fabs(way) > 0.0f ? clamp_float(whole, 0.0f, 1.0f) : 0.0f;
	int inside = 1;
	for (int b = 0; b < DIM; b++) {
		crossing[b] = x[b] + share * (moved[b] - x[b]);
		inside &= b == a || (crossing[b] >= p.low[b] && crossing[b] <= p.high[b]);
	}
	return inside;
}

/* Is the particle so near that it might leave? */
int outflows_near(const struct grid g, const struct outflow_params p, const float x[3])
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	int near = 1;
	for (int b = 0; b < DIM; b++) {
		const int across = b == p.wall / 2;
		const float low = across ? (p.wall & 1 ? size[b] : 0.0f) : p.low[b];
		const float high = across ? low : p.high[b];
		near &= x[b] >= low - p.reach && x[b] <= high + p.reach;
	}
	return near;
}

/*
 * Before advection: removes the particles whose way, that of advection, leads through the part of
 * the wall before it meets a solid, and puts them where it ends.  Counts them for the outflow, and
 * by face in left[].  Work-items stride through the particles.
 */
kernel void outflows_take(const struct grid g, const struct outflow_params p,
			  global const float *u_face, int order, float dt, global float *position,
			  global uint *id, int stride, int n, global const struct shape_op *ops,
			  int op_count, global const float *points, global const float *solid_phi,
			  global const uint *solid_slip, int solid_count, global uint *left,
			  global uint *scalars)
{
	const struct collide_solids solids = {ops,	 op_count,   points,
					      solid_phi, solid_slip, solid_count};
	for (int q = (int)get_global_id(0); q < n; q += (int)get_global_size(0)) {
		float x[3] = {0.0f, 0.0f, 0.0f}, moved[3] = {0.0f, 0.0f, 0.0f};
		float crossing[3] = {0.0f, 0.0f, 0.0f}, last[3];
		struct shape_sample sample;
		if (id[q] == ID_REMOVED)
			continue;
		for (int a = 0; a < DIM; a++)
			x[a] = position[a * stride + q];
		if (!outflows_near(g, p, x))
			continue;
		runge_kutta(g, u_face, order, dt, x, moved);
		if (!outflows_crossed(g, p, x, moved, crossing))
			continue;
		if (op_count > 0 && collide_near(g, &solids, x, crossing) &&
		    !collide_trace(g, &solids, x, crossing, last, &sample))
			continue;
		int face = p.base, row = 1;
		for (int a = 0; a < DIM; a++) {
			const int cell = clamp_int(floor_int(crossing[a] * g.inv_h) - p.first[a], 0,
						   p.count[a] - 1);
			face += a == p.wall / 2 ? 0 : row * cell;
			row *= a == p.wall / 2 ? 1 : p.count[a];
			position[a * stride + q] = moved[a];
		}
		if (p.base >= 0)
			atomic_inc(left + face);
		atomic_inc(scalars + SCALAR_FLOWN + p.which);
		atomic_add(scalars + SCALAR_REMOVED_FIRST, ledger_hash(id[q], LEDGER_FIRST));
		atomic_add(scalars + SCALAR_REMOVED_SECOND, ledger_hash(id[q], LEDGER_SECOND));
		id[q] = ID_REMOVED;
	}
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/*
 * Particles that come in: place[4 m ..] is where the m-th belongs, m, in the box, and how thick its
 * layer is.  It goes there from the wall, stops at solids and stays in the box, has the velocity of
 * the grid where it ends, and gets the id first_id + m.  One work-item per particle.
 */
kernel void outflows_emit(const struct grid g, const struct outflow_seed p,
			  global const float *place, int n, uint first, uint first_id,
			  int has_affine, uint salt, global const float *u_face,
			  global const struct shape_op *ops, int op_count,
			  global const float *points, global const float *solid_phi,
			  global const uint *solid_slip, int solid_count, uint stride,
			  global float *position, global float *velocity, global float *affine,
			  global uint *id)
{
	const int m = (int)get_global_id(0);
	if (m >= n)
		return;
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const float margin = 2.0f * COLLIDE_MARGIN * g.h;
	const uint own = first_id + (uint)m;
	const size_t at = first + (size_t)m;
	float from[3] = {0.0f, 0.0f, 0.0f}, to[3] = {0.0f, 0.0f, 0.0f}, v[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++) {
		const int across = a == p.wall / 2;
		const float width = across ? place[4 * m + 3] : p.spacing[a];
		const uint bits = hash_4(p.seed, p.stream, own, (uint)a);
		to[a] = place[4 * m + a] + p.jitter * width * (unit_float(bits) - 0.5f);
		to[a] = clamp_float(to[a], margin, size[a] - margin);
		from[a] = !across ? place[4 * m + a] : p.wall & 1 ? size[a] - p.inside : p.inside;
	}
	sample_velocity(g, u_face, to, v);
	if (op_count > 0)
		collide(g, ops, op_count, points, solid_phi, solid_slip, solid_count, own, salt,
			from, to, v);
	for (int a = 0; a < DIM; a++) {
		position[a * (size_t)stride + at] = to[a];
		velocity[a * (size_t)stride + at] = v[a];
	}
	for (int e = 0; has_affine && e < DIM * DIM; e++)
		affine[e * (size_t)stride + at] = 0.0f;
	id[at] = own;
}
