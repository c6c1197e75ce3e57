/* A force field in a substep.  Read by both compilers; 4-byte scalars only. */
#ifndef FRESHET_FORCE_PARAMS_H
#define FRESHET_FORCE_PARAMS_H

#include "shared.h"

/* As enum scene_force_kind has them. */
enum force_kind {
	FIELD_POINT,
	FIELD_VORTEX,
	FIELD_WIND,
	FIELD_DRAG,
	FIELD_CUSTOM,
	FIELD_VORTICITY
};

struct force_params {
	i32 kind;
	i32 first_op, op_count; /* of the shape that it acts in; 0: everywhere */
	f32 per_falloff;	/* 1/m, one over the way on which it fades outside; 0: at once */
	f32 center[3], axis[3];
	i32 quarters;	 /* point, vortex: (core^2/(r^2 + core^2))^(quarters/4) is the profile */
	f32 core_square; /* m^2 */
	/* The rest has the factor of the time in it.  1/s^2 at the core: along the circle, or
	 * towards the point; vortex: towards the axis.  Drag: strength 1/s; vorticity: strength
	 * 1/s; wind: strength 1/m, of which by |w - u| the rate is. */
	f32 strength, pull;
	f32 vector[3]; /* custom: m/s^2; wind: its velocity, m/s */
};

#endif
