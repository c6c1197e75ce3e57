/* Where the particles of a block meet in its private tile (see transfer_block.cl). */
#ifndef FRESHET_TRANSFER_BLOCK_H
#define FRESHET_TRANSFER_BLOCK_H

#include "common.h"
#include "lanes.h"

#ifndef FRESHET_NATIVE

/* Lower corners that a block's particles can have, per axis: across the faces' own axis the lower
 * half of the first cell belongs to the one below. */
#define BLOCK_PLACES_EDGE (BLOCK_EDGE(DIM) + 1)
#if DIM == 2
#define BLOCK_PLACES (BLOCK_PLACES_EDGE * BLOCK_PLACES_EDGE)
#else
#define BLOCK_PLACES (BLOCK_PLACES_EDGE * BLOCK_PLACES_EDGE * BLOCK_PLACES_EDGE)
#endif
/* Fewer particles go to the grid one by one: the tile has to be cleared and emptied. */
#define BLOCK_TILE_LEAST (4 * LANES)

/* Where LANES particles fall among the faces of one component. */
struct block_stencil {
	lane_ints place;
	lane_floats upper[DIM];
};

/* First lower corner of the tile along an axis: the block's first cell, or the one before. */
int block_tile_low(int first_cell, int axis, int c)
{
	return first_cell - (axis != c);
}

/* Particles p .. p + LANES-1, all within the block whose first cell is first[]. */
void block_stencil(const struct grid g, int c, const int first[3], global const float *position,
		   int stride, int p, struct block_stencil *s)
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	s->place = (lane_ints)(0);
#pragma unroll
	for (int a = DIM - 1; a >= 0; a--) {
		lane_floats x = lanes_load(position + a * stride + p);
		struct lane_axis axis;
		lanes_axis(x * g.inv_h - (a == c ? 0.0f : 0.5f), a == c ? cells[a] : cells[a] - 1,
			   &axis);
		lane_ints at = axis.low - block_tile_low(first[a], a, c);
		/* Whatever a position may be, it lies in the tile. */
		at = at < 0 ? (lane_ints)(0) : at;
		at = at >= BLOCK_PLACES_EDGE ? (lane_ints)(BLOCK_PLACES_EDGE - 1) : at;
		s->upper[a] = axis.upper;
		s->place = s->place * BLOCK_PLACES_EDGE + at;
	}
}
#endif /* FRESHET_NATIVE */

#endif
