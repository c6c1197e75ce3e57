#include "solids.h"

bool solids_find_faces(struct solids *solids, const struct solids_pass *pass)
{
	const struct grid g = solids->lattice->grid;
	return solids_place_references(solids, pass) &&
	       LAUNCH(solids->lattice->cl, solids_open_faces, SOLIDS_RANGE(pass), .g = &g,
		      SOLIDS_SHAPES(solids, pass), .solid_phi = pass->phi,
		      .references = &solids->references, .open_fraction = pass->open_fraction,
		      .scalars = &solids->lattice->scalars);
}

i32 solids_turns(const struct solids *solids, i32 first, i32 all, i32 evaluations)
{
	const int64_t others = 4; /* turns of loops about an evaluation */
	const int64_t parts = (int64_t)solids->parts + others;
	const int64_t turns = solids->loop_turns / (parts * evaluations);
	return turns < 1 ? first + 1 : turns < all - first ? first + (i32)turns : all;
}
