/* Loads: what the liquid does to the solids. */
#ifndef FRESHET_LOADS_DATA_H
#define FRESHET_LOADS_DATA_H

#include "clx.h"

/* On one solid, over some time; SI, per metre of depth in 2D. */
struct load {
	double impulse[3]; /* N s */
	double turning[3]; /* N m s, about the center of what moves, where it is; else the middle */
	double work;	   /* J, of the liquid on the solid */
};
#define LOAD_NUMBERS (sizeof(struct load) / sizeof(double))

/* A solid in the substep under way. */
struct load_motion {
	double velocity[3], spin[3]; /* m/s, rad/s, that its impulse works at */
};

struct loads {
	size_t count; /* solids, as the scene has them; 0: nobody asks */
	bool all;     /* those at rest too: output.forces */
	/* By solid: in this substep; since the last frame, in whole substeps, and how long, s. */
	struct load *now, *frame;
	/* The same of friction, behind them: NULL without, and `parts` is 1. */
	struct load *now_friction, *frame_friction;
	size_t parts; /* `frame` and `now` are [parts][count] */
	double seconds;
	struct load_motion *motion; /* [count] */
	union pair_buffer sums;	    /* [count][LOAD_SUMS], of the last solve */
	/* m^3 (2D: m^2) in this substep: what liquid without a free surface has to give way by
	 * and cannot. */
	double squeezed;
	double work;	     /* J, of the liquid on what moves, in this substep */
	bool squeeze_warned; /* the solids that do it have been named */
};

#endif
