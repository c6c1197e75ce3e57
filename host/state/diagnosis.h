/* What is wrong with a substep: the first values that are not finite, where they are, and which
 * stage made them. */
#ifndef FRESHET_DIAGNOSIS_H
#define FRESHET_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "shared.h"

#define DIAGNOSIS_MOST 5 /* places that are kept; all are counted */

/* A value on the grid; cell is that of the lattice point, in 2D without the last index. */
struct diagnosis_cell {
	char field[64]; /* in words, unit included */
	i32 cell[3];
	double position[3]; /* m, of the face or the cell's centre */
	double value;
};
struct diagnosis_particle {
	u32 id;
	double position[3], velocity[3]; /* m, m/s */
};

/* Zeroed = nothing known.  The places are those of the first stage with bad values, in the order of
 * the lattice and of the sort. */
struct diagnosis {
	bool failed; /* a substep has: what follows is about it */
	int frame, substep, attempts;
	double time, dt; /* s: where it starts, its length at the last attempt */
	double speed;	 /* m/s, greatest of the last projection */
	const char *cause, *cause_name;
	const char *stage;   /* where it was noticed */
	const char *made_by; /* which stage's result has the places below */
	u64 cell_count, particle_count;
	size_t cells_kept, particles_kept;
	struct diagnosis_cell cells[DIAGNOSIS_MOST];
	struct diagnosis_particle particles[DIAGNOSIS_MOST];
};

#endif
