/*
 * What some kernels would be if the order of sums were free: for `freshet bench --determinism`
 * only, in the program where it is built with -DFREE_ORDER.  free_NAME takes the arguments of the
 * kernel that it stands in for: float sums instead of integers and pairs, in the shape that is
 * fast here.  Their results depend on the device and on the moment.
 */
#ifndef FRESHET_FREE_ORDER_H
#define FRESHET_FREE_ORDER_H

#include "common.h"

#ifdef FREE_ORDER
#ifndef FRESHET_NATIVE

/* OpenCL 1.2 has no atomic sum of floats. */
void free_add_global(volatile global float *sum, float x)
{
	volatile global uint *word = (volatile global uint *)sum;
	uint seen = *word, before;
	do {
		before = seen;
		seen = atomic_cmpxchg(word, before, as_uint(as_float(before) + x));
	} while (seen != before);
}

void free_add_local(volatile local float *sum, float x)
{
	volatile local uint *word = (volatile local uint *)sum;
	uint seen = *word, before;
	do {
		before = seen;
		seen = atomic_cmpxchg(word, before, as_uint(as_float(before) + x));
	} while (seen != before);
}

/* Particles of the block that this work-item owns among those of a colour; 0: there is none. */
int free_block(const struct grid g, int colour, int edge, global const uint *start, int first[3],
	       int *from, int *to)
{
	int bx = 2 * (int)get_global_id(0) + (colour & 1);
	int by = 2 * (int)get_global_id(1) + ((colour >> 1) & 1);
	int bz = 2 * (int)get_global_id(2) + (colour >> 2);
	if (bx >= g.bx || by >= g.by || bz >= g.bz)
		return 0;
	int key = ((bz * g.by + by) * g.bx + bx) * BLOCK_CELLS;
	*from = (int)start[key];
	*to = (int)start[key + BLOCK_CELLS];
	first[0] = bx * edge;
	first[1] = by * edge;
	first[2] = bz * edge;
	return 1;
}
#endif /* FRESHET_NATIVE */
#endif

#endif
