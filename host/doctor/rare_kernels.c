#include "rare_kernels.h"

#include "distance.h"
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
