/* How the particles of an inflow's new layers are placed.  Read by both compilers; 4-byte scalars
 * only. */
#ifndef FRESHET_INFLOW_PARAMS_H
#define FRESHET_INFLOW_PARAMS_H

#include "shared.h"

struct inflow_params {
	i32 wall;	  /* enum wall_side */
	i32 sites;	  /* of a layer */
	u32 seed, stream; /* of the random numbers */
	f32 jitter;	  /* 0 = at the site, 1 = anywhere in its part of the layer */
	f32 depth;	  /* m, of the first of these layers in the box */
	f32 layer;	  /* m, by which each is less deep than the one before */
	f32 spacing[3];	  /* m between sites, by axis */
	f32 slope[3];	  /* m along the wall by m of depth, by axis; 0 across it */
	f32 velocity[3];  /* m/s */
};

#endif
