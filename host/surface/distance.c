#include "distance.h"

#include "bits.h"

/* Cells from the surface within which sweeping starts from exact distances: its first-order error
 * is made where the surface's curvature is felt most. */
#define BAND 4

size_t distance_bytes(size_t lattice, int dim)
{
	return lattice * ((size_t)dim * sizeof(f32) + 2 * sizeof(u32));
}

bool distance_init(struct distance *d, const struct sim *sim)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	*d = (struct distance){0};
	if (clx_alloc(sim->cl, &d->point, "surface points", lattice * (size_t)sim->dim) &&
	    clx_alloc(sim->cl, &d->nearest[0], "nearest seeds", lattice) &&
	    clx_alloc(sim->cl, &d->nearest[1], "nearest seeds, next", lattice))
		return true;
	distance_finish(d, sim->cl);
	return false;
}

void distance_finish(struct distance *d, struct clx *cl)
{
	clx_free(cl, &d->point);
	clx_free(cl, &d->nearest[0]);
	clx_free(cl, &d->nearest[1]);
}

static bool seeds(struct distance *d, const struct sim *sim, const union f32_buffer *phi)
{
	const struct grid g = sim->lattice.grid;
	return LAUNCH(sim->cl, distance_seeds, lattice_points(&sim->lattice), .g = &g, .phi = phi,
		      .point = &d->point, .nearest = &d->nearest[0]);
}

static bool jump(struct distance *d, const struct sim *sim, i32 step, i32 by_foot)
{
	const struct grid g = sim->lattice.grid;
	if (!LAUNCH(sim->cl, distance_jump, lattice_points(&sim->lattice), .g = &g,
		    .step = I32(step), .by_foot = I32(by_foot), .point = &d->point,
		    .nearest = &d->nearest[0], .nearest_out = &d->nearest[1]))
		return false;
	union u32_buffer swap = d->nearest[0];
	d->nearest[0] = d->nearest[1];
	d->nearest[1] = swap;
	return true;
}

bool distance_flood(struct distance *d, const struct sim *sim, const union f32_buffer *phi)
{
	const struct grid *g = &sim->lattice.grid;
	const i32 wider = g->nx > g->ny ? g->nx : g->ny, longest = wider > g->nz ? wider : g->nz;
	const i32 steps = log2_ceil((u64)longest);
	/* JFA+2: half the least power of two that spans the grid, and so on down to 1; 2; 1. */
	if (!seeds(d, sim, phi))
		return false;
	for (i32 n = steps - 1; n >= 0; n--)
		if (!jump(d, sim, 1 << n, 0))
			return false;
	return jump(d, sim, 2, 0) && jump(d, sim, 1, 0);
}

/* Distances from the nearest seeds known, within `reach` cells if that is not 0. */
static bool measure(struct distance *d, const struct sim *sim, f32 reach,
		    const union f32_buffer *phi, union f32_buffer *phi_out)
{
	const struct grid g = sim->lattice.grid;
	return LAUNCH(sim->cl, distance_measure, lattice_points(&sim->lattice), .g = &g,
		      .reach = F32(reach), .phi = phi, .point = &d->point,
		      .nearest = &d->nearest[0], .distance = phi_out);
}

static bool restore_sign(const struct sim *sim, const union f32_buffer *phi,
			 union f32_buffer *phi_out)
{
	const struct grid g = sim->lattice.grid;
	return LAUNCH(sim->cl, distance_sign, lattice_points(&sim->lattice), .g = &g, .phi = phi,
		      .distance = phi_out);
}

bool distance_flood_redistance(struct distance *d, const struct sim *sim,
			       const union f32_buffer *phi, union f32_buffer *phi_out)
{
	/* The nearest cell need not have the nearest foot: a neighbour's may be nearer. */
	return distance_flood(d, sim, phi) && jump(d, sim, 1, 1) &&
	       measure(d, sim, 0.0f, phi, phi_out) && restore_sign(sim, phi, phi_out);
}

bool distance_redistance(struct distance *d, const struct sim *sim, const union f32_buffer *phi,
			 union f32_buffer *phi_out)
{
	const struct grid g = sim->lattice.grid;
	const i32 planes = g.nx + g.ny + g.nz - 2;
	if (!seeds(d, sim, phi))
		return false;
	for (int pass = 0; pass < BAND; pass++)
		if (!jump(d, sim, 1, 1))
			return false;
	if (!measure(d, sim, (f32)BAND, phi, phi_out))
		return false;
	for (i32 sweep = 0; sweep < 1 << sim->dim; sweep++)
		for (i32 plane = 0; plane < planes; plane++)
			if (!LAUNCH(sim->cl, distance_sweep,
				    clx_range3((size_t)g.ny, (size_t)g.nz, 1), .g = &g,
				    .sweep = I32(sweep), .plane = I32(plane),
				    .nearest = &d->nearest[0], .distance = phi_out))
				return false;
	return restore_sign(sim, phi, phi_out);
}
