/*
 * Signed distances over the whole grid from a field at cell centres whose zero set is the surface
 * (kernels/levelset/distance.cl).  Near the surface exact for the interpolant of the field;
 * elsewhere
 *   jump flooding, JFA+2: from the nearest cell beside the surface to the nearest point of it; or
 *   fast sweeping (Zhao 2005): first order, error growing like h log(1/h).
 * Fields are f32 [L], m, < 0 inside; slots that are no cell keep what they hold.  Without a surface
 * every distance is size_x + size_y + size_z.  `method: grid` with `surface: levelset` redistances
 * by it.
 */
#ifndef FRESHET_DISTANCE_H
#define FRESHET_DISTANCE_H

#include "lattice.h"

/* Scratch, owned by whoever declares it: (dim + 2) * 4 bytes per lattice point. */
struct distance {
	union f32_buffer point;	     /* f32 [D][L], m: foot of a cell beside the surface */
	union u32_buffer nearest[2]; /* u32 [L]: cell whose seed is nearest, 0xffffffff = none */
};

size_t distance_bytes(size_t lattice, int dim);
bool distance_init(struct distance *d, const struct lattice *lattice);
void distance_finish(struct distance *d, struct clx *cl); /* accepts a zeroed one */

/* Seeds (the cells beside the surface) and, in d->nearest[0], the nearest of them for every cell,
 * from centre to centre, the least of equally near ones: exactly within 5 cells; further away a
 * cell in a thousand gets one that is up to a quarter of a cell more distant. */
bool distance_flood(struct distance *d, const struct lattice *lattice, const union f32_buffer *phi);

/* phi_out = distances by jump flooding. */
bool distance_flood_redistance(struct distance *d, const struct lattice *lattice,
			       const union f32_buffer *phi, union f32_buffer *phi_out);
/* phi_out = distances by fast sweeping: the 2^dim sweep directions once each, bit a of the sweep's
 * number reversing axis a, each by hyperplanes. */
bool distance_redistance(struct distance *d, const struct lattice *lattice,
			 const union f32_buffer *phi, union f32_buffer *phi_out);

#endif
