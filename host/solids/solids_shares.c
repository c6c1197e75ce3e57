#include "solids.h"

bool solids_share_volumes(struct solids *solids)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const i32 ops = (i32)solids->op_count;
	const enum kernel_id add = solids->split ? K_SOLIDS_ADD_SPLIT_SHARES : K_SOLIDS_ADD_SHARES;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	struct clx_buffer sum = {0};
	bool done = clx_alloc(cl, &sum, "shares of cells", (size_t)g.lattice, sizeof(u32)) &&
		    clx_zero(cl, &sum, 0, (size_t)g.lattice * sizeof(u32));
	/* A point, twice; or the ways out of both its parts. */
	const i32 evaluations = solids->split ? 128 : 2;
	for (i32 first = 0, last = 0; done && first < SOLIDS_SHARES(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_SHARES(solids->lattice->dim),
				    evaluations);
		done = LAUNCH(cl, add, points, ARG(g), BUF(solids->ops), ARG(ops),
			      BUF(solids->points), BUF(solids->phi), BUF(solids->open_fraction),
			      ARG(first), ARG(last), BUF(sum), BUF(solids->lattice->scalars));
	}
	done = done &&
	       LAUNCH(cl, K_SOLIDS_TAKE_SHARES, points, ARG(g), BUF(solids->phi), BUF(sum),
		      BUF(solids->volume_open)) &&
	       clx_wait(cl);
	clx_free(cl, &sum);
	return done;
}
