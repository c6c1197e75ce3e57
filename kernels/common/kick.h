/* What body forces add to the velocity of a face. */
#ifndef FRESHET_KICK_H
#define FRESHET_KICK_H

#include "common.h"

/* The element for component c. */
#define FORCES_OF(array, x, y, z) (c == 0 ? array[x] : c == 1 ? array[y] : array[z])

/* To the face of component c at lattice point (i,j,k), m/s. */
ALWAYS_INLINE float forces_kick(const struct kick kick, int c, int i, int j, int k)
{
	/* Chosen, not indexed: docs/portability.md. */
	float dv = FORCES_OF(kick.first, 0, 1, 2);
	if (kick.varies) {
		dv += (float)i * FORCES_OF(kick.slope, 0, 3, 6);
		dv += (float)j * FORCES_OF(kick.slope, 1, 4, 7);
#if DIM == 3
		dv += (float)k * FORCES_OF(kick.slope, 2, 5, 8);
#else
		(void)k;
#endif
	}
	return dv;
}

#endif
