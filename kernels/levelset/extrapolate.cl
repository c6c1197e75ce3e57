/* Carrying face velocities from faces that hold a value into those that do not. */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"

/*
 * One layer: a face without a value takes the mean of its neighbours (along the axes) that have
 * one; faces marked fixed (bit 3 + c: walls of the box) keep theirs and lend it to nobody, so that
 * no wall drags the liquid beside it.  Values and masks of the layer before are read only where
 * valid and written only where not, and the new mask goes to a second array, so the result does not
 * depend on order. `second` (with has_second) is extrapolated along with the same mask.  Outside
 * the list nothing has a value.  One work-item per lattice point.
 */
kernel void extrapolate_layer(global const int *bricks, const struct brick_run run,
			      const struct brick_layout layout, global const uint *state,
			      const struct grid g, global float *field, global float *second,
			      int has_second, global const uchar *valid, global uchar *valid_next)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	int here[3] = {i, j, k}, count[3] = {g.px, g.py, g.pz};
	uchar bits = valid[at];
	/* Most points have nothing to do: all set, or nothing around to take from. */
	uint around = 0, beside[DIM][2];
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			const int to = here[a] + 2 * side - 1;
			beside[a][side] =
				to >= 0 && to < count[a] &&
						bricks_listed_beside(state, layout, p, a, side)
					? valid[at + (2 * side - 1) * lattice_stride(g, a)]
					: 0;
			around |= beside[a][side];
		}
	uint wanted = around & ~(uint)(bits | bits >> 3) & 7u;
	for (int c = 0; c < DIM && wanted; c++) {
		if (!(wanted >> c & 1) || !face_exists(g, c, i, j, k))
			continue;
		float sum = 0.0f, sum_second = 0.0f;
		int n = 0;
		for (int a = 0; a < DIM; a++)
			for (int side = 0; side < 2; side++) {
				int neighbour = at + (2 * side - 1) * lattice_stride(g, a);
				if (!(beside[a][side] >> c & 1))
					continue;
				sum += field[c * g.lattice + neighbour];
				if (has_second)
					sum_second += second[c * g.lattice + neighbour];
				n++;
			}
		if (n) {
			field[c * g.lattice + at] = sum / (float)n;
			if (has_second)
				second[c * g.lattice + at] = sum_second / (float)n;
			bits |= (uchar)(1 << c);
		}
	}
	valid_next[at] = bits;
}

/* valid = valid_next.  One work-item per lattice point. */
kernel void extrapolate_keep(global const int *bricks, const struct brick_run run,
			     const struct grid g, global const uchar *valid_next,
			     global uchar *valid)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	int at = lattice_index(g, p.i, p.j, p.k);
	valid[at] = valid_next[at];
}

/* Mean of component c over the faces around the face of component a at (i,j,k); c == a: itself. */
float extrapolate_component(const struct grid g, global const float *field,
			    global const uchar *valid, int a, int c, int i, int j, int k)
{
	if (c == a)
		return field[c * g.lattice + lattice_index(g, i, j, k)];
	float sum = 0.0f;
	int n = 0;
	/* The four faces of component c that touch this one: -1/0 along a, 0/+1 along c. */
	for (int low = -1; low <= 0; low++)
		for (int high = 0; high <= 1; high++) {
			int ni = i + (a == 0 ? low : 0) + (c == 0 ? high : 0);
			int nj = j + (a == 1 ? low : 0) + (c == 1 ? high : 0);
			int nk = k + (a == 2 ? low : 0) + (c == 2 ? high : 0);
			if (!face_exists(g, c, ni, nj, nk))
				continue;
			int at = lattice_index(g, ni, nj, nk);
			if (!(valid[at] >> c & 1))
				continue;
			sum += field[c * g.lattice + at];
			n++;
		}
	return n ? sum / (float)n : 0.0f;
}

/* Is the face of component a at (i,j,k) closed by a solid inside the box? */
int extrapolate_closed(const struct grid g, global const uchar *valid,
		       global const ushort *open_fraction, global const uchar *opened, int a, int i,
		       int j, int k)
{
	int at = lattice_index(g, i, j, k);
	return face_exists(g, a, i, j, k) && open_fraction[a * g.lattice + at] == 0 &&
	       !(opened[at] >> a & 1) && !(valid[at] >> (3 + a) & 1);
}

/*
 * Free slip at closed faces inside the box: the part normal to the solid goes out of the field, the
 * tangential part stays as extrapolated (Batty, Bertails & Bridson 2007).  For u that is all: the
 * solid is at rest.  For delta, which must take u_old to the solid's velocity, u_old's normal part
 * goes out with it: has_base, base = u_old.  Results go to `out`, which extrapolate_adopt() copies
 * back, since neighbours read the field.  One work-item per lattice point.
 */
kernel void extrapolate_constrain(global const int *bricks, const struct brick_run run,
				  const struct grid g, global const float *field,
				  global const float *base, int has_base, global const uchar *valid,
				  global const ushort *open_fraction, global const uchar *opened,
				  global const float *solid_phi, global float *out)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	for (int a = 0; a < DIM; a++) {
		int slot = a * g.lattice + at;
		if (!extrapolate_closed(g, valid, open_fraction, opened, a, i, j, k))
			continue;
		/* Normal from the distances at the nodes around the face. */
		float n[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f;
		for (int c = 0; c < DIM; c++) {
			int last = c == 0 ? g.px - 1 : c == 1 ? g.py - 1 : g.pz - 1;
			int here = c == 0 ? i : c == 1 ? j : k;
			int stride = lattice_stride(g, c);
			int low = c == a && here > 0 ? at - stride : at;
			int high = here < last ? at + stride : at;
			n[c] = solid_phi[high] - solid_phi[low];
			n[c] *= high - low == 2 * stride ? 0.5f : 1.0f;
			square += n[c] * n[c];
		}
		/* h where solids are flat, less where they meet: there no side has a normal. */
		float length = sqrt(square);
		if (!(length > 0.1f * g.h)) {
			out[slot] = has_base ? -base[slot] : 0.0f;
			continue;
		}
		float normal = 0.0f, normal_base = 0.0f;
		for (int c = 0; c < DIM; c++) {
			n[c] /= length;
			normal += n[c] * extrapolate_component(g, field, valid, a, c, i, j, k);
			if (has_base)
				normal_base +=
					n[c] * extrapolate_component(g, base, valid, a, c, i, j, k);
		}
		out[slot] = field[slot] - n[a] * (has_base ? normal + normal_base : normal);
	}
}

/* Copies the results at closed faces back.  One work-item per lattice point. */
kernel void extrapolate_adopt(global const int *bricks, const struct brick_run run,
			      const struct grid g, global const uchar *valid,
			      global const ushort *open_fraction, global const uchar *opened,
			      global const float *out, global float *field)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	for (int a = 0; a < DIM; a++) {
		int slot = a * g.lattice + lattice_index(g, i, j, k);
		if (extrapolate_closed(g, valid, open_fraction, opened, a, i, j, k))
			field[slot] = out[slot];
	}
}
