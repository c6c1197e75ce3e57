/* Carrying face velocities from faces that hold a value into those that do not. */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "face_normal.h"

/* Fills the faces wanted[bits] of a point from its neighbours along the axes, whose masks are
 * beside[axis][side]; gives the point's bits with those that were filled. */
ALWAYS_INLINE uint extrapolate_point(const struct grid g, global float *field, global float *second,
				     int has_second, uint bits, uint wanted,
				     const uint beside[DIM][2], int i, int j, int k)
{
	const int at = lattice_index(g, i, j, k);
	for (int c = 0; c < DIM; c++) {
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
			bits |= 1u << c;
		}
	}
	return bits;
}

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
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	int at = lattice_index(g, p.i, p.j, p.k);
	int here[3] = {p.i, p.j, p.k}, count[3] = {g.px, g.py, g.pz};
	const int first_x = bricks_first_x(bricks, run, BRICK_ROWS);
	/* Most points have nothing to do: all set, or nothing around to take from. */
	uint bits = valid[at], around = 0, beside[DIM][2];
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			const int to = here[a] + 2 * side - 1;
			beside[a][side] =
				to >= 0 && to < count[a] &&
						bricks_listed_beside(state, layout, first_x, p, a,
								     side)
					? valid[at + (2 * side - 1) * lattice_stride(g, a)]
					: 0;
			around |= beside[a][side];
		}
	const uint wanted = around & ~(bits | bits >> 3) & 7u;
	if (wanted)
		bits = extrapolate_point(g, field, second, has_second, bits, wanted, beside, p.i,
					 p.j, p.k);
	valid_next[at] = (uchar)bits;
}

#ifndef FRESHET_NATIVE
/* Masks of BRICK_X points from `at` on, beside a row; 0 where nothing is. */
#define EXTRAPOLATE_ROW(low, high, there, at)                  \
	uchar16 low = (uchar16)(0), high = (uchar16)(0);       \
	if (there) {                                           \
		low = vload16(0, valid + (at));                \
		high = vload16(0, valid + (at) + BRICK_X / 2); \
	}
#endif /* FRESHET_NATIVE */

/* extrapolate_layer() of the row of a brick that begins at p.  Bricks at the upper end of x may be
 * cut off: their points one by one. */
void extrapolate_row(const struct brick_point p, const struct brick_layout layout,
		     global const uint *state, const struct grid g, global float *field,
		     global float *second, int has_second, global const uchar *valid,
		     global uchar *valid_next)
{
	const int here[3] = {p.i, p.j, p.k}, count[3] = {g.px, g.py, g.pz};
	const int at = lattice_index(g, p.i, p.j, p.k), points = min_int(BRICK_X, g.px - p.i);
	int there[DIM][2];
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			/* A row that is cut off ends where the lattice does. */
			const int to = here[a] + (side ? (a == 0 ? BRICK_X : 1) : -1);
			struct brick_point end = p;
			end.i += a == 0 && side ? BRICK_X - 1 : 0;
			there[a][side] = to >= 0 && to < count[a] &&
					 bricks_listed_beside(state, layout, p.i, end, a, side);
		}
	/* Masks: of the row with a point more on either side, and beside it. */
	uchar own[BRICK_X + 2], rows[2 * (DIM - 1)][BRICK_X];
	own[0] = there[0][0] ? valid[at - 1] : 0;
	own[points + 1] = there[0][1] ? valid[at + points] : 0;
#ifndef FRESHET_NATIVE
	if (points == BRICK_X) {
		EXTRAPOLATE_ROW(own_low, own_high, 1, at)
		EXTRAPOLATE_ROW(y0_low, y0_high, there[1][0], at - g.px)
		EXTRAPOLATE_ROW(y1_low, y1_high, there[1][1], at + g.px)
		uchar16 low = y0_low | y1_low, high = y0_high | y1_high;
#if DIM == 3
		EXTRAPOLATE_ROW(z0_low, z0_high, there[2][0], at - g.px * g.py)
		EXTRAPOLATE_ROW(z1_low, z1_high, there[2][1], at + g.px * g.py)
		low |= z0_low | z1_low;
		high |= z0_high | z1_high;
		vstore16(z0_low, 0, rows[2]);
		vstore16(z0_high, 1, rows[2]);
		vstore16(z1_low, 0, rows[3]);
		vstore16(z1_high, 1, rows[3]);
#endif
		vstore16(own_low, 0, own + 1);
		vstore16(own_high, 0, own + 1 + BRICK_X / 2);
		low |= vload16(0, own) | vload16(0, own + 2);
		high |= vload16(0, own + BRICK_X / 2) | vload16(0, own + BRICK_X / 2 + 2);
		low &= ~(own_low | own_low >> (uchar16)(3)) & (uchar16)(7);
		high &= ~(own_high | own_high >> (uchar16)(3)) & (uchar16)(7);
		vstore16(own_low, 0, valid_next + at);
		vstore16(own_high, 0, valid_next + at + BRICK_X / 2);
		const ulong2 any = as_ulong2(low | high);
		if (!(any.x | any.y))
			return;
		vstore16(y0_low, 0, rows[0]);
		vstore16(y0_high, 1, rows[0]);
		vstore16(y1_low, 0, rows[1]);
		vstore16(y1_high, 1, rows[1]);
	} else
#endif /* FRESHET_NATIVE */
	{
		for (int x = 0; x < points; x++) {
			own[x + 1] = valid[at + x];
			rows[0][x] = there[1][0] ? valid[at + x - g.px] : 0;
			rows[1][x] = there[1][1] ? valid[at + x + g.px] : 0;
#if DIM == 3
			rows[2][x] = there[2][0] ? valid[at + x - g.px * g.py] : 0;
			rows[3][x] = there[2][1] ? valid[at + x + g.px * g.py] : 0;
#endif
		}
	}
	for (int x = 0; x < points; x++) {
		uint bits = own[x + 1], beside[DIM][2], around = 0;
		beside[0][0] = own[x];
		beside[0][1] = own[x + 2];
		for (int n = 0; n < 2 * (DIM - 1); n++)
			beside[1 + n / 2][n & 1] = rows[n][x];
		for (int n = 0; n < 2 * DIM; n++)
			around |= beside[n / 2][n & 1];
		const uint wanted = around & ~(bits | bits >> 3) & 7u;
		if (wanted)
			bits = extrapolate_point(g, field, second, has_second, bits, wanted, beside,
						 p.i + x, p.j, p.k);
		valid_next[at + x] = (uchar)bits;
	}
}

/* The same of all listed bricks, for CPUs: most rows have nothing to do.  One work-item per brick.
 */
kernel void extrapolate_rows(global const int *bricks, const struct brick_run run,
			     const struct brick_layout layout, global const uint *state,
			     const struct grid g, global float *field, global float *second,
			     int has_second, global const uchar *valid, global uchar *valid_next)
{
	const int place = (int)get_global_id(0);
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if (p.i < g.px && p.j < g.py && p.k < g.pz)
			extrapolate_row(p, layout, state, g, field, second, has_second, valid,
					valid_next);
	}
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
 * tangential part stays as extrapolated (Batty, Bertails & Bridson 2007).  For u that is all: what
 * moves is added later (solids_motion.cl).  For delta, which must take u_old to the solid's
 * velocity, u_old's normal part goes out with it: has_base, base = u_old.  Results go to `out`,
 * which extrapolate_adopt() copies back, since neighbours read the field.  One work-item per
 * lattice point.
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
		float n[3];
		const float length = face_normal(g, solid_phi, a, i, j, k, n);
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
