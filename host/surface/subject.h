/*
 * What surfaces, pictures and probes are of: the parts of a simulation that they look at, as they
 * are now.  Borrowed; nothing is written.  (files/sim_copies.c makes it.)
 */
#ifndef FRESHET_SUBJECT_H
#define FRESHET_SUBJECT_H

#include "lattice.h"
#include "particle_set.h"
#include "scene.h"
#include "solids.h"

struct subject {
	const struct scene *scene;
	const struct lattice *lattice; /* its device, too */
	const struct solids *solids;
	const struct particles *particles;
	/* fields of the grid, as state.h says */
	const union f32_buffer *u_face, *phi, *pressure;
	const union u8_buffer *valid, *cell_type;
	const union u32_buffer *volume; /* C in units of 2^-30 with `method: grid`, else empty */
};

#endif
