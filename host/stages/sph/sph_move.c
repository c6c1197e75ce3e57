#include "sph/sph_move.h"

#include <math.h>

#include "exp_log.h"
#include "forces.h"
#include "sph/sph_density.h"
#include "sph/sph_plan.h"
#include "sph/sph_state_equation.h"
#include "timestep.h"

/* `sph.damping` is given for this time, s. */
#define DAMPING_RATE 240.0
/* What forces move a particle by in a step, of its spacing: in longer ones a column of particles
 * comes to rest with noise of that size. */
#define FALL_SHARE 0.01
/* A fixed step is shortened where particles would go further in it, in spacings. */
#define FIXED_DT_SPACINGS 0.5

bool sph_longest_step(struct sim *sim, double *dt)
{
	const struct scene *scene = sim->scene;
	if (!timestep_by_speed(sim, dt))
		return false;
	/* Spacings may be less than cells. */
	const double g = forces_strength(sim, sim->time, sim->u_max);
	const double speed = sim->u_max + sqrt(sim->sph.spacing * g);
	const double cells = scene->time.dt > 0.0 ? FIXED_DT_SPACINGS : scene->time.cfl;
	if (speed * *dt > cells * sim->sph.spacing)
		*dt = cells * sim->sph.spacing / speed;
	if (scene->time.dt <= 0.0 && g * *dt * *dt > FALL_SHARE * sim->sph.spacing)
		*dt = sqrt(FALL_SHARE * sim->sph.spacing / g);
	const double sound = sph_sound_step(sim);
	*dt = sound < *dt ? sound : *dt;
	return true;
}

/* Neighbours' velocities, by so much that a second has the same effect whatever the steps. */
static bool damp(struct sim *sim, f32 share)
{
	const struct grid g = sim->lattice.grid;
	const struct sph_params p = sph_params_of(sim);
	return LAUNCH(sim->cl, sph_damp, clx_range1(sim->particles.count), .g = &g, .p = &p,
		      .share = F32(share), .velocity = &sim->particles.now.velocity, SPH_LISTS(sim),
		      .a = &sim->sph.change);
}

bool sph_apply_forces(struct sim *sim)
{
	const double kept = exact_pow(1.0 - sim->scene->sph.damping, DAMPING_RATE * sim->dt);
	const bool damped = kept < 1.0;
	if (!forces_apply(sim))
		return false;
	/* With an equation of state all that pushes acts at once. */
	if (sim->scene->sph.solver == SPH_SOLVER_WCSPH)
		return true;
	return (!damped || damp(sim, (f32)(1.0 - kept))) && sph_add_kick(sim, damped);
}

bool sph_advect(struct sim *sim)
{
	struct particles *q = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const struct sph_params p = sph_params_of(sim);
	const i32 shifted = sim->scene->sph.solver == SPH_SOLVER_PROJECTION;
	return LAUNCH(sim->cl, sph_move,
		      clx_range1(lattice_striding_items(&sim->lattice, q->count)), .g = &g, .p = &p,
		      .dt = F32(sim->dt_f), .shifted = I32(shifted), .a = &sim->sph.change,
		      .position = &q->now.position, .velocity = &q->now.velocity, .id = &q->now.id,
		      .scalars = &sim->lattice.scalars);
}
