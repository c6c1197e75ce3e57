/* Parts of walls through which particles leave, and how those are placed that come in there.  Read
 * by both compilers; 4-byte scalars only. */
#ifndef FRESHET_OUTFLOW_PARAMS_H
#define FRESHET_OUTFLOW_PARAMS_H

#include "shared.h"

struct outflow_params {
	i32 wall;		/* enum wall_side */
	f32 low[3], high[3];	/* m, of the part; along the wall's axis of no meaning */
	f32 reach;		/* m, farther off no particle leaves in the substep */
	i32 first[3], count[3]; /* cells along each axis, one across */
	i32 base;		/* of its first face in the lists; -1: it has none there */
	i32 which;		/* outflow */
};

struct outflow_seed {
	i32 wall;
	u32 seed, stream; /* of the random numbers */
	f32 jitter;	  /* 0 = at the site, 1 = anywhere in its part of the layer */
	f32 inside;	  /* m from the wall, where their way starts */
	f32 spacing[3];	  /* m between sites, by axis */
};

#endif
