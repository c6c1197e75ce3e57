/*
 * Columns that deflation knows of bodies by: for each of a body's velocities A z = J in a box
 * around it, with z = 0 beyond, by sweeps of successive over-relaxation.  Layout: float [AXES] at
 * each cell of the box, x first; the boxes of all bodies one after the other.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "coupling_axes.h"
#include "coupling_lanes.h"
#include "mg.h"

/* Row of A at cell (i,j,k): the diagonal, and links below and above along each axis. */
struct coupling_stencil {
	float diagonal, link[2 * DIM];
};

ALWAYS_INLINE struct coupling_stencil coupling_stencil_at(const struct mg_level level,
							  global const ushort *open,
							  global const float *excess, int i, int j,
							  int k)
{
	const struct mg_cell c = mg_cell_at(level, (i + j + k) & 1, i >> 1, j, k);
	const struct mg_links w = mg_finest_links(level, c, open);
	struct coupling_stencil s;
	s.link[0] = w.low_x;
	s.link[1] = w.high_x;
	s.link[2] = w.low_y;
	s.link[3] = w.high_y;
#if DIM == 3
	s.link[4] = w.low_z;
	s.link[5] = w.high_z;
#endif
	s.diagonal = mg_diagonal_row(w, excess[c.at]).diagonal;
	return s;
}

/* off[] = sum of link z over neighbours in the box, at the cell (x,y,l) from its first one on. */
ALWAYS_INLINE void coupling_off(const struct lattice_box box, const struct coupling_stencil s,
				global const float *z, int x, int y, int l, float off[AXES])
{
	const int place = (l * box.ny + y) * box.nx + x;
	const int at[3] = {x, y, l}, size[3] = {box.nx, box.ny, box.nz};
	const int stride[3] = {1, box.nx, box.nx * box.ny};
	/* Axes along which the cell itself is beyond the box. */
	int beyond = 0;
	for (int a = 0; a < DIM; ++a)
		beyond |= at[a] < 0 || at[a] >= size[a] ? 1 << a : 0;
	for (int c = 0; c < AXES; ++c)
		off[c] = 0.0f;
	for (int d = 0; d < 2 * DIM; ++d) {
		const int a = d >> 1, to = at[a] + (d & 1 ? 1 : -1);
		if (to < 0 || to >= size[a] || (beyond & ~(1 << a)) || !(s.link[d] > 0.0f))
			continue;
		const int there = place + (d & 1 ? stride[a] : -stride[a]);
		for (int c = 0; c < AXES; ++c)
			off[c] += s.link[d] * z[there * AXES + c];
	}
}

/* A sweep over the cells of one colour.  from_zero: z is not known yet, and the other colour's
 * becomes 0.  Work-item (row, body). */
kernel void coupling_sweep(const struct mg_level level, global const struct coupling_body *bodies,
			   global const ushort *open, global const float *excess,
			   global const float *cover, int colour, int from_zero, global float *z)
{
	const int b = (int)get_global_id(1), row = (int)get_global_id(0);
	const struct coupling_body body = bodies[b];
	const struct lattice_box box = body.box;
	if (row >= box.ny * box.nz)
		return;
	const int y = modulo(row, box.ny), l = row / box.ny, j = box.j + y, k = box.k + l;
	global float *own = z + (long)body.first * AXES;
	global const float *push = cover + (long)body.first * AXES;
	for (int x = 0; x < box.nx; ++x) {
		const int i = box.i + x, place = row * box.nx + x;
		const int is_due = ((i + j + k) & 1) == colour;
		if (from_zero)
			for (int c = 0; c < AXES; ++c)
				own[place * AXES + c] = 0.0f;
		if (!is_due)
			continue;
		const struct coupling_stencil s = coupling_stencil_at(level, open, excess, i, j, k);
		if (!(s.diagonal > 0.0f))
			continue;
		float off[AXES];
		for (int c = 0; c < AXES; ++c)
			off[c] = 0.0f;
		if (!from_zero)
			coupling_off(box, s, own, x, y, l, off);
		for (int c = 0; c < AXES; ++c) {
			const float before = own[place * AXES + c];
			const float after = (push[place * AXES + c] + off[c]) / s.diagonal;
			own[place * AXES + c] = before + body.relax * (after - before);
		}
	}
}

/* The sums of all lanes, of so many numbers.  lane: [number][2][PAIRS_LANES]. */
void coupling_store(int numbers, local const float *lane, global struct pair *out)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int n = (int)get_local_id(0); n < numbers; n += (int)get_local_size(0))
		out[n] = coupling_total(lane, n);
}

