#include "stages.h"

bool stages_collide_in_lanes(const struct sim *sim)
{
	return lattice_in_lanes(&sim->lattice) &&
	       !(sim->solids.loops_cut && sim->solids.op_count > 0);
}
