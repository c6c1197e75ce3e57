/*
 * Friction at walls: what a turbulent boundary layer that the grid does not resolve takes from the
 * velocity of faces beside walls and solids.
 *
 * Werner & Wengle (1993): the law of the wall u+ = 8.3 (y+)^(1/7), below y+ = 11.8 u+ = y+, of the
 * velocity along the wall at the face's centre.  Rough walls: u+ = ln(30 y / k_s) / kappa
 * (Nikuradse 1933).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "friction_face.h"
#include "friction_params.h"
#include "kick.h"
#include "loop_guard.h"
#include "pairs.h"

/* What kernels have of the scene. */
#define FRICTION_SCENE                                                                    \
	{                                                                                 \
		{ops, points, solid_slip}, kinds, table, mover, cell_type, open_fraction, \
			volume_open, solid_phi, flow, u_face, has_flow                    \
	}

/*
 * friction = what is added to u_face in the substep, f32 [D][L], m/s, at listed points that a wall
 * may be near to; it has no meaning elsewhere.  Work-items of bricks_columns().
 */
kernel void friction_make(global const int *bricks, const struct brick_run run, const struct grid g,
			  const struct friction_params f, global const struct shape_op *ops,
			  global const float *points, global const uint *solid_slip,
			  global const int *kinds, global const float *table,
			  global const float *mover, global const uchar *cell_type,
			  global const ushort *open_fraction, global const ushort *volume_open,
			  global const float *solid_phi, global const float *flow, int has_flow,
			  global const float *u_face, global float *friction, int parts,
			  global uint *scalars)
{
	const int place = bricks_place(run, 1);
	const struct friction_scene scene = FRICTION_SCENE;
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if (p.j >= g.py || p.k >= g.pz || !friction_row_is_near(g, f, p))
			continue;
		BRICK_FOR_X(x)
		{
			const int here[3] = {p.i + (int)x, p.j, p.k};
			if (here[0] >= g.px ||
			    !friction_is_near(g, f, solid_phi, here[0], p.j, p.k))
				continue;
			const int at = lattice_index(g, here[0], p.j, p.k);
			for (int c = 0; c < DIM; c++) {
				const int exists = face_exists(g, c, here[0], p.j, p.k);
				friction[c * g.lattice + at] =
					exists ? friction_of_face(g, f, &scene, here, c).added
					       : 0.0f;
			}
		}
	}
	loops_check(parts, scalars + SCALAR_LOOPS_CUT);
}

/* field += sign * friction on faces, of listed points.  Work-items of bricks_columns(). */
kernel void friction_add(global const int *bricks, const struct brick_run run, const struct grid g,
			 const struct friction_params f, global const float *solid_phi, float sign,
			 global const float *friction, global float *field)
{
	const int place = bricks_place(run, 1);
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if (p.j >= g.py || p.k >= g.pz || !friction_row_is_near(g, f, p))
			continue;
		BRICK_FOR_X(x)
		{
			const int i = p.i + (int)x;
			if (i >= g.px || !friction_is_near(g, f, solid_phi, i, p.j, p.k))
				continue;
			const int at = lattice_index(g, i, p.j, p.k);
			for (int c = 0; c < DIM; c++)
				field[c * g.lattice + at] += sign * friction[c * g.lattice + at];
		}
	}
}

