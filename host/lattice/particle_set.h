/*
 * The particles on the device.  D = dimensions, N = capacity.
 */
#ifndef FRESHET_PARTICLE_SET_H
#define FRESHET_PARTICLE_SET_H

#include "id_ranges.h"
#include "lattice.h"
#include "particle_attributes.h"

/* One copy of the particles: `union f32_buffer position` and so on, a buffer for each attribute on
 * the device.  Sorted copies are in key order, by id within a cell. */
#define BUFFER_OF_F32 union f32_buffer
#define BUFFER_OF_U32 union u32_buffer
#define ATTRIBUTE_BUFFER(KIND, name, plural, type, ...) BUFFER_OF_##type name;
#define NO_BUFFER(...)
struct particle_set {
	PARTICLE_ATTRIBUTES(ATTRIBUTE_BUFFER, NO_BUFFER)
};
#undef ATTRIBUTE_BUFFER
#undef NO_BUFFER
/* The buffer of an attribute on the device that is no id. */
union f32_buffer *particle_set_values(struct particle_set *set, enum particle_attribute attribute);

struct particles {
	struct particle_set now;     /* the state */
	struct particle_set before;  /* the state at the start of the substep, unsorted */
	union u32_buffer cell_start; /* u32 [keys+1], first particle of each sort key */
	/* f32 [D][N], m: where particles stand on the grid, or are, while positions are the other;
	 * where solids that move split cells */
	union f32_buffer places;
	union u32_buffer order; /* u32 [N], in a substep: where a particle was before the
				 * sort; one element unless solids split cells */
	u32 count, capacity;
	u32 carried;	      /* attributes (bits); buffers of others are empty */
	u32 removed_at_sort;  /* lattice_removed() when count was taken */
	u32 count_before;     /* of `before`: removed particles were still in it */
	bool sorted;	      /* in this substep: `before` is its start */
	struct id_ranges ids; /* that were given, and their liquids */
};

/* Particle order[q] (u32 [N]) of `before` becomes particle q of `now`, position, velocity and id.
 */
bool particles_permute(struct lattice *lattice, struct particles *particles,
		       const union u32_buffer *order);
/* The last pass of the sort: the same, and the bounds of those that it keeps, into the scalars
 * (maxima); and, before it, what else they carry. */
bool particles_collect(struct lattice *lattice, struct particles *particles,
		       const union u32_buffer *order);
bool particles_permute_rest(struct lattice *lattice, struct particles *particles,
			    const union u32_buffer *order);

#endif
