#include "solids.h"

bool solids_share_volumes(struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	const i32 ops = (i32)sim->solid_op_count;
	const enum kernel_id add =
		sim->solids_split ? K_SOLIDS_ADD_SPLIT_SHARES : K_SOLIDS_ADD_SHARES;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	struct clx_buffer sum = {0};
	bool done = clx_alloc(cl, &sum, "shares of cells", (size_t)g.lattice, sizeof(u32)) &&
		    clx_zero(cl, &sum, 0, (size_t)g.lattice * sizeof(u32));
	/* A point, twice; or the ways out of both its parts. */
	const i32 evaluations = sim->solids_split ? 128 : 2;
	for (i32 first = 0, last = 0; done && first < SOLIDS_SHARES(sim->dim); first = last) {
		last = solids_turns(sim, first, SOLIDS_SHARES(sim->dim), evaluations);
		done = LAUNCH(cl, add, points, ARG(g), BUF(sim->shape_ops), ARG(ops),
			      BUF(sim->shape_points), BUF(sim->solid_phi), BUF(sim->open_fraction),
			      ARG(first), ARG(last), BUF(sum), BUF(sim->scalars));
	}
	done = done &&
	       LAUNCH(cl, K_SOLIDS_TAKE_SHARES, points, ARG(g), BUF(sim->solid_phi), BUF(sum),
		      BUF(sim->volume_open)) &&
	       clx_wait(cl);
	clx_free(cl, &sum);
	return done;
}
