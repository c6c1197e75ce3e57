/* Of which solid the loads are summed, and how it moves.  Read by both compilers; 4-byte scalars
 * only. */
#ifndef FRESHET_LOAD_PARAMS_H
#define FRESHET_LOAD_PARAMS_H

#include "shared.h"

/* Places of solids are those in the program of all of them: first those at rest, then those that
 * move. */
struct load_params {
	i32 own, rest_count, solid_count;
	i32 has_rest;		/* some solids move: what rests has open fractions of its own */
	i32 has_force;		/* of force fields */
	struct lattice_box box; /* cells that the solid may touch */
	f32 center[3];		/* m, of the torque; of what moves at the start of the substep */
	/* Over the substep, m/s and rad/s, about the center; and how much of that is new: what the
	 * liquid beside it has to be given. */
	f32 velocity[3], spin[3], velocity_change[3], spin_change[3];
};

/* Sums over the cells beside a solid: force by axis, torque by axis (2D: about z alone), volume
 * that it pushes into liquid without a free surface; as q and m/s. */
#define LOAD_TORQUES(dim) ((dim) == 3 ? 3 : 1)
#define LOAD_SUMS(dim) ((dim) + LOAD_TORQUES(dim) + 1)
#define LOAD_MOST_SUMS 7

#endif
