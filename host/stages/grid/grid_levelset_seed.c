#include "grid/grid_levelset_seed.h"

#include "grid/grid_levelset.h"
#include "grid/grid_start.h"
#include "grid/grid_survey.h"
#include "grid/vof_levelset.h"
#include "grid/vof_seed.h"

/* By the planes of C, which the shapes give to a part in a thousand of a cell. */
static bool seed_by_planes(struct sim *sim)
{
	struct levelset *l = &sim->levelset;
	return vof_seed(sim) && grid_start_velocity(sim) && grid_survey(sim) && vof_levelset(sim) &&
	       clx_copy(sim->cl, &sim->phi, 0, &l->phi, 0, l->phi.bytes) &&
	       grid_levelset_make_distance(sim) && grid_levelset_fill(sim);
}

bool grid_levelset_seed(struct sim *sim)
{
	struct vof *v = &sim->vof;
	const size_t points = (size_t)sim->lattice.grid.lattice;
	const bool ok =
		clx_alloc(sim->cl, &v->plane, "distances of planes", points) &&
		clx_alloc(sim->cl, &v->normal, "normals of planes", points * (size_t)sim->dim) &&
		grid_levelset_know_start(sim) && seed_by_planes(sim);
	/* No substep needs them. */
	clx_free(sim->cl, &v->plane);
	clx_free(sim->cl, &v->normal);
	return ok;
}
