#include <math.h>

#include "shape.h"
#include "solids.h"

/* Memory for so many numbers, if there is not as much or, exactly, if there is more. */
static bool make_room(struct solids *solids, size_t count, bool exactly)
{
	const size_t there = solids->references.raw.bytes / sizeof(f32);
	if (there == count || (!exactly && there > count))
		return true;
	clx_free(solids->lattice->cl, &solids->references);
	return clx_alloc(solids->lattice->cl, &solids->references, "points of cells", count);
}

bool solids_place_references(struct solids *solids, const struct solids_pass *pass)
{
	const struct grid g = solids->lattice->grid;
	return pass->ops == 0 ||
	       (make_room(solids, 4 * (size_t)g.lattice, false) &&
		LAUNCH(solids->lattice->cl, solids_find_references, SOLIDS_RANGE(pass), .g = &g,
		       SOLIDS_SHAPES(solids, pass), .solid_phi = pass->phi,
		       .references = &solids->references, .scalars = &solids->lattice->scalars));
}

bool solids_may_split(const struct solids *solids, bool movers_only)
{
	bool split = false;
	for (size_t s = 0; s < solids->count; s++) {
		const struct scene_solid *solid = &solids->list[s];
		const double thick = shape_program_thickness(&solid->shape, solids->lattice->dim);
		if (!movers_only || scene_solid_moves(solid))
			split |= !isfinite(thick) || thick < solids->h;
	}
	return split;
}

bool solids_keep_references(struct solids *solids)
{
	return solids->moving || solids->split || solids_may_split(solids, false) ||
	       (clx_wait(solids->lattice->cl) && make_room(solids, 1, true));
}