/* sum[]: what the face of component c at here[] adds. */
void friction_sum_face(const struct grid g, const struct friction_params f,
		       const struct friction_scene *s, const struct friction_part part,
		       const int here[3], int at, int c, float added, float sum[FRICTION_SUMS])
{
	struct friction_face face = {0.0f, 0.0f, 1.0f, -1, {0.0f, 0.0f, 0.0f}, 0.0f};
	for (int n = 0; n < FRICTION_SUMS; n++)
		sum[n] = 0.0f;
	if (part.solid < 0)
		face.mass = friction_mass(g, s, here, at, c);
	else
		face = friction_of_face(g, f, s, here, c);
	if (face.solid != part.solid)
		return;
	const float impulse = shape_flush(face.mass * added * face.share);
	sum[FRICTION_WORK] = impulse * shape_flush(s->u_face[c * g.lattice + at] + 0.5f * added);
	sum[FRICTION_IMPULSE + c] = impulse;
	if (part.solid < 0)
		return;
	const float away[3] = {shape_flush(face.at[0] - part.center[0]),
			       shape_flush(face.at[1] - part.center[1]),
			       shape_flush(face.at[2] - part.center[2])};
	const int b = c == 2 ? 0 : c + 1, d = c == 0 ? 2 : c - 1;
	/* away x impulse, the impulse along c. */
	sum[FRICTION_MOMENT + b] = FORCES_OF(away, 2, 0, 1) * impulse;
	sum[FRICTION_MOMENT + d] = -(FORCES_OF(away, 1, 2, 0) * impulse);
	sum[FRICTION_SOLID_WORK] = -(impulse * shape_flush(face.wall_velocity));
}

/*
 * partial[sums + n*chunks + chunk] = chunk sums of number n of FRICTION_SUMS over the lattice, of
 * listed chunks, before friction is added to u_face.  lane: PAIRS_FINAL_LANES pairs for each.
 */
kernel void friction_sum(global const int *bricks, const struct brick_run run, const struct grid g,
			 const struct friction_params f, const struct friction_part part,
			 global const struct shape_op *ops, global const float *points,
			 global const uint *solid_slip, global const int *kinds,
			 global const float *table, global const float *mover,
			 global const uchar *cell_type, global const ushort *open_fraction,
			 global const ushort *volume_open, global const float *solid_phi,
			 global const float *flow, int has_flow, global const float *u_face,
			 global const float *friction, int chunks, int sums, int parts,
			 global uint *scalars, global struct pair *partial, local struct pair *lane)
{
	const int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	const struct friction_scene scene = FRICTION_SCENE;
	for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
	     w += (int)get_local_size(0)) {
		const int chunk = bricks_chunk(bricks, run, first + w / PAIRS_LANES);
		const int from =
			chunk < 0 ? g.lattice : chunk * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
		float high[FRICTION_SUMS], low[FRICTION_SUMS], sum[FRICTION_SUMS];
		for (int n = 0; n < FRICTION_SUMS; n++)
			high[n] = low[n] = 0.0f;
		int here[3] = {modulo(from, g.px), modulo(from / g.px, g.py), from / g.px / g.py};
		for (int at = from; at < g.lattice && at < from + PAIRS_CHUNK;
		     at += PAIRS_LANES, lattice_advance(g, here, PAIRS_LANES)) {
			if (here[0] < part.box.i || here[1] < part.box.j || here[2] < part.box.k ||
			    here[0] > part.box.i + part.box.nx ||
			    here[1] > part.box.j + part.box.ny ||
			    here[2] > part.box.k + part.box.nz ||
			    !friction_is_near(g, f, solid_phi, here[0], here[1], here[2]))
				continue;
			for (int c = 0; c < DIM; c++) {
				const float added = friction[c * g.lattice + at];
				if (!(fabs(added) > 0.0f))
					continue;
				friction_sum_face(g, f, &scene, part, here, at, c, added, sum);
				for (int n = 0; n < FRICTION_SUMS; n++)
					pairs_accumulate(&high[n], &low[n], sum[n], 1.0f);
			}
		}
		for (int n = 0; n < FRICTION_SUMS; n++)
			lane[n * PAIRS_FINAL_LANES + w] = pair_of(high[n], low[n]);
	}
	for (int n = 0; n < FRICTION_SUMS; n++)
		pairs_store_listed(lane + n * PAIRS_FINAL_LANES, PAIRS_GROUP_CHUNKS, first, bricks,
				   run, partial + sums + n * chunks);
	loops_check(parts, scalars + SCALAR_LOOPS_CUT);
}
