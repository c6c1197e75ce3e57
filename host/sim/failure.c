#include "failure.h"

static const struct {
	const char *name, *text;
} failures[STEP_FAILURES] = {
	[STEP_FINE] = {"", ""},
	[STEP_TOO_FAR] = {"too_far", "the liquid would move too far in one step"},
	[STEP_DIVERGED] = {"pressure_diverged", "the pressure solve diverged"},
	[STEP_UNSOLVED] = {"pressure_unsolved",
			   "the pressure solve ended with a residual above its start (more "
			   "solver.max_iterations, or solver.pressure: mgpcg, would help)"},
	[STEP_GRID_NOT_FINITE] = {"grid_not_finite", "a value on the grid is not finite"},
	[STEP_PARTICLE_NOT_FINITE] = {"particle_not_finite", "a particle is no longer finite"},
	[STEP_SUM_NOT_FINITE] = {"sum_not_finite",
				 "the volume, energy or momentum of the liquid is not finite"},
};

const char *sim_failure_name(enum step_failure failure)
{
	return failures[failure].name;
}

const char *sim_failure_text(enum step_failure failure)
{
	return failures[failure].text;
}
