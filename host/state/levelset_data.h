/* A level set that the grid carries (stages/grid/grid_levelset.c): what a simulation holds of it.
 */
#ifndef FRESHET_LEVELSET_DATA_H
#define FRESHET_LEVELSET_DATA_H

#include <stdbool.h>

#include "distance.h"

struct levelset {
	/* f32 [L], m, at cell centres, < 0 in liquid: with sim->u_face the state; and at the start
	 * of the substep.  sim->vof.volume follows from it. */
	union f32_buffer phi, before;
	/* in the scratch */
	struct distance distance;
	union f32_buffer distances; /* f32 [L], m */
	int64_t units_start;	    /* sum of C of the scene's shapes */
	bool start_known;	    /* false until that has been counted */
};

#endif
