/* Access to the colour-split arrays of a multigrid level; layout in shared.h, struct mg_level. */
#ifndef FRESHET_MG_H
#define FRESHET_MG_H

#include "brick_access.h"
#include "common.h"
#include "mg_state.h"

#define MG_HALO_Z (DIM == 3 ? 1 : 0)

struct mg_cell {
	int exists;
	int stored; /* it has a place outside the halo; in rows of odd length cells may lie beyond
		     */
	int i, j, k;
	int colour;
	long m;
	/* Places are in 64 bits, and so is their sum with x along a row:
	 * docs/portability.md#kernels-that-become-vectors. */
	long at;    /* in this level's arrays */
	long other; /* same place in the other colour */
	int shift;  /* upper x-neighbour at other + shift, lower at other + shift - 1 */
};

/* Cell x places behind place `first` of a row. */
ALWAYS_INLINE struct mg_cell mg_cell_behind(const struct mg_level l, int colour, int first, long x,
					    int j, int k)
{
	struct mg_cell c;
	const long m = first + x;
	c.shift = (j + k + colour) & 1;
	c.i = 2 * (int)m + c.shift;
	c.j = j;
	c.k = k;
	c.colour = colour;
	c.m = m;
	c.exists = c.i < l.nx && j < l.ny && k < l.nz;
	c.stored = ((int)m < l.row) & (j < l.ny) & (k < l.nz);
	const int start = l.offset + (k + MG_HALO_Z) * l.plane + (j + 1) * l.pitch + first + 1;
	c.at = start + colour * l.colour_stride + x;
	c.other = start + (1 - colour) * l.colour_stride + x;
	return c;
}

ALWAYS_INLINE struct mg_cell mg_cell_at(const struct mg_level l, int colour, int m, int j, int k)
{
	return mg_cell_behind(l, colour, m, 0, j, k);
}

/* Work-item (m, j, 2k + colour) over both colours. */
ALWAYS_INLINE struct mg_cell mg_cell_both_colours(const struct mg_level l)
{
	int z = (int)get_global_id(2);
	return mg_cell_at(l, z & 1, (int)get_global_id(0), (int)get_global_id(1), z >> 1);
}

/* The work-item's cell of a row of one colour of the brick at `place` of a list. */
ALWAYS_INLINE struct mg_cell mg_listed_at(const struct mg_level l, int colour,
					  global const int *restrict bricks,
					  const struct brick_run run, int place, int row)
{
	const struct brick_point p = bricks_row(bricks, run, place, 0, row);
	struct mg_cell c = mg_cell_behind(l, colour, p.i / 2, (long)get_global_id(0), p.j, p.k);
	const int counts = (int)(bricks_rows(bricks, run, place) >> row & 1u);
	c.exists &= counts;
	c.stored &= counts;
	return c;
}

/*
 * Does the row of a work-item of bricks_cells(), over `colours`, hold no unknown?  That is alike
 * along the row, and asked before anything else.
 */
ALWAYS_INLINE int mg_row_is_idle(global const int *restrict bricks, const struct brick_run run,
				 int colours, global const uint *restrict state)
{
	const int y = (int)get_global_id(1);
	const uint rows = bricks_rows(bricks, run, bricks_place(run, colours * BRICK_ROWS));
	return (state[MG_DONE] != 0) | !(rows >> modulo(y, BRICK_ROWS) & 1u);
}

/* First point of the row of a work-item of bricks_level(), beyond the level where there is none. */
ALWAYS_INLINE struct brick_point mg_listed_row(global const int *restrict bricks,
					       const struct brick_run run)
{
	return bricks_row_of(bricks, run, bricks_place(run, BRICK_ROWS), 0,
			     modulo((int)get_global_id(1), BRICK_ROWS));
}

/* Do the cells of a work-item's row of bricks_level() count? */
ALWAYS_INLINE int mg_row_counts(global const int *restrict bricks, const struct brick_run run)
{
	return (int)(bricks_rows(bricks, run, bricks_place(run, BRICK_ROWS)) >>
			     modulo((int)get_global_id(1), BRICK_ROWS) &
		     1u);
}

/* Work-item of bricks_cells() over one colour. */
ALWAYS_INLINE struct mg_cell mg_listed(const struct mg_level l, int colour,
				       global const int *restrict bricks,
				       const struct brick_run run)
{
	const int y = (int)get_global_id(1);
	return mg_listed_at(l, colour, bricks, run, bricks_place(run, BRICK_ROWS),
			    modulo(y, BRICK_ROWS));
}

/* The same over both: the rows of one, then those of the other. */
ALWAYS_INLINE struct mg_cell mg_listed_both(const struct mg_level l,
					    global const int *restrict bricks,
					    const struct brick_run run)
{
	const int y = (int)get_global_id(1);
	return mg_listed_at(l, modulo(y, 2 * BRICK_ROWS) / BRICK_ROWS, bricks, run,
			    bricks_place(run, 2 * BRICK_ROWS), modulo(y, BRICK_ROWS));
}

