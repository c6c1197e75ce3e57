/* Carrying face velocities from faces that hold a value into those that do not. */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "face_normal.h"

/* Fills the faces wanted[bits] of a point from its neighbours along the axes, whose masks are
 * beside[axis][side]; gives the point's bits with those that were filled.  Masks choose and do not
 * branch: which neighbours have values is as good as random. */
ALWAYS_INLINE uint extrapolate_point(const struct grid g, global float *field, global float *second,
				     int has_second, uint bits, uint wanted,
				     const uint beside[DIM][2], int i, int j, int k)
{
	const int at = lattice_index(g, i, j, k);
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		if (!(wanted >> c & 1) || !face_exists(g, c, i, j, k))
			continue;
		float sum = 0.0f, sum_second = 0.0f;
		int n = 0;
#pragma unroll
		for (int a = 0; a < DIM; a++)
#pragma unroll
			for (int side = 0; side < 2; side++) {
				const int has = (int)(beside[a][side] >> c & 1);
				const int neighbour = at + (2 * side - 1) * lattice_stride(g, a);
				/* Its own value is there in any case. */
				const int from = c * g.lattice + (has ? neighbour : at);
				const float with = sum + field[from];
				sum = has ? with : sum;
				if (has_second) {
					const float with_second = sum_second + second[from];
					sum_second = has ? with_second : sum_second;
				}
				n += has;
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

/* Points whose masks fill a word. */
#define EXTRAPOLATE_POINTS 8

/* Which rows beside a row are there: along x what lies at its ends. */
struct extrapolate_beside {
	int low[DIM], high[DIM];
};

/* The points of a row that may want values, word by word, and masks: of the row with a point more
 * on either side, and of the rows beside it. */
struct extrapolate_masks {
	ulong wanted[BRICK_X / EXTRAPOLATE_POINTS];
	uchar own[BRICK_X + 2], rows[2 * (DIM - 1)][BRICK_X];
};

/* Fills the masks of a row of any length, and copies its own to valid_next. */
void extrapolate_read(const struct grid g, int at, int points,
		      const struct extrapolate_beside there, global const uchar *valid,
		      global uchar *valid_next, struct extrapolate_masks *m)
{
	m->own[0] = there.low[0] ? valid[at - 1] : 0;
	m->own[points + 1] = there.high[0] ? valid[at + points] : 0;
	for (int x = 0; x < points; x++) {
		m->own[x + 1] = valid[at + x];
		for (int a = 1; a < DIM; a++) {
			const int stride = lattice_stride(g, a);
			m->rows[2 * a - 2][x] = there.low[a] ? valid[at + x - stride] : 0;
			m->rows[2 * a - 1][x] = there.high[a] ? valid[at + x + stride] : 0;
		}
		valid_next[at + x] = m->own[x + 1];
	}
	for (int n = 0; n < BRICK_X / EXTRAPOLATE_POINTS; n++)
		m->wanted[n] = 0;
	for (int x = 0; x < points; x++)
		m->wanted[x / EXTRAPOLATE_POINTS] |= 0xfful << 8 * (x % EXTRAPOLATE_POINTS);
}

#ifndef FRESHET_NATIVE
/* Masks of half a row; 0 where nothing is. */
ALWAYS_INLINE uchar16 extrapolate_half(global const uchar *valid, int at, int there)
{
	return there ? vload16(0, valid + at) : (uchar16)(0);
}

/* The same of a row of BRICK_X points; gives whether any may want a value. */
int extrapolate_read_whole(const struct grid g, int at, const struct extrapolate_beside there,
			   global const uchar *valid, global uchar *valid_next,
			   struct extrapolate_masks *m)
{
	const uchar16 low = vload16(0, valid + at), high = vload16(1, valid + at);
	const uchar16 need_low = ~(low | low >> (uchar16)(3)) & (uchar16)(7);
	const uchar16 need_high = ~(high | high >> (uchar16)(3)) & (uchar16)(7);
	const ulong2 need = as_ulong2(need_low | need_high);
	vstore16(low, 0, valid_next + at);
	vstore16(high, 1, valid_next + at);
	if (!(need.x | need.y))
		return 0;
	const uchar before = there.low[0] ? valid[at - 1] : 0;
	const uchar after = there.high[0] ? valid[at + BRICK_X] : 0;
	uchar16 any_low = (uchar16)(before, low.s01234567, low.s89ab, low.scd, low.se) |
			  (uchar16)(low.s12345678, low.s9abc, low.sde, low.sf, high.s0);
	uchar16 any_high = (uchar16)(low.sf, high.s01234567, high.s89ab, high.scd, high.se) |
			   (uchar16)(high.s12345678, high.s9abc, high.sde, high.sf, after);
	uchar16 beside[2 * (DIM - 1)][2];
#pragma unroll
	for (int n = 0; n < 2 * (DIM - 1); n++) {
		const int a = 1 + n / 2,
			  stride = n & 1 ? lattice_stride(g, a) : -lattice_stride(g, a);
		const int listed = n & 1 ? there.high[a] : there.low[a];
		beside[n][0] = extrapolate_half(valid, at + stride, listed);
		beside[n][1] = extrapolate_half(valid, at + stride + BRICK_X / 2, listed);
		any_low |= beside[n][0];
		any_high |= beside[n][1];
	}
	const ulong2 wanted_low = as_ulong2(any_low & need_low);
	const ulong2 wanted_high = as_ulong2(any_high & need_high);
	const ulong2 wanted = wanted_low | wanted_high;
	if (!(wanted.x | wanted.y))
		return 0;
	vstore2(wanted_low, 0, m->wanted);
	vstore2(wanted_high, 1, m->wanted);
	m->own[0] = before;
	vstore16(low, 0, m->own + 1);
	vstore16(high, 1, m->own + 1);
	m->own[BRICK_X + 1] = after;
#pragma unroll
	for (int n = 0; n < 2 * (DIM - 1); n++) {
		vstore16(beside[n][0], 0, m->rows[n]);
		vstore16(beside[n][1], 1, m->rows[n]);
	}
	return 1;
}
#endif /* FRESHET_NATIVE */

/* Of a word's bytes the highest that is not 0. */
ALWAYS_INLINE int extrapolate_highest(ulong word)
{
	int byte = word >> 32 ? 4 : 0;
	byte += word >> (8 * byte + 16) ? 2 : 0;
	return byte + (word >> (8 * byte + 8) ? 1 : 0);
}

/* extrapolate_layer() of point x of a row. */
void extrapolate_row_point(const struct brick_point p, const struct extrapolate_masks *m, int x,
			   const struct grid g, global float *field, global float *second,
			   int has_second, global uchar *valid_next)
{
	const uint bits = m->own[x + 1];
	uint beside[DIM][2], around = 0;
	beside[0][0] = m->own[x];
	beside[0][1] = m->own[x + 2];
	for (int n = 0; n < 2 * (DIM - 1); n++)
		beside[1 + n / 2][n & 1] = m->rows[n][x];
	for (int n = 0; n < 2 * DIM; n++)
		around |= beside[n / 2][n & 1];
	const uint wanted = around & ~(bits | bits >> 3) & 7u;
	if (wanted)
		valid_next[lattice_index(g, p.i + x, p.j, p.k)] = (uchar)extrapolate_point(
			g, field, second, has_second, bits, wanted, beside, p.i + x, p.j, p.k);
}

/* extrapolate_layer() of the row of a brick that begins at p.  Bricks at the upper end of x may be
 * cut off: their points one by one. */
void extrapolate_row(const struct brick_point p, const struct extrapolate_beside there,
		     const struct grid g, global float *field, global float *second, int has_second,
		     global const uchar *valid, global uchar *valid_next)
{
	const int at = lattice_index(g, p.i, p.j, p.k), points = min_int(BRICK_X, g.px - p.i);
	struct extrapolate_masks m;
#ifndef FRESHET_NATIVE
	if (points == BRICK_X) {
		if (!extrapolate_read_whole(g, at, there, valid, valid_next, &m))
			return;
	} else
#endif /* FRESHET_NATIVE */
		extrapolate_read(g, at, points, there, valid, valid_next, &m);
	for (int n = 0; n < BRICK_X / EXTRAPOLATE_POINTS; n++)
		for (ulong word = m.wanted[n]; word;) {
			const int of_word = extrapolate_highest(word),
				  x = EXTRAPOLATE_POINTS * n + of_word;
			word &= ~(0xfful << 8 * of_word);
			extrapolate_row_point(p, &m, x, g, field, second, has_second, valid_next);
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
	const struct brick_point first = bricks_row_of(bricks, run, place, 0, 0);
	const int edge[3] = {BRICK_X, DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS, BRICK_EDGE_3D};
	const int corner[3] = {first.i, first.j, first.k}, count[3] = {g.px, g.py, g.pz};
	/* Of bricks. */
	struct extrapolate_beside listed;
	for (int a = 0; a < DIM; a++) {
		struct brick_point last = first;
		last.i += a == 0 ? BRICK_X - 1 : 0;
		last.j += a == 1 ? edge[1] - 1 : 0;
		last.k += a == 2 ? edge[2] - 1 : 0;
		listed.low[a] =
			corner[a] > 0 && bricks_listed_beside(state, layout, first.i, first, a, 0);
		/* A brick that is cut off ends where the lattice does. */
		listed.high[a] = corner[a] + edge[a] < count[a] &&
				 bricks_listed_beside(state, layout, first.i, last, a, 1);
	}
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		const int here[3] = {p.i, p.j, p.k};
		struct extrapolate_beside there = listed;
		if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
			continue;
		for (int a = 1; a < DIM; a++) {
			there.low[a] |= here[a] > corner[a];
			there.high[a] = here[a] + 1 < count[a] &&
					(here[a] + 1 < corner[a] + edge[a] || listed.high[a]);
		}
		extrapolate_row(p, there, g, field, second, has_second, valid, valid_next);
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
