/* Velocity of solids that move. */
#ifndef FRESHET_MOVER_H
#define FRESHET_MOVER_H

#include "common.h"

/* Of a mover (MOVER_WORDS) at x while its center is at `center`, m/s: V + w x (x - center). */
void mover_velocity(global const float *mover, const float center[3], const float x[3],
		    float velocity[3])
{
	for (int a = 0; a < 3; ++a) {
		const int b = a == 2 ? 0 : a + 1, c = a == 0 ? 2 : a - 1;
		velocity[a] =
			mover[MOVER_VELOCITY + a] + (mover[MOVER_SPIN + b] * (x[c] - center[c]) -
						     mover[MOVER_SPIN + c] * (x[b] - center[b]));
	}
}

#endif