/* Index of cell (i,j,k). */
ALWAYS_INLINE int mg_at_cell(const struct mg_level l, int i, int j, int k)
{
	return l.offset + ((i + j + k) & 1) * l.colour_stride + (k + MG_HALO_Z) * l.plane +
	       (j + 1) * l.pitch + (i >> 1) + 1;
}

/* The same of the cell x places behind (i,j,k), where a row begins: i is even. */
ALWAYS_INLINE long mg_at_cell_behind(const struct mg_level l, int i, long x, int j, int k)
{
	return l.offset + (((int)x + j + k) & 1) * l.colour_stride + (k + MG_HALO_Z) * l.plane +
	       (j + 1) * l.pitch + i / 2 + (x >> 1) + 1;
}

/* Links of a cell to its neighbours. */
struct mg_links {
	float low_x, high_x, low_y, high_y;
#if DIM == 3
	float low_z, high_z;
#endif
};

/* A link of level 0: an open fraction, as ushort. */
ALWAYS_INLINE float mg_open_link(ushort open)
{
	return (float)(int)open * (1.0f / FRACTION_ONE);
}

/* On level 0; open: ushort [DIM][2 colour_stride], to the upper neighbours. */
ALWAYS_INLINE struct mg_links mg_finest_links(const struct mg_level l, const struct mg_cell c,
					      global const ushort *open)
{
	struct mg_links w;
	w.high_x = mg_open_link(open[c.at]);
	w.low_x = mg_open_link(open[c.other + c.shift - 1]);
	global const ushort *open_y = open + 2 * l.colour_stride;
	w.high_y = mg_open_link(open_y[c.at]);
	w.low_y = mg_open_link(open_y[c.other - l.pitch]);
#if DIM == 3
	global const ushort *open_z = open + 4 * l.colour_stride;
	w.high_z = mg_open_link(open_z[c.at]);
	w.low_z = mg_open_link(open_z[c.other - l.plane]);
#endif
	return w;
}

/* Elements of an array of the coarse levels alone; total: of all levels. */
ALWAYS_INLINE int mg_coarse_total(const struct mg_level l, int total)
{
	return total + l.coarse_shift;
}

/* A link of any level along an axis, from the cell at `at`. */
ALWAYS_INLINE float mg_cell_link(const struct mg_level l, int total, global const ushort *open,
				 global const float *link, int axis, long at)
{
	return l.offset == 0 ? mg_open_link(open[2 * l.colour_stride * axis + at])
			     : link[mg_coarse_total(l, total) * axis + at + l.coarse_shift];
}

/* On a coarse level; link: float [DIM][mg_coarse_total()], to the upper neighbours. */
ALWAYS_INLINE struct mg_links mg_coarse_links(const struct mg_level l, const struct mg_cell c,
					      int total, global const float *link)
{
	struct mg_links w;
	const long at = c.at + l.coarse_shift, other = c.other + l.coarse_shift;
	w.high_x = link[at];
	w.low_x = link[other + c.shift - 1];
	global const float *link_y = link + mg_coarse_total(l, total);
	w.high_y = link_y[at];
	w.low_y = link_y[other - l.pitch];
#if DIM == 3
	global const float *link_z = link + 2 * mg_coarse_total(l, total);
	w.high_z = link_z[at];
	w.low_z = link_z[other - l.plane];
#endif
	return w;
}

struct mg_row {
	float diagonal;
	float off; /* sum of link * x over neighbours */
};

/* Row of the operator at a cell, for x = 0. */
ALWAYS_INLINE struct mg_row mg_diagonal_row(const struct mg_links w, float excess)
{
	struct mg_row r;
	r.diagonal = excess + w.high_x + w.low_x;
	r.diagonal += w.high_y + w.low_y;
#if DIM == 3
	r.diagonal += w.high_z + w.low_z;
#endif
	r.off = 0.0f;
	return r;
}

/* The same applied to x. */
ALWAYS_INLINE struct mg_row mg_apply(const struct mg_level l, const struct mg_cell c,
				     const struct mg_links w, global const float *excess,
				     global const float *x)
{
	struct mg_row r = mg_diagonal_row(w, excess[c.at]);
	const long high = c.other + c.shift;
	r.off = w.high_x * x[high] + w.low_x * x[high - 1];
	r.off += w.high_y * x[c.other + l.pitch] + w.low_y * x[c.other - l.pitch];
#if DIM == 3
	r.off += w.high_z * x[c.other + l.plane] + w.low_z * x[c.other - l.plane];
#endif
	return r;
}

#endif
