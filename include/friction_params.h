/* Friction at walls in a substep.  Read by both compilers; 4-byte scalars only. */
#ifndef FRESHET_FRICTION_PARAMS_H
#define FRESHET_FRICTION_PARAMS_H

#include "shared.h"

/* As enum scene_wall_law has them. */
enum friction_kind { FRICTION_NONE, FRICTION_SMOOTH, FRICTION_ROUGH };

/* kappa / ln(30 y / k_s) at y = (1/4 + n/FRICTION_STEPS) h, n = 0 ... FRICTION_STEPS. */
#define FRICTION_STEPS 32
#define FRICTION_TABLE (FRICTION_STEPS + 1)

struct friction_params {
	i32 kind; /* of the box's walls; solid s, by its place in their program, has kinds[s] */
	i32 solid_count, rest_count; /* the first rest, the others move */
	f32 dt;			     /* s */
	f32 viscosity;		     /* m^2/s */
	/* Of the walls across, in 2D: 2 / width, 1/m, 0 without; half the width, m; and what the
	 * table has there. */
	f32 across, across_y, across_rough;
};

/* Which part of the friction is summed: that at one solid, for its loads, or all. */
struct friction_part {
	i32 solid;		/* its place; -1: all */
	struct lattice_box box; /* cells that the solid may touch; all of them */
	f32 center[3];		/* m, of the torque */
};

/* Sums over faces: the work on the liquid and on the solid, as (m/s)^2; impulse by axis and its
 * moment about the center, on the liquid, as m/s and m^2/s.  All in units of a cell's liquid. */
#define FRICTION_SUMS 8
enum friction_sum {
	FRICTION_WORK,
	FRICTION_IMPULSE,
	FRICTION_MOMENT = FRICTION_IMPULSE + 3,
	FRICTION_SOLID_WORK = FRICTION_MOMENT + 3
};

#endif