/*
 * blocks[pair][m][n] = Z_row^T A Z_column of numbers m, n, over the cells of the row's box.  A
 * group per pair.  lane: 2 AXES AXES PAIRS_LANES words.
 */
kernel void coupling_energy(const struct mg_level level, global const struct coupling_body *bodies,
			    global const struct coupling_pair *pairs, int count,
			    global const ushort *open, global const float *excess,
			    global const float *z, global struct pair *blocks, local float *lane)
{
	const int n = (int)get_group_id(0), is_idle = n >= count;
	const struct coupling_body r = bodies[is_idle ? 0 : pairs[n].row];
	const struct coupling_body s = bodies[is_idle ? 0 : pairs[n].column];
	const int cells = is_idle ? 0 : r.box.nx * r.box.ny * r.box.nz;
	global const float *left = z + (long)r.first * AXES, *right = z + (long)s.first * AXES;
	CG_LANES(w)
	{
		float high[AXES * AXES], low[AXES * AXES];
		for (int m = 0; m < AXES * AXES; ++m)
			high[m] = low[m] = 0.0f;
		for (int place = w; place < cells; place += PAIRS_LANES) {
			const int i = r.box.i + modulo(place, r.box.nx);
			const int j = r.box.j + modulo(place / r.box.nx, r.box.ny);
			const int k = r.box.k + place / r.box.nx / r.box.ny;
			const int x = i - s.box.i, y = j - s.box.j, l = k - s.box.k;
			if (x < -1 || y < -1 || l < -1 || x > s.box.nx || y > s.box.ny ||
			    l > s.box.nz)
				continue;
			const struct coupling_stencil a =
				coupling_stencil_at(level, open, excess, i, j, k);
			if (!(a.diagonal > 0.0f))
				continue;
			float off[AXES];
			coupling_off(s.box, a, right, x, y, l, off);
			const int inside = x >= 0 && y >= 0 && l >= 0 && x < s.box.nx &&
					   y < s.box.ny && l < s.box.nz;
			const int there = inside ? (l * s.box.ny + y) * s.box.nx + x : 0;
			for (int q = 0; q < AXES; ++q) {
				const float own = inside ? right[there * AXES + q] : 0.0f;
				const float value = a.diagonal * own - off[q];
				for (int m = 0; m < AXES; ++m)
					pairs_accumulate(&high[m * AXES + q], &low[m * AXES + q],
							 left[place * AXES + m], value);
			}
		}
		coupling_put(lane, w, AXES * AXES, high, low);
	}
	coupling_store(is_idle ? 0 : AXES * AXES, lane, blocks + (long)n * AXES * AXES);
}

/* blocks[pair][m][n] = J_row^T Z_column.  A group per pair, as of coupling_energy(). */
kernel void coupling_meet(const struct grid g, global const struct coupling_body *bodies,
			  int bodies_count, global const struct coupling_pair *pairs, int count,
			  global const uint *starts, int rows, global const uint *point,
			  global const float *area, int capacity, global const float *z,
			  global struct pair *blocks, local float *lane)
{
	const int n = (int)get_group_id(0), is_idle = n >= count;
	const int b = is_idle ? 0 : pairs[n].row;
	const struct coupling_body s = bodies[is_idle ? 0 : pairs[n].column];
	const int from = is_idle ? 0 : (int)starts[bodies[b].first_row];
	const int end = is_idle		       ? 0
			: b + 1 < bodies_count ? (int)starts[bodies[b + 1].first_row]
					       : (int)starts[rows];
	global const float *right = z + (long)s.first * AXES;
	CG_LANES(w)
	{
		float high[AXES * AXES], low[AXES * AXES];
		for (int m = 0; m < AXES * AXES; ++m)
			high[m] = low[m] = 0.0f;
		for (int e = from + w; e < end; e += PAIRS_LANES) {
			const int at = (int)point[e];
			const int x = modulo(at, g.px) - s.box.i,
				  y = modulo(at / g.px, g.py) - s.box.j,
				  l = at / g.px / g.py - s.box.k;
			if (x < 0 || y < 0 || l < 0 || x >= s.box.nx || y >= s.box.ny ||
			    l >= s.box.nz)
				continue;
			const int there = (l * s.box.ny + y) * s.box.nx + x;
			for (int m = 0; m < AXES; ++m)
				for (int q = 0; q < AXES; ++q)
					pairs_accumulate(&high[m * AXES + q], &low[m * AXES + q],
							 area[m * capacity + e],
							 right[there * AXES + q]);
		}
		coupling_put(lane, w, AXES * AXES, high, low);
	}
	coupling_store(is_idle ? 0 : AXES * AXES, lane, blocks + (long)n * AXES * AXES);
}
