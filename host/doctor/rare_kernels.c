#include "rare_kernels.h"

#include <math.h>

#include "distance.h"
#include "neighbours/neighbours.h"
#include "sim_copies.h"
#include "surface.h"

bool rare_kernels_surface(struct sim *sim)
{
	struct surface surface = {0};
	struct mesh mesh = {0};
	const bool ok = surface_init(&surface, subject_of(sim)) && surface_update(&surface) &&
			surface_mesh(&surface, &mesh);
	mesh_free(&mesh);
	surface_finish(&surface);
	return ok;
}

bool rare_kernels_distances(struct sim *sim)
{
	struct distance distance = {0};
	union f32_buffer out = {0};
	const bool ok = clx_alloc(sim->cl, &out, "distances", (size_t)sim->lattice.grid.lattice) &&
			distance_init(&distance, &sim->lattice) &&
			distance_flood_redistance(&distance, &sim->lattice, &sim->phi, &out) &&
			distance_redistance(&distance, &sim->lattice, &sim->phi, &out);
	distance_finish(&distance, sim->cl);
	clx_free(sim->cl, &out);
	return ok;
}

/* The cell of the first particle becomes a solid one. */
bool rare_kernels_stuck(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const i32 cells[3] = {g.nx, g.ny, g.nz}, step[3] = {1, g.px, g.px * g.py};
	const uint8_t solid = CELL_SOLID;
	size_t at = 0;
	for (int a = 0; a < sim->dim; a++) {
		f32 x;
		if (!clx_read(sim->cl, &sim->particles.now.position,
			      (size_t)a * sim->particles.capacity * sizeof(x), sizeof(x), &x))
			return false;
		const double cell = floor((double)x / (double)g.h);
		at += (size_t)step[a] * (size_t)fmin(fmax(cell, 0.0), cells[a] - 1.0);
	}
	return clx_write(sim->cl, &sim->cell_type, at, 1, &solid) && neighbours_correct(sim);
}

bool rare_kernels_copy(struct sim *sim)
{
	union float4_buffer to = {0};
	const i32 n = 16;
	const bool ok = clx_alloc(sim->cl, &to, "copy", 4 * (size_t)n) &&
			LAUNCH(sim->cl, bench_copy, clx_range1((size_t)n),
			       .from = CLX_AS(float4, &sim->u_face), .to = &to, .n = I32(n));
	clx_free(sim->cl, &to);
	return ok;
}
