/*
 * Blocks of the sort that splat their particles onto the grid, and what of it they are the first to
 * touch: that is cleared there and then, so that no pass over the grid has to.
 *
 * Particles of a block reach `reach` points beyond it, at most half its edge.  Blocks go in turns,
 * 2^D colours by the parity of their numbers, even ones first: an even block is the first along an
 * axis wherever it reaches, an odd one between them.
 */
#ifndef FRESHET_BLOCKS_H
#define FRESHET_BLOCKS_H

#include "common.h"

/* Is a particle within `distance` blocks of the block, itself included? */
ALWAYS_INLINE int blocks_near(const struct grid g, global const uint *start, int bx, int by, int bz,
			      int distance)
{
	const int first = bx > distance ? bx - distance : 0;
	const int last = min_int(bx + distance, g.bx - 1);
	int near = 0;
	for (int z = bz - distance; z <= bz + distance; z++)
		for (int y = by - distance; y <= by + distance; y++) {
			if (y < 0 || z < 0 || y >= g.by || z >= g.bz)
				continue;
			const int row = (z * g.by + y) * g.bx;
			near |= start[(row + last + 1) * BLOCK_CELLS] !=
				start[(row + first) * BLOCK_CELLS];
		}
	return near;
}

/* What is kept of a block: is a particle within one block of it?  Only there points have sums,
 * which are 0 elsewhere, whatever the memory holds.  And within two?  Such blocks clear. */
#define BLOCK_HOLDS_SUMS 1
#define BLOCK_CLEARS 2

/* Does a point have sums?  near: bits of the blocks. */
ALWAYS_INLINE int blocks_hold_sums(const struct grid g, global const uchar *near, int i, int j,
				   int k)
{
	const int edge = BLOCK_EDGE(DIM);
	int block = min_int(j / edge, g.by - 1) * g.bx + min_int(i / edge, g.bx - 1);
#if DIM == 3
	block += min_int(k / edge, g.bz - 1) * g.bx * g.by;
#else
	(void)k;
#endif
	return near[block] & BLOCK_HOLDS_SUMS;
}

/* The points along an axis, low to high, that block b of `blocks` is the first to reach. */
ALWAYS_INLINE void blocks_first(int b, int blocks, int reach, int points, int *low, int *high)
{
	const int edge = BLOCK_EDGE(DIM), from = b * edge, to = from + edge - 1;
	*low = b & 1 ? from + reach : from - reach;
	*high = (b & 1) && b + 1 < blocks ? to - reach : to + reach;
	*low = *low < 0 ? 0 : *low;
	*high = min_int(*high, points - 1);
}

#endif
