/* The liquid of a grid at the start, from shapes. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "shape.h"
#include "vof_cell.h"

/* A cell is cut into so many parts along an axis, in each of which the surface is taken for a plane
 * across it. */
#define VOF_PARTS (DIM == 3 ? 6 : 16)
/* No corner of a cell is further from its centre, in cells; and faces this near to liquid have its
 * velocity. */
#define VOF_CORNER 0.9f
#define VOF_NEAR 4.0f

/* Words of a liquid's motion: velocity, turning, the point that it turns about. */
#define VOF_MOTION 9

/* Programs of all liquids one after the other, liquid l's up to ends[l]. */
struct vof_shapes {
	global const struct shape_op *ops;
	global const float *points;
	global const int *ends;
	int count;
};

/* Distance to the nearest liquid, and which that is; of equals the first. */
float vof_liquid_at(const struct vof_shapes *shapes, const float x[3], int *which)
{
	float least = 1e30f;
	*which = 0;
	for (int l = 0; l < shapes->count; ++l) {
		const int start = l > 0 ? shapes->ends[l - 1] : 0;
		const float d = shape_distance(DIM, shapes->ops + start, shapes->ends[l] - start,
					       shapes->points, x[0], x[1], x[2]);
		if (d < least) {
			least = d;
			*which = l;
		}
	}
	return least;
}

/* Units of a cell that lie in a liquid. */
int vof_filled(const struct grid g, const struct vof_shapes *shapes, int i, int j, int k)
{
	const float centre[3] = {((float)i + 0.5f) * g.h, ((float)j + 0.5f) * g.h,
				 DIM == 3 ? ((float)k + 0.5f) * g.h : 0.0f};
	const float width = g.h / VOF_PARTS, middle = 0.5f * (VOF_PARTS - 1);
	const int parts = DIM == 3 ? VOF_PARTS * VOF_PARTS * VOF_PARTS : VOF_PARTS * VOF_PARTS;
	int which;
	const float whole = vof_liquid_at(shapes, centre, &which);
	if (fabs(whole) > VOF_CORNER * g.h)
		return whole < 0.0f ? VOLUME_ONE : 0;
	float sum = 0.0f;
	for (int n = 0; n < parts; ++n) {
		const int m = n / VOF_PARTS;
		const int place[3] = {modulo(n, VOF_PARTS), modulo(m, VOF_PARTS), m / VOF_PARTS};
		float x[3] = {centre[0], centre[1], centre[2]};
		for (int a = 0; a < DIM; ++a)
			x[a] += ((float)place[a] - middle) * width;
		const float d = vof_liquid_at(shapes, x, &which) / width;
		sum += clamp_float(0.5f - d, 0.0f, 1.0f);
	}
	return convert_int_rte(sum / (float)parts * VOLUME_ONE);
}

/* Component c of the velocity of the liquid near a face at x[]; 0 where none is. */
float vof_seed_velocity(const struct grid g, const struct vof_shapes *shapes,
			global const float *motion, int c, const float x[3], uint *near)
{
	int which;
	const int b = modulo(c + 1, 3), d = modulo(c + 2, 3);
	*near = vof_liquid_at(shapes, x, &which) < VOF_NEAR * g.h ? 1u : 0u;
	if (!*near)
		return 0.0f;
	motion += VOF_MOTION * which;
	return motion[c] +
	       (motion[3 + b] * (x[d] - motion[6 + d]) - motion[3 + d] * (x[b] - motion[6 + b]));
}

/* C, velocity and mask at the start; closed faces are at rest.  *cut: loop_guard.h.  One work-item
 * per lattice point. */
kernel void vof_seed(const struct grid g, global const struct shape_op *ops,
		     global const float *points, global const int *ends, int count,
		     global const float *motion, global const ushort *open_fraction,
		     global uint *volume, global float *u_face, global uchar *valid,
		     global uint *scalars)
{
	const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	const struct vof_shapes shapes = {ops, points, ends, count};
	const int at = lattice_index(g, i, j, k);
	uint bits = 0;
	volume[at] = cell_exists(g, i, j, k) ? (uint)vof_filled(g, &shapes, i, j, k) : 0u;
	for (int c = 0; c < DIM; ++c) {
		if (!face_exists(g, c, i, j, k))
			continue;
		const float x[3] = {((float)i + (c == 0 ? 0.0f : 0.5f)) * g.h,
				    ((float)j + (c == 1 ? 0.0f : 0.5f)) * g.h,
				    DIM == 3 ? ((float)k + (c == 2 ? 0.0f : 0.5f)) * g.h : 0.0f};
		uint near;
		const float u = vof_seed_velocity(g, &shapes, motion, c, x, &near);
		u_face[c * g.lattice + at] = open_fraction[c * g.lattice + at] ? u : 0.0f;
		bits |= near << c;
	}
	valid[at] = (uchar)bits;
	loops_check(count, scalars + SCALAR_LOOPS_CUT);
}
