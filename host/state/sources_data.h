/*
 * Where liquid comes in: parts of walls with a given velocity, and the lattice of particles that
 * moves through them with the liquid.  A layer of the lattice enters when the liquid has come by
 * its distance; so how many have entered is a function of time alone, and nothing is state but the
 * number of particles that came in.
 */
#ifndef FRESHET_SOURCES_DATA_H
#define FRESHET_SOURCES_DATA_H

#include "clx.h"
#include "ledger_data.h"

struct inflow {
	u32 sites;	       /* particles of a layer */
	double layer;	       /* m between layers: their particles are the volume that comes in */
	double spacing[3];     /* m between sites */
	double mean[3];	       /* m, mean of the sites */
	union f32_buffer site; /* f32 [D][sites], m */
	u32 entering;	       /* particles, in this substep */
};

struct sources {
	struct inflow *inflow; /* [count], as the scene has them */
	size_t count;
	size_t out_count;	    /* outflows: those with a velocity have faces here too */
	union i32_buffer face;	    /* i32 [faces], places in flow */
	union f32_buffer share;	    /* f32 [faces], part of the face that is open to it */
	union i32_buffer of_inflow; /* i32 [faces] */
	union f32_buffer
		speed; /* f32 [count + out_count], m/s towards +axis, mean of the substep */
	u32 faces;
	i32 has_flow;		 /* 1: there are faces */
	u32 entering;		 /* particles of all, in this substep */
	struct ledger_sums sums; /* over those, at their sites */
};

#endif
