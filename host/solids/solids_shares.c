#include "solids.h"

bool solids_share_volumes(struct solids *solids)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const i32 ops = (i32)solids->op_count;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	union u32_buffer sum = {0};
	bool done = clx_alloc(cl, &sum, "shares of cells", (size_t)g.lattice) &&
		    clx_zero(cl, &sum, 0, (size_t)g.lattice * sizeof(u32));
	/* A point, twice; or the ways out of both its parts. */
	const i32 evaluations = solids->split ? 128 : 2;
	for (i32 first = 0, last = 0; done && first < SOLIDS_SHARES(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_SHARES(solids->lattice->dim),
				    evaluations);
		done = LAUNCH_EITHER(cl, solids->split, solids_add_split_shares, solids_add_shares,
				     points, .g = &g, .ops = &solids->ops, .op_count = I32(ops),
				     .points = &solids->points, .solid_phi = &solids->phi,
				     .open_fraction = &solids->open_fraction, .first = I32(first),
				     .last = I32(last), .sum = &sum,
				     .scalars = &solids->lattice->scalars);
	}
	done = done &&
	       LAUNCH(cl, solids_take_shares, points, .g = &g, .solid_phi = &solids->phi,
		      .sum = &sum, .volume_open = &solids->volume_open) &&
	       clx_wait(cl);
	clx_free(cl, &sum);
	return done;
}
