#include "solids_particles.h"

bool solids_cut_density(struct solids *solids, const struct particles *p, struct clx_buffer *sum,
			i32 bits)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const size_t runs = (p->count + SOLIDS_SUMS_RUN - 1) / SOLIDS_SUMS_RUN;
	return !solids->split || n == 0 ||
	       LAUNCH(solids->lattice->cl, K_SOLIDS_CUT_DENSITY, clx_range1(runs), ARG(g),
		      ARG(bits), BUF(p->now.position), ARG(stride), ARG(n), BUF(solids->phi),
		      BUF(solids->open_fraction), BUF(*sum));
}

bool solids_cut_drift(struct solids *solids, const struct particles *p, struct clx_buffer *sum,
		      i32 bits)
{
	const struct grid g = solids->lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	return solids->count == 0 || n == 0 ||
	       LAUNCH(solids->lattice->cl, K_SOLIDS_CUT_DRIFT, clx_range1(p->count), ARG(g),
		      ARG(bits), BUF(p->now.position), BUF(p->now.id), ARG(stride), ARG(n),
		      BUF(solids->phi), BUF(solids->open_fraction), BUF(*sum));
}
