/* What particles and those near them need: `solver.drift` push and springs, collisions, particles
 * in solids.  All are empty in scenes without. */
#ifndef FRESHET_NEIGHBOURS_DATA_H
#define FRESHET_NEIGHBOURS_DATA_H

#include "clx.h"

struct neighbours {
	union u32_buffer order;	   /* u32 [N], particles by cell, in it by id */
	union i32_buffer move;	   /* i32 [D][N], in units of 2^-24 cells */
	union u32_buffer contacts; /* u32 [N + 1], the last for a count of all */
	union f32_buffer velocity; /* f32 [D][N], m/s, to be that of the particles */
	double rest;	  /* density inside the liquid at the start, of a full cell; 0 without
			   * push and springs: state */
	u32 repositioned; /* particles, so far: state */
	u32 repositioned_in_substep; /* in this one */
};

#endif
