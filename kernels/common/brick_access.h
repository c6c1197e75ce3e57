/* Work-items of a launch over a list of bricks (host/lattice/bricks.h). */
#ifndef FRESHET_BRICKS_KERNEL_H
#define FRESHET_BRICKS_KERNEL_H

#include "common.h"
#include "mg_state.h"

/* No lattice has so many points along an axis. */
#define BRICK_NOWHERE 0x3fffffff

struct brick_point {
	int i, j, k;
};

/*
 * Launches may have a few bricks more than there are in the list.  Their work-items read the last
 * one all the same and are told apart afterwards, by what is alike along x
 * (docs/portability.md#kernels-that-become-vectors).
 */
ALWAYS_INLINE int bricks_clamp(const struct brick_run run, int place)
{
	return run.first + (place < run.count ? place : run.count - 1);
}

/* Place in the list of work-item (x, rows * place + row, layer); `rows` per brick. */
ALWAYS_INLINE int bricks_place(const struct brick_run run, int rows)
{
	return (int)get_global_id(2) * run.per_layer + (int)get_global_id(1) / rows;
}

/* Point of a row of the brick at `place`, x along it.  It may lie beyond the lattice. */
ALWAYS_INLINE struct brick_point bricks_row(global const int *restrict bricks,
					    const struct brick_run run, int place, int x, int row)
{
	global const int *restrict first = bricks + BRICK_WORDS * bricks_clamp(run, place);
	struct brick_point p;
	p.i = first[0] + x;
#if DIM == 2
	p.j = first[1] + row;
	p.k = 0;
#else
	p.j = first[1] + modulo(row, BRICK_EDGE_3D);
	p.k = first[2] + row / BRICK_EDGE_3D;
#endif
	return p;
}

/* The same, with j beyond every lattice where there is no such brick. */
ALWAYS_INLINE struct brick_point bricks_row_of(global const int *restrict bricks,
					       const struct brick_run run, int place, int x,
					       int row)
{
	struct brick_point p = bricks_row(bricks, run, place, x, row);
	p.j = place < run.count ? p.j : BRICK_NOWHERE;
	return p;
}

/* Point of a work-item of bricks_points(). */
ALWAYS_INLINE struct brick_point bricks_point(global const int *restrict bricks,
					      const struct brick_run run)
{
	return bricks_row_of(bricks, run, bricks_place(run, BRICK_ROWS), (int)get_global_id(0),
			     modulo((int)get_global_id(1), BRICK_ROWS));
}

/* Lattice index of that point, in 64 bits from the start of the row on
 * (docs/portability.md#kernels-that-become-vectors). */
ALWAYS_INLINE long bricks_index(const struct grid g, global const int *restrict bricks,
				const struct brick_run run)
{
	const struct brick_point p = bricks_row(bricks, run, bricks_place(run, BRICK_ROWS), 0,
						modulo((int)get_global_id(1), BRICK_ROWS));
	return lattice_index(g, p.i, p.j, p.k) + (long)get_global_id(0);
}

/* For the points of a row that a work-item of bricks_in_rows() goes through, counted from the row's
 * first: on CPUs all, which become vectors; else one. */
#define BRICK_FOR_X(x)                                           \
	for (long x##_share = BRICK_X / (long)get_num_groups(0), \
		  x##_first = (long)get_group_id(0) * x##_share, \
		  x = x##_first + (long)get_local_id(0);         \
	     x < x##_first + x##_share; x += (long)get_local_size(0))

/* First x of a work-item's brick. */
ALWAYS_INLINE int bricks_first_x(global const int *restrict bricks, const struct brick_run run,
				 int rows)
{
	return bricks[BRICK_WORDS * bricks_clamp(run, bricks_place(run, rows))];
}

/* Is the neighbour, along an axis, of a point of a listed brick of lattice points in a listed
 * brick, too?  If there is none, either.  state: of bricks_mark(), first_x: of the brick.  What is
 * looked up is alike along x, and there in any case
 * (docs/portability.md#kernels-that-become-vectors).
 */
ALWAYS_INLINE int bricks_listed_beside(global const uint *restrict state,
				       const struct brick_layout b, int first_x,
				       const struct brick_point p, int axis, int side)
{
	const int edge = DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS, step = 2 * side - 1;
	const int y = p.j + (axis == 1 ? step : 0), z = p.k + (axis == 2 ? step : 0);
	const int inside = axis == 0 && p.i != first_x + side * (BRICK_X - 1);
	const int x = first_x / BRICK_X + (axis == 0 ? step : 0);
	int brick = y / edge * b.nx + (x < 0 ? 0 : x < b.nx ? x : b.nx - 1);
#if DIM == 3
	brick += z / edge * b.nx * b.ny;
#else
	(void)z;
#endif
	brick = brick < 0 ? 0 : brick < b.slots ? brick : b.slots - 1;
	return inside | (int)(state[b.first + brick] >> 1 & 1u);
}

/* Bits of the rows that count of the brick at `place`, 0 where there is none. */
ALWAYS_INLINE uint bricks_rows(global const int *restrict bricks, const struct brick_run run,
			       int place)
{
	const uint rows = (uint)bricks[BRICK_WORDS * bricks_clamp(run, place) + 3];
	return place < run.count ? rows : 0u;
}

/* Number of the chunk at `place` of a list of chunks, -1 where there is none. */
ALWAYS_INLINE int bricks_chunk(global const int *restrict bricks, const struct brick_run run,
			       int place)
{
	return place < run.count ? bricks[BRICK_WORDS * (run.first + place)] : -1;
}

/*
 * Work-items of bricks_elements(): their element, and is there none, or is it of a row without
 * unknowns?  That is alike along the row.
 */
ALWAYS_INLINE int bricks_element(global const int *restrict bricks, const struct brick_run run)
{
	const int place = bricks_place(run, CHUNK_ROWS);
	return bricks[BRICK_WORDS * bricks_clamp(run, place)] * PAIRS_CHUNK +
	       modulo((int)get_global_id(1), CHUNK_ROWS) * PAIRS_LANES + (int)get_global_id(0);
}

ALWAYS_INLINE int bricks_element_is_idle(global const int *restrict bricks,
					 const struct brick_run run,
					 global const uint *restrict state)
{
	const uint rows = bricks_rows(bricks, run, bricks_place(run, CHUNK_ROWS));
	return (state[MG_DONE] != 0) | !(rows >> modulo((int)get_global_id(1), CHUNK_ROWS) & 1u);
}

#endif
