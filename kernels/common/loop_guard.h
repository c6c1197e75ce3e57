/*
 * Were loops cut off, as some devices do after so many turns, silently (docs/portability.md)?
 * Kernels whose loops go through shapes end with loops_check(), so that what they give then is
 * never taken.
 */
#ifndef FRESHET_LOOPS_H
#define FRESHET_LOOPS_H

#include "common.h"

/* One turn of a loop that no compiler does without: a linear congruential generator. */
uint loops_turn(uint x)
{
	return x * 1664525u + 1013904223u;
}

/* Two turns are one too many for a work-item whose loops were cut off.  parts: what its loops went
 * through, at least 0, which the compiler must not know.  *cut: 1 if so, otherwise as it is. */
void loops_check(int parts, global uint *cut)
{
	uint x = 1u;
	for (int turn = parts < 0 ? -1 : 0; turn < 2; ++turn)
		x = loops_turn(x);
	if (x != loops_turn(loops_turn(1u)))
		*cut = 1u;
}

#endif
