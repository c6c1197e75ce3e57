/* Liquid on the grid alone (stages/grid/): what a simulation holds of it. */
#ifndef FRESHET_VOF_DATA_H
#define FRESHET_VOF_DATA_H

#include <stdbool.h>

#include "clx.h"

struct vof {
	/* u32 [L]: C at cells in units of 2^-30; as i32, since rounding may take it below 0.  The
	 * state, with sim->u_face; and both at the start of the substep. */
	union u32_buffer volume, before;
	union f32_buffer u_before; /* f32 [D][L], m/s */
	/* in the scratch */
	union i32_buffer flux;	      /* i32 [L], units through the faces of a sweep's axis */
	union f32_buffer plane;	      /* f32 [L], cells: phi of cells that have a plane */
	union f32_buffer normal;      /* f32 [D][L], unit normals of the planes */
	union f32_buffer traced;      /* f32 [D][L], m/s, semi-Lagrangian velocity */
	union f32_buffer least, most; /* f32 [D][L], m/s, the values that it is among */
	/* sums of C in the last attempt at a substep: at its start, at its end, what left */
	int64_t units_before, units_after, units_out;
	int64_t units;	  /* sum of C in the state that counts: the next substep must find it */
	bool units_known; /* false until that has been measured */
};

#endif
