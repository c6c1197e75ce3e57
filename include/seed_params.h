/* How one liquid is seeded.  Read by both compilers; 4-byte scalars only. */
#ifndef FRESHET_SEED_PARAMS_H
#define FRESHET_SEED_PARAMS_H

#include "shared.h"

/* Seeds closer to a solid than this, in cells, count as inside it. */
#define SEED_CLEARANCE 1e-4f

struct seed_params {
	i32 liquid;		 /* its place in the scene; earlier liquids win */
	u32 seed;		 /* of the random numbers */
	i32 particles_per_cell;	 /* of the sub-cells of a cell, this many get a particle */
	i32 divisions;		 /* sub-cells per axis, divisions^DIM >= particles_per_cell */
	f32 jitter;		 /* 0 = middle of the sub-cell, 1 = anywhere in it */
	f32 velocity[3];	 /* m/s, at the pivot */
	f32 angular_velocity[3]; /* rad/s about the pivot */
	f32 pivot[3];		 /* m */
};

/* What the count kernel adds up (u32 each). */
enum seed_total {
	SEED_KEPT_LOW, /* particles, lower and upper word */
	SEED_KEPT_HIGH,
	SEED_IN_SOLIDS, /* seeds that a solid holds */
	SEED_LOOPS_CUT, /* loops.h */
	SEED_TOTALS
};

#endif
