#include "distance.h"

#include "bits.h"

/* Cells from the surface within which sweeping starts from exact distances: its first-order error
 * is made where the surface's curvature is felt most. */
#define BAND 4

size_t distance_bytes(size_t lattice, int dim)
{
	return lattice * ((size_t)dim * sizeof(f32) + 2 * sizeof(u32));
}

bool distance_init(struct distance *d, const struct lattice *lattice)
{
	const size_t points = (size_t)lattice->grid.lattice;
	*d = (struct distance){0};
	if (clx_alloc(lattice->cl, &d->point, "surface points", points * (size_t)lattice->dim) &&
	    clx_alloc(lattice->cl, &d->nearest[0], "nearest seeds", points) &&
	    clx_alloc(lattice->cl, &d->nearest[1], "nearest seeds, next", points))
		return true;
	distance_finish(d, lattice->cl);
	return false;
}

void distance_finish(struct distance *d, struct clx *cl)
{
	clx_free(cl, &d->point);
	clx_free(cl, &d->nearest[0]);
	clx_free(cl, &d->nearest[1]);
}

static bool place_seeds(struct distance *d, const struct lattice *lattice,
			const union f32_buffer *phi)
{
	const struct grid g = lattice->grid;
	return LAUNCH(lattice->cl, distance_seeds, lattice_points(lattice), .g = &g, .phi = phi,
		      .point = &d->point, .nearest = &d->nearest[0]);
}

static bool jump_once(struct distance *d, const struct lattice *lattice, i32 step, i32 by_foot)
{
	const struct grid g = lattice->grid;
	if (!LAUNCH(lattice->cl, distance_jump, lattice_points(lattice), .g = &g, .step = I32(step),
		    .by_foot = I32(by_foot), .point = &d->point, .nearest = &d->nearest[0],
		    .nearest_out = &d->nearest[1]))
		return false;
	union u32_buffer swap = d->nearest[0];
	d->nearest[0] = d->nearest[1];
	d->nearest[1] = swap;
	return true;
}

bool distance_flood(struct distance *d, const struct lattice *lattice, const union f32_buffer *phi)
{
	const struct grid *g = &lattice->grid;
	const i32 wider = g->nx > g->ny ? g->nx : g->ny, longest = wider > g->nz ? wider : g->nz;
	const i32 steps = log2_ceil((u64)longest);
	/* JFA+2: half the least power of two that spans the grid, and so on down to 1; 2; 1. */
	if (!place_seeds(d, lattice, phi))
		return false;
	for (i32 n = steps - 1; n >= 0; n--)
		if (!jump_once(d, lattice, 1 << n, 0))
			return false;
	return jump_once(d, lattice, 2, 0) && jump_once(d, lattice, 1, 0);
}

/* Distances from the nearest seeds known, within `reach` cells if that is not 0. */
static bool measure_distances(struct distance *d, const struct lattice *lattice, f32 reach,
			      const union f32_buffer *phi, union f32_buffer *phi_out)
{
	const struct grid g = lattice->grid;
	return LAUNCH(lattice->cl, distance_measure, lattice_points(lattice), .g = &g,
		      .reach = F32(reach), .phi = phi, .point = &d->point,
		      .nearest = &d->nearest[0], .distance = phi_out);
}

static bool restore_sign(const struct lattice *lattice, const union f32_buffer *phi,
			 union f32_buffer *phi_out)
{
	const struct grid g = lattice->grid;
	return LAUNCH(lattice->cl, distance_sign, lattice_points(lattice), .g = &g, .phi = phi,
		      .distance = phi_out);
}

bool distance_flood_redistance(struct distance *d, const struct lattice *lattice,
			       const union f32_buffer *phi, union f32_buffer *phi_out)
{
	/* The nearest cell need not have the nearest foot: a neighbour's may be nearer. */
	return distance_flood(d, lattice, phi) && jump_once(d, lattice, 1, 1) &&
	       measure_distances(d, lattice, 0.0f, phi, phi_out) &&
	       restore_sign(lattice, phi, phi_out);
}

bool distance_redistance(struct distance *d, const struct lattice *lattice,
			 const union f32_buffer *phi, union f32_buffer *phi_out)
{
	const struct grid g = lattice->grid;
	const i32 planes = g.nx + g.ny + g.nz - 2;
	if (!place_seeds(d, lattice, phi))
		return false;
	for (int pass = 0; pass < BAND; pass++)
		if (!jump_once(d, lattice, 1, 1))
			return false;
	if (!measure_distances(d, lattice, (f32)BAND, phi, phi_out))
		return false;
	for (i32 sweep = 0; sweep < 1 << lattice->dim; sweep++)
		for (i32 plane = 0; plane < planes; plane++)
			if (!LAUNCH(lattice->cl, distance_sweep,
				    clx_range3((size_t)g.ny, (size_t)g.nz, 1), .g = &g,
				    .sweep = I32(sweep), .plane = I32(plane),
				    .nearest = &d->nearest[0], .distance = phi_out))
				return false;
	return restore_sign(lattice, phi, phi_out);
}
