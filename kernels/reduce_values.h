/* What is summed over the particles (see reduce.cl). */
#ifndef FRESHET_REDUCE_VALUES_H
#define FRESHET_REDUCE_VALUES_H

#include "common.h"

/* Value of quantity `what` (enum particle_sum) of particle p. */
float reduce_particle_value(global const float *position, global const float *velocity, int stride,
			    int p, int what)
{
	if (what == SUM_KINETIC) {
		float square = 0.0f;
		for (int c = 0; c < DIM; c++)
			square += velocity[c * stride + p] * velocity[c * stride + p];
		return 0.5f * square;
	}
	int c = what < SUM_VX ? what - SUM_X : what - SUM_VX;
	if (c >= DIM)
		return 0.0f;
	return what < SUM_VX ? position[c * stride + p] : velocity[c * stride + p];
}

#ifndef FRESHET_NATIVE
/* The values of 16 particles from p on. */
float16 reduce_16_values(global const float *position, global const float *velocity, int stride,
			 int p, int what)
{
	if (what == SUM_KINETIC) {
		float16 square = (float16)(0.0f);
		for (int c = 0; c < DIM; c++) {
			float16 v = vload16(0, velocity + c * stride + p);
			square += v * v;
		}
		return 0.5f * square;
	}
	int c = what < SUM_VX ? what - SUM_X : what - SUM_VX;
	if (c >= DIM)
		return (float16)(0.0f);
	return vload16(0, (what < SUM_VX ? position : velocity) + c * stride + p);
}
#endif /* FRESHET_NATIVE */

#endif
