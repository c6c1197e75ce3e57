/* All methods. */
#include "methods.h"

#include "flip.h"
#include "grid.h"

const struct method *const sim_methods[] = {
	&method_flip,
	&method_grid,
};
const size_t sim_method_count = sizeof(sim_methods) / sizeof(sim_methods[0]);
