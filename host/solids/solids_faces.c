#include "solids.h"

bool solids_find_faces(struct solids *solids)
{
	const struct grid g = solids->lattice->grid;
	const i32 ops = (i32)solids->op_count;
	return LAUNCH(solids->lattice->cl, solids_open_faces,
		      clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz), .g = &g,
		      .ops = &solids->ops, .op_count = I32(ops), .points = &solids->points,
		      .solid_phi = &solids->phi, .open_fraction = &solids->open_fraction,
		      .scalars = &solids->lattice->scalars);
}

i32 solids_turns(const struct solids *solids, i32 first, i32 all, i32 evaluations)
{
	const int64_t others = 4; /* turns of loops about an evaluation */
	const int64_t parts = (int64_t)solids->parts + others;
	const int64_t turns = solids->loop_turns / (parts * evaluations);
	return turns < 1 ? first + 1 : turns < all - first ? first + (i32)turns : all;
}
