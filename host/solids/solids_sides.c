#include "solids.h"

/* Those of the cells that have any are marked; value, if given: as `found` of the kernel. */
static bool find_sides(struct solids *solids, const struct solids_pass *pass, u32 value[2])
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const size_t lattice = (size_t)g.lattice;
	bool done = SOLIDS_BORROW(solids, found, "sides", 2) &&
		    SOLIDS_BORROW(solids, split_cells, "split cells", 3 * lattice) &&
		    clx_zero(cl, &solids->found, 0, 2 * sizeof(u32));
	for (i32 first = 0, last = 0; done && first < SOLIDS_POINTS(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_POINTS(solids->lattice->dim), 64);
		done = LAUNCH(cl, solids_find_sides, SOLIDS_RANGE(pass), .g = &g,
			      SOLIDS_SHAPES(solids, pass), .solid_phi = pass->phi,
			      .references = &solids->references,
			      .open_fraction = pass->open_fraction, .first = I32(first),
			      .last = I32(last), .split = &solids->split_cells,
			      .found = &solids->found, .scalars = &solids->lattice->scalars);
	}
	return done && (!value || clx_read(cl, &solids->found, 0, 2 * sizeof(u32), value));
}

bool solids_mark_sides(struct solids *solids, const struct solids_pass *pass)
{
	return find_sides(solids, pass, NULL);
}

bool solids_find_split(struct solids *solids, const struct solids_pass *pass)
{
	u32 value[2] = {0, 0};
	bool done = find_sides(solids, pass, value);
	if (done && value[1] && !solids->lattice->grid.gaps) {
		solids->lattice->grid.gaps = 1;
		done = solids_find_faces(solids, pass) && find_sides(solids, pass, value);
	}
	solids->split = value[0] != 0;
	SOLIDS_RETURN(solids, found);
	return done;
}
