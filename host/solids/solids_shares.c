#include "solids.h"

bool solids_share_volumes(struct solids *solids, const struct solids_pass *pass)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	bool done = SOLIDS_BORROW(solids, sum, "shares of cells", (size_t)g.lattice) &&
		    clx_zero(cl, &solids->sum, 0, (size_t)g.lattice * sizeof(u32));
	/* A point, twice; or the ways out of both its parts. */
	const i32 evaluations = solids->split ? 128 : 2;
	for (i32 first = 0, last = 0; done && first < SOLIDS_SHARES(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_SHARES(solids->lattice->dim),
				    evaluations);
		done = LAUNCH_EITHER(cl, solids->split, solids_add_split_shares, solids_add_shares,
				     SOLIDS_RANGE(pass), .g = &g, SOLIDS_SHAPES(solids, pass),
				     .solid_phi = pass->phi, .references = &solids->references,
				     .open_fraction = pass->open_fraction, .first = I32(first),
				     .last = I32(last), .sum = &solids->sum,
				     .scalars = &solids->lattice->scalars);
	}
	done = done &&
	       LAUNCH(cl, solids_take_shares, SOLIDS_RANGE(pass), .g = &g, .box = &pass->box,
		      .solid_phi = pass->phi, .sum = &solids->sum,
		      .volume_open = pass->volume_open) &&
	       (solids->moving || clx_wait(cl));
	SOLIDS_RETURN(solids, sum);
	return done;
}
