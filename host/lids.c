#include "lids.h"

#include <math.h>

#include "pressure.h"
#include "stages.h"

void lids_look_up(struct sim *sim)
{
	int axis = 0;
	for (int a = 1; a < sim->dim; a++)
		if (fabs(sim->g[a]) > fabs(sim->g[axis]))
			axis = a;
	sim->grid.lid = sim->scene->solver.separation && fabs(sim->g[axis]) > 0.0
				? 1 + 2 * axis + (sim->g[axis] < 0.0)
				: 0;
}

bool lids_apply(struct sim *sim)
{
	const struct grid g = sim->grid;
	/* Only solids leave cells without depth. */
	return g.lid == 0 || sim->solid_op_count == 0 ||
	       LAUNCH(sim->cl, K_LIDS_APPLY, stages_lattice(sim), ARG(g), BUF(sim->open_fraction),
		      BUF(sim->volume_open), BUF(sim->opened), BUF(sim->cell_type), BUF(sim->phi));
}

bool lids_open(struct sim *sim, bool *opened)
{
	struct clx *cl = sim->cl;
	struct pressure *p = sim->solver;
	const struct grid g = sim->grid;
	const struct clx_range lattice = stages_lattice(sim);
	const i32 ppc = (i32)sim->scene->particles_per_cell;
	*opened = false;
	if (g.lid == 0 || p->singular == 0)
		return true;
	struct clx_buffer *changes = &p->component_scale;
	u32 count = 0;
	if (!clx_zero(cl, changes, 0, sizeof(u32)) ||
	    !clx_zero(cl, &p->component_sums, 0, 3 * (size_t)p->singular * sizeof(u32)) ||
	    !LAUNCH(cl, K_LIDS_MEASURE, lattice, ARG(g), ARG(ppc), BUF(sim->component),
		    BUF(sim->volume_open), BUF(sim->open_fraction), BUF(sim->cell_type),
		    BUF(sim->particles.cell_start), BUF(p->component_sums)) ||
	    !LAUNCH(cl, K_LIDS_OPEN, lattice, ARG(g), ARG(ppc), BUF(sim->component),
		    BUF(sim->open_fraction), BUF(sim->cell_type), BUF(p->component_sums),
		    BUF(sim->opened), BUF(*changes)) ||
	    !clx_read(cl, changes, 0, sizeof(u32), &count))
		return false;
	*opened = count != 0;
	return count == 0 || lids_apply(sim);
}
