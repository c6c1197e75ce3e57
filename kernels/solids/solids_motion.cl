/*
 * Solids that move: what parts of faces that they cover push through them, and the velocity of
 * closed faces.
 *
 * A cell's liquid gives way to a solid by the solid's flux through the parts of the cell's faces
 * that it covers: as its velocity has no divergence, that is the flux through its surface within
 * the cell (Batty, Bertails & Bridson 2007).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "face_normal.h"
#include "mover.h"
#include "solids_covered.h"
#include "solids_shape.h"

/* The fields of one set become those of another in a box.  One work-item per lattice point of the
 * box. */
kernel void solids_copy_box(const struct grid g, const struct lattice_box box,
			    global const ushort *from_fraction, global const ushort *from_kernel,
			    global const ushort *from_volume, global const float *from_phi,
			    global ushort *open_fraction, global ushort *kernel_open,
			    global ushort *volume_open, global float *solid_phi)
{
	int i, j, k;
	if (!lattice_box_point(box, &i, &j, &k))
		return;
	const int at = lattice_index(g, i, j, k);
	for (int c = 0; c < DIM; c++)
		open_fraction[c * g.lattice + at] = from_fraction[c * g.lattice + at];
	kernel_open[at] = from_kernel[at];
	volume_open[at] = from_volume[at];
	solid_phi[at] = from_phi[at];
}

/* At the start of the substep. */
void solids_velocity(global const float *mover, const float x[3], float velocity[3])
{
	const float center[3] = {mover[MOVER_FROM], mover[MOVER_FROM + 1], mover[MOVER_FROM + 2]};
	mover_velocity(mover, center, x, velocity);
}

/*
 * flow of faces inside the box that movers cover, or a part of them: that part times the velocity
 * of the nearest solid along the face's axis, m/s; of other faces it stays.  What movers cover is
 * what is less open than by what rests alone.  The movers are the last of the solids, from
 * rest_count on.  One work-item per lattice point of the box.
 */
kernel void solids_push_faces(const struct grid g, const struct lattice_box box,
			      global const struct shape_op *ops, int op_count,
			      global const float *points, global const uint *solid_slip,
			      int solid_count, int rest_count, global const float *mover,
			      global const ushort *rest_fraction,
			      global const ushort *open_fraction, global float *flow)
{
	int i, j, k;
	if (!lattice_box_point(box, &i, &j, &k))
		return;
	const struct solids_shape shape = {ops, op_count, points, 0};
	for (int c = 0; c < DIM; ++c) {
		const int slot = c * g.lattice + lattice_index(g, i, j, k);
		const int covered = (int)rest_fraction[slot] - (int)open_fraction[slot];
		if (covered <= 0)
			continue;
		float x[3], velocity[3];
		solids_covered_middle(g, &shape, c, i, j, k, x);
		const int solid = solids_nearest(&shape, solid_slip, solid_count, x);
		if (solid < rest_count)
			continue;
		solids_velocity(mover + (solid - rest_count) * MOVER_WORDS, x, velocity);
		flow[slot] = (float)covered * (1.0f / FRACTION_ONE) * velocity[c];
	}
}

/*
 * At closed faces inside the box the velocity, which extrapolate_constrain() has made that of a
 * solid at rest, gets the normal part of that of mover `own`, where that is the nearest solid: of
 * u and of delta alike.  own -1: of all movers.  One work-item per lattice point.
 */
kernel void solids_drag_faces(global const int *bricks, const struct brick_run run,
			      const struct grid g, const struct lattice_box box,
			      global const struct shape_op *ops, int op_count,
			      global const float *points, global const uint *solid_slip,
			      int solid_count, int rest_count, int own, global const float *mover,
			      global const uchar *valid, global const ushort *open_fraction,
			      global const uchar *opened, global const float *solid_phi,
			      global float *u_face, global float *delta)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i < box.i || j < box.j || k < box.k || i >= box.i + box.nx || j >= box.j + box.ny ||
	    k >= box.k + box.nz)
		return;
	const struct solids_shape shape = {ops, op_count, points, 0};
	const int at = lattice_index(g, i, j, k);
	for (int a = 0; a < DIM; ++a) {
		const int slot = a * g.lattice + at;
		if (!face_exists(g, a, i, j, k) || open_fraction[slot] != 0 ||
		    opened[at] >> a & 1 || valid[at] >> (3 + a) & 1)
			continue;
		float x[3] = {(float)i * g.h, (float)j * g.h, (float)k * g.h}, velocity[3];
		float n[3], normal = 0.0f;
		for (int c = 0; c < DIM; ++c)
			x[c] += c == a ? 0.0f : 0.5f * g.h;
		const int solid = solids_nearest(&shape, solid_slip, solid_count, x);
		if (own < 0 ? solid < rest_count : solid - rest_count != own)
			continue;
		solids_velocity(mover + (solid - rest_count) * MOVER_WORDS, x, velocity);
		const float length = face_normal(g, solid_phi, a, i, j, k, n);
		float along = velocity[a];
		if (length > 0.1f * g.h) {
			for (int c = 0; c < DIM; ++c)
				normal += n[c] / length * velocity[c];
			along = n[a] / length * normal;
		}
		u_face[slot] += along;
		delta[slot] += along;
	}
}
