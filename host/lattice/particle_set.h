/*
 * The particles on the device.  D = dimensions, N = capacity.
 */
#ifndef FRESHET_PARTICLE_SET_H
#define FRESHET_PARTICLE_SET_H

#include "id_ranges.h"
#include "lattice.h"

/* One copy of the particles.  Sorted copies are in key order, by id within a cell. */
struct particle_set {
	union f32_buffer position; /* f32 [D][N], m */
	union f32_buffer velocity; /* f32 [D][N], m/s */
	union f32_buffer affine;   /* f32 [D*D][N], 1/s, row = component; APIC only */
	union u32_buffer id;	   /* u32 [N]; ids in order of liquid, cell, k */
};

struct particles {
	struct particle_set now;     /* the state */
	struct particle_set before;  /* the state at the start of the substep, unsorted */
	union u32_buffer cell_start; /* u32 [keys+1], first particle of each sort key */
	union u32_buffer order;	     /* u32 [N], in a substep: where a particle was before the
				      * sort; one element unless solids split cells */
	u32 count, capacity;
	bool has_affine;      /* the affine matrices are there: APIC */
	u32 removed_at_sort;  /* value of SCALAR_REMOVED_OPEN when count was taken */
	u32 count_before;     /* of `before`: removed particles were still in it */
	bool sorted;	      /* in this substep: `before` is its start */
	struct id_ranges ids; /* that were given, and their liquids */
};

/* The last pass of the sort: particle order[q] (u32 [N]) of `before` becomes particle q of `now`,
 * but for affine matrices. */
bool particles_permute(struct lattice *lattice, struct particles *particles,
		       const union u32_buffer *order);
/* Bounds of the particles' speeds, and whether all are finite, into the scalars (maxima). */
bool particles_bounds(struct lattice *lattice, const struct particles *particles);

#endif
