#include "stages.h"

bool forces_apply(struct sim *sim)
{
	for (int a = 0; a < 3; a++)
		sim->dv[a] = (f32)(sim->dt * sim->g[a]);
	return true;
}
