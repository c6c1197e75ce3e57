#include "solids.h"

bool solids_cut_density(struct sim *sim, struct clx_buffer *sum, i32 bits)
{
	const struct particles *p = &sim->particles;
	const struct grid g = sim->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const size_t runs = (p->count + SOLIDS_SUMS_RUN - 1) / SOLIDS_SUMS_RUN;
	return !sim->solids_split || n == 0 ||
	       LAUNCH(sim->cl, K_SOLIDS_CUT_DENSITY, clx_range1(runs), ARG(g), ARG(bits),
		      BUF(p->now.position), ARG(stride), ARG(n), BUF(sim->solid_phi),
		      BUF(sim->open_fraction), BUF(*sum));
}

bool solids_cut_drift(struct sim *sim, struct clx_buffer *sum, i32 bits)
{
	const struct particles *p = &sim->particles;
	const struct grid g = sim->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	return sim->scene->solid_count == 0 || n == 0 ||
	       LAUNCH(sim->cl, K_SOLIDS_CUT_DRIFT, clx_range1(p->count), ARG(g), ARG(bits),
		      BUF(p->now.position), BUF(p->now.id), ARG(stride), ARG(n),
		      BUF(sim->solid_phi), BUF(sim->open_fraction), BUF(*sum));
}
