/* All methods. */
#include "methods.h"

#include "flip.h"
#include "grid.h"
#include "levelset_grid.h"
#include "marker_grid.h"
#include "sph.h"

const struct method *const sim_methods[] = {
	&method_flip, &method_grid, &method_sph, &method_grid_markers, &method_grid_levelset,
};
const size_t sim_method_count = sizeof(sim_methods) / sizeof(sim_methods[0]);
