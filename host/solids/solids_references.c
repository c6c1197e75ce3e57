#include "solids.h"

bool solids_place_references(struct solids *solids, const struct solids_pass *pass)
{
	const struct grid g = solids->lattice->grid;
	return pass->ops == 0 ||
	       LAUNCH(solids->lattice->cl, solids_find_references, SOLIDS_RANGE(pass), .g = &g,
		      SOLIDS_SHAPES(solids, pass), .solid_phi = pass->phi,
		      .references = &solids->references, .scalars = &solids->lattice->scalars);
}
