/* Particles that smooth (stages/sph/): what a simulation holds of them.  N = particles.capacity. */
#ifndef FRESHET_SPH_DATA_H
#define FRESHET_SPH_DATA_H

#include <stdbool.h>

#include "clx.h"

/* What is solved for. */
enum sph_purpose { SPH_PRESSURE, SPH_SHIFT, SPH_PURPOSES };

/* Neighbours of a particle that its list holds; with more it looks for them. */
#define SPH_SLOTS(dim) ((dim) == 3 ? 72 : 32)

struct sph {
	/* Of particles in the order of the sort, made anew in every substep. */
	union u32_buffer count;	   /* u32 [N], neighbours */
	union u32_buffer list;	   /* u32 [slots][N] or [N][slots] */
	union f32_buffer gradient; /* f32, the same, 1/m^2: V grad W over x_ij */
	union f32_buffer diagonal; /* f32 [N], m^2, 1 over that of the operator */
	union f32_buffer k;	   /* f32 [N], pressure: m^2; m^2/s^2 with an equation of state */
	union f32_buffer change;   /* f32 [D][N], what k makes: m; m/s */
	union f32_buffer source;   /* f32 [N], right-hand side */
	union f32_buffer rest, active, direction, before, product; /* f32 [N], of a solve */
	union pair_buffer partial;				   /* float2 [2][chunks] */
	union u32_buffer state, next, meeting;			   /* of a solve; words */

	double spacing, radius, volume; /* m; m; m^2, m^3, of a particle */
	double sound;			/* m/s, of an equation of state */
	double weight, slope;		/* struct sph_params */
	int slots;			/* 0: neighbours are looked for every time */
	bool keeps;			/* gradients, too */
	int expected[SPH_PURPOSES];	/* iterations that the last solve took */
	int shift_iterations;		/* in this substep */
};

#endif
