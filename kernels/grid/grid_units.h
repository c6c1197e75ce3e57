/* Sums of units of volume, in two words. */
#ifndef FRESHET_GRID_UNITS_H
#define FRESHET_GRID_UNITS_H

#include "common.h"

/* A sum of units in two words. */
struct grid_units {
	uint low, high;
};

ALWAYS_INLINE void grid_count(struct grid_units *sum, int units)
{
	/* As 64 bits, two's complement. */
	const uint low = sum->low + (uint)units;
	sum->high += (low < sum->low ? 1u : 0u) + (units < 0 ? ~0u : 0u);
	sum->low = low;
}

ALWAYS_INLINE void grid_add(volatile global uint *words, const struct grid_units sum)
{
	uint high = sum.high;
	if (sum.low && atomic_add(words, sum.low) + sum.low < sum.low)
		high++;
	if (high)
		atomic_add(words + 1, high);
}

#endif
