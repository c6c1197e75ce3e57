/* Work-items of a launch over a list of bricks (host/bricks.h). */
#ifndef FRESHET_BRICKS_KERNEL_H
#define FRESHET_BRICKS_KERNEL_H

#include "common.h"

/* No lattice has so many points along an axis. */
#define BRICK_NOWHERE 0x3fffffff

struct brick_point {
	int i, j, k;
};

/* Row `row` of a brick whose first point is `first`, x along it. */
ALWAYS_INLINE struct brick_point bricks_row(global const int *first, int x, int row)
{
	struct brick_point p;
	p.i = first[0] + x;
#if DIM == 2
	p.j = first[1] + row;
	p.k = 0;
#else
	p.j = first[1] + row % BRICK_EDGE_3D;
	p.k = first[2] + row / BRICK_EDGE_3D;
#endif
	return p;
}

/* Place in the list of work-item (x, rows * place + row, layer); `rows` per brick. */
ALWAYS_INLINE int bricks_place(const struct brick_run run, int rows)
{
	return (int)get_global_id(2) * run.per_layer + (int)get_global_id(1) / rows;
}

/* Point of a row of the brick at `place` of the list, x along it: beyond every lattice where there
 * is no such brick, and perhaps beyond this one where there is. */
ALWAYS_INLINE struct brick_point bricks_row_of(global const int *restrict bricks,
					       const struct brick_run run, int place, int x,
					       int row)
{
	struct brick_point p = {BRICK_NOWHERE, 0, 0};
	if (place < run.count)
		p = bricks_row(bricks + 3 * (run.first + place), x, row);
	return p;
}

/* Number of the chunk at `place` of a list of chunks, -1 where there is none. */
ALWAYS_INLINE int bricks_chunk(global const int *restrict bricks, const struct brick_run run,
			       int place)
{
	return place < run.count ? bricks[3 * (run.first + place)] : -1;
}

/* Element of a work-item of bricks_elements(), -1 where there is none. */
ALWAYS_INLINE int bricks_element(global const int *restrict bricks, const struct brick_run run)
{
	const int rows = PAIRS_CHUNK / BRICK_ELEMENTS_X;
	const int chunk = bricks_chunk(bricks, run, bricks_place(run, rows));
	return chunk < 0 ? -1
			 : chunk * PAIRS_CHUNK + (int)get_global_id(1) % rows * BRICK_ELEMENTS_X +
				   (int)get_global_id(0);
}

/* Point of a work-item of bricks_points(). */
ALWAYS_INLINE struct brick_point bricks_point(global const int *restrict bricks,
					      const struct brick_run run)
{
	return bricks_row_of(bricks, run, bricks_place(run, BRICK_ROWS), (int)get_global_id(0),
			     (int)get_global_id(1) % BRICK_ROWS);
}

#endif
