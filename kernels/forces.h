/* What body forces add to the velocity of a face. */
#ifndef FRESHET_FORCES_H
#define FRESHET_FORCES_H

#include "common.h"

/* To the face of component c at lattice point (i,j,k), m/s. */
ALWAYS_INLINE float forces_kick(const struct kick kick, int c, int i, int j, int k)
{
	float dv = kick.first[c];
	if (kick.varies) {
		dv += (float)i * kick.slope[3 * c];
		dv += (float)j * kick.slope[3 * c + 1];
#if DIM == 3
		dv += (float)k * kick.slope[3 * c + 2];
#else
		(void)k;
#endif
	}
	return dv;
}

#endif
