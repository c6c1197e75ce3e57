/* Access to the colour-split arrays of a multigrid level; layout in shared.h, struct mg_level. */
#ifndef FRESHET_MG_H
#define FRESHET_MG_H

#include "bricks.h"
#include "common.h"

#define MG_HALO_Z (DIM == 3 ? 1 : 0)

struct mg_cell {
	int exists;
	int stored; /* it has a place outside the halo; in rows of odd length cells may lie beyond
		     */
	int i, j, k;
	int colour, m;
	int at;	   /* in this level's arrays */
	int other; /* same place in the other colour */
	int shift; /* upper x-neighbour at other + shift, lower at other + shift - 1 */
};

ALWAYS_INLINE struct mg_cell mg_cell_at(const struct mg_level l, int colour, int m, int j, int k)
{
	struct mg_cell c;
	c.shift = (j + k + colour) & 1;
	c.i = 2 * m + c.shift;
	c.j = j;
	c.k = k;
	c.colour = colour;
	c.m = m;
	c.exists = c.i < l.nx && j < l.ny && k < l.nz;
	c.stored = (m < l.row) & (j < l.ny) & (k < l.nz);
	int place = (k + MG_HALO_Z) * l.plane + (j + 1) * l.pitch + m + 1;
	c.at = l.offset + colour * l.colour_stride + place;
	c.other = l.offset + (1 - colour) * l.colour_stride + place;
	return c;
}

/* Work-item (m, j, 2k + colour) over both colours. */
ALWAYS_INLINE struct mg_cell mg_cell_both_colours(const struct mg_level l)
{
	int z = (int)get_global_id(2);
	return mg_cell_at(l, z & 1, (int)get_global_id(0), (int)get_global_id(1), z >> 1);
}

/* Cell of a row of one colour of the brick at `place` of a list; x along it. */
ALWAYS_INLINE struct mg_cell mg_listed_at(const struct mg_level l, int colour,
					  global const int *restrict bricks,
					  const struct brick_run run, int place, int x, int row)
{
	const struct brick_point p = bricks_row(bricks, run, place, 0, row);
	struct mg_cell c = mg_cell_at(l, colour, p.i / 2 + x, p.j, p.k);
	c.exists &= place < run.count;
	c.stored &= place < run.count;
	return c;
}

/* Work-item of bricks_cells() over one colour. */
ALWAYS_INLINE struct mg_cell mg_listed(const struct mg_level l, int colour,
				       global const int *restrict bricks,
				       const struct brick_run run)
{
	const int y = (int)get_global_id(1);
	return mg_listed_at(l, colour, bricks, run, bricks_place(run, BRICK_ROWS),
			    (int)get_global_id(0), y % BRICK_ROWS);
}

/* The same over both: rows take turns. */
ALWAYS_INLINE struct mg_cell mg_listed_both(const struct mg_level l,
					    global const int *restrict bricks,
					    const struct brick_run run)
{
	const int y = (int)get_global_id(1);
	return mg_listed_at(l, y % 2, bricks, run, bricks_place(run, 2 * BRICK_ROWS),
			    (int)get_global_id(0), y % (2 * BRICK_ROWS) / 2);
}

/* Index of cell (i,j,k). */
ALWAYS_INLINE int mg_at_cell(const struct mg_level l, int i, int j, int k)
{
	return l.offset + ((i + j + k) & 1) * l.colour_stride + (k + MG_HALO_Z) * l.plane +
	       (j + 1) * l.pitch + (i >> 1) + 1;
}

struct mg_row {
	float diagonal;
	float off; /* sum of link * x over neighbours */
};

/* Row of the operator at a cell, applied to x. */
ALWAYS_INLINE struct mg_row mg_apply(const struct mg_level l, const struct mg_cell c, int total,
				     global const float *link, global const float *excess,
				     global const float *x)
{
	struct mg_row r;
	int high = c.other + c.shift, low = high - 1;
	float a = link[c.at], b = link[low];
	r.diagonal = excess[c.at] + a + b;
	r.off = a * x[high] + b * x[low];
	global const float *link_y = link + total;
	a = link_y[c.at];
	b = link_y[c.other - l.pitch];
	r.diagonal += a + b;
	r.off += a * x[c.other + l.pitch] + b * x[c.other - l.pitch];
#if DIM == 3
	global const float *link_z = link + 2 * total;
	a = link_z[c.at];
	b = link_z[c.other - l.plane];
	r.diagonal += a + b;
	r.off += a * x[c.other + l.plane] + b * x[c.other - l.plane];
#endif
	return r;
}

/* The same for x = 0. */
ALWAYS_INLINE struct mg_row mg_diagonal_row(const struct mg_level l, const struct mg_cell c,
					    int total, global const float *link,
					    global const float *excess)
{
	struct mg_row r;
	int low = c.other + c.shift - 1;
	r.diagonal = excess[c.at] + link[c.at] + link[low];
	r.off = 0.0f;
	global const float *link_y = link + total;
	r.diagonal += link_y[c.at] + link_y[c.other - l.pitch];
#if DIM == 3
	global const float *link_z = link + 2 * total;
	r.diagonal += link_z[c.at] + link_z[c.other - l.plane];
#endif
	return r;
}

#endif
