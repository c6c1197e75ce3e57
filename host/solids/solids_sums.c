#include "solids_particles.h"

bool solids_cut_density(struct solids *solids, const struct particles *p, union u32_buffer *sum,
			i32 bits)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const size_t runs = (p->count + SOLIDS_SUMS_RUN - 1) / SOLIDS_SUMS_RUN;
	return !solids->split || n == 0 ||
	       LAUNCH(solids->lattice->cl, solids_cut_density, clx_range1(runs), .g = &g,
		      .bits = I32(bits), .position = &p->now.position, .stride = I32(stride),
		      .n = I32(n), .solid_phi = &solids->phi,
		      .open_fraction = &solids->open_fraction, .sum = sum);
}

bool solids_cut_drift(struct solids *solids, const struct particles *p, union u32_buffer *sum,
		      i32 bits)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const size_t runs = (p->count + SOLIDS_SUMS_RUN - 1) / SOLIDS_SUMS_RUN;
	return solids->count == 0 || n == 0 ||
	       LAUNCH(solids->lattice->cl, solids_cut_drift, clx_range1(runs), .g = &g,
		      .bits = I32(bits), .position = &p->now.position, .id = &p->now.id,
		      .stride = I32(stride), .n = I32(n), .solid_phi = &solids->phi,
		      .open_fraction = &solids->open_fraction, .sum = sum);
}
