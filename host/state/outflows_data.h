/*
 * Where liquid leaves through walls.  Of parts with a pressure the faces are listed one by one:
 * each counts the liquid that has come in through it, in particles, less those that did and more
 * those that left; where it has a whole one to its credit, one comes in.
 */
#ifndef FRESHET_OUTFLOWS_DATA_H
#define FRESHET_OUTFLOWS_DATA_H

#include "clx.h"
#include "ledger_data.h"

/* A face of a part with a pressure. */
struct outflow_face {
	double low[3], high[3]; /* m, what the part covers of it */
	double share;		/* of the face that is open to it */
	double owed;		/* particles to its credit: state */
	double next_owed;	/* after the substep */
	u32 turn, next_turn;	/* particles that have come in through it: state */
	u32 entering;		/* in this substep */
	u32 outflow;
};

struct outflow {
	i32 first[3], count[3]; /* cells along each axis, one across */
	i32 base;		/* its first face; -1: it has a velocity, and none is listed */
	u32 entering;		/* particles, in this substep */
};

struct outflows {
	struct outflow *outflow; /* [count], as the scene has them */
	size_t count;
	struct outflow_face *face; /* [faces] */
	u32 faces;
	u32 most;		 /* particles that can come in in a substep */
	union i32_buffer slot;	 /* i32 [faces], places in face arrays */
	union i32_buffer cell;	 /* i32 [faces], lattice points of their cells */
	union i32_buffer part;	 /* i32 [faces], open part, of FRACTION_ONE */
	union f32_buffer inward; /* f32 [faces], 1 or -1: the sign of u that comes in */
	union f32_buffer push;	 /* f32 [faces], m/s, of the pressure outside */
	union f32_buffer pushed; /* f32 [faces], m/s, where liquid is */
	union u32_buffer left;	 /* u32 [faces], particles, in this substep */
	union u32_buffer report; /* u32 [2 faces], u and left of each */
	union f32_buffer place;	 /* f32 [4 most], of those that come in */
	f32 *values;		 /* [4 most or 2 faces], to and from the device */
};

#endif
