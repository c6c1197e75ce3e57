#include "stages.h"

bool forces_apply(struct sim *sim)
{
	const struct grid g = sim->grid;
	const f32 dv[3] = {(f32)(sim->dt * sim->g[0]), (f32)(sim->dt * sim->g[1]),
			   (f32)(sim->dt * sim->g[2])};
	return LAUNCH(sim->cl, K_FORCES_APPLY, stages_lattice(sim), ARG(g), ARG(dv[0]), ARG(dv[1]),
		      ARG(dv[2]), BUF(sim->u_face), BUF(sim->u_old));
}
