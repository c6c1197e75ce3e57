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
			      .open_fraction = pass->open_fraction, .first = I32(first),
			      .last = I32(last), .split = &solids->split_cells,
			      .found = &solids->found, .scalars = &solids->lattice->scalars);
	}
	return done && (!value || clx_read(cl, &solids->found, 0, 2 * sizeof(u32), value));
}

static bool split_kernels(struct solids *solids, const struct solids_pass *pass)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	bool done = SOLIDS_BORROW(solids, closed, "lost kernels", (size_t)g.lattice);
	for (i32 first = 0, last = 0; done && first < SOLIDS_AROUND(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_AROUND(solids->lattice->dim), 2 * 64 + 8);
		done = LAUNCH(cl, solids_split_kernels, SOLIDS_RANGE(pass), .g = &g,
			      SOLIDS_SHAPES(solids, pass), .solid_phi = pass->phi,
			      .split = &solids->split_cells, .open_fraction = pass->open_fraction,
			      .volume_open = pass->volume_open, .first = I32(first),
			      .last = I32(last), .lost_before = &solids->closed,
			      .kernel_open = pass->kernel_open,
			      .scalars = &solids->lattice->scalars);
	}
	done = done && (solids->moving || clx_wait(cl));
	SOLIDS_RETURN(solids, closed);
	return done;
}

static bool split_volumes(struct solids *solids, const struct solids_pass *pass)
{
	const struct grid g = solids->lattice->grid;
	return LAUNCH(solids->lattice->cl, solids_split_volumes, SOLIDS_RANGE(pass), .g = &g,
		      SOLIDS_SHAPES(solids, pass), .solid_phi = pass->phi,
		      .split = &solids->split_cells, .volume_open = pass->volume_open,
		      .scalars = &solids->lattice->scalars) &&
	       split_kernels(solids, pass);
}

bool solids_split_cells(struct solids *solids, const struct solids_pass *pass)
{
	return find_sides(solids, pass, NULL) && split_volumes(solids, pass);
}

bool solids_look_for_split(struct solids *solids, const struct solids_pass *pass)
{
	u32 value[2] = {0, 0};
	const bool done = find_sides(solids, pass, value);
	solids->split = value[0] != 0;
	return done;
}

bool solids_find_split(struct solids *solids, const struct solids_pass *pass)
{
	u32 value[2] = {0, 0};
	bool done = find_sides(solids, pass, value);
	if (done && value[1]) {
		solids->lattice->grid.gaps = 1;
		done = solids_find_faces(solids, pass) && find_sides(solids, pass, value);
	}
	solids->split = value[0] != 0;
	done = done && (value[0] == 0 || split_volumes(solids, pass));
	SOLIDS_RETURN(solids, split_cells);
	SOLIDS_RETURN(solids, found);
	return done;
}
