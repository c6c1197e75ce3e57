#include "grid/grid_start.h"

#include <math.h>
#include <string.h>

#include "extrapolate.h"
#include "grid/grid_survey.h"
#include "grid/vof_levelset.h"
#include "message.h"
#include "pressure.h"

/* Short, so that no speed is too fast for it. */
#define START_DT 1e-9

static bool project_start(struct sim *sim)
{
	memset(&sim->kick, 0, sizeof(sim->kick));
	sim->dt = START_DT;
	const bool ok = grid_survey(sim) && vof_levelset(sim) && pressure_project(sim) &&
			extrapolate_projected(sim) &&
			clx_zero(sim->cl, &sim->pressure, 0, sim->pressure.bytes);
	if (ok && sim->step_failed != STEP_FINE)
		return message_error("the velocity at the start cannot be made free of divergence");
	memset(&sim->stats, 0, sizeof(sim->stats));
	sim->dt = 0.0;
	return ok;
}

bool grid_start_velocity(struct sim *sim)
{
	bool moves = false;
	for (size_t l = 0; l < sim->scene->liquid_count; l++)
		for (int a = 0; a < 3; a++)
			moves |= fabs(sim->scene->liquids[l].velocity[a]) > 0.0 ||
				 fabs(sim->scene->liquids[l].angular_velocity[a]) > 0.0;
	return !moves || project_start(sim);
}
