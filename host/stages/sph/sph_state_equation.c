#include "sph/sph_state_equation.h"

#include <math.h>

#include "sph/sph_density.h"
#include "sph/sph_plan.h"

/* Of Tait's equation for water. */
#define TAIT_EXPONENT 7.0
/* Of R: how far sound goes in a step (0.4 of Monaghan 1992, h = R/2, with room for viscosity). */
#define SOUND_SHARE 0.24

double sph_sound_step(const struct sim *sim)
{
	return sim->scene->sph.solver == SPH_SOLVER_WCSPH
		       ? SOUND_SHARE * sim->sph.radius / (sim->sph.sound + sim->u_max)
		       : (double)INFINITY;
}

bool sph_add_kick(struct sim *sim, bool changed)
{
	const struct grid g = sim->lattice.grid;
	const struct sph_params p = sph_params_of(sim);
	const i32 damped = changed;
	return LAUNCH(sim->cl, sph_kick, clx_range1(sim->particles.count), .g = &g, .p = &p,
		      .kick = &sim->kick, .damped = I32(damped),
		      .position = &sim->particles.now.position, .a = &sim->sph.change,
		      .velocity = &sim->particles.now.velocity);
}

bool sph_follow_equation(struct sim *sim)
{
	struct sph *s = &sim->sph;
	const struct grid g = sim->lattice.grid;
	const struct sph_params p = sph_params_of(sim);
	const struct clx_range each = clx_range1(sim->particles.count);
	const struct scene_sph *scene = &sim->scene->sph;
	const i32 tait = scene->equation == SPH_EQUATION_TAIT, tension = scene->tension;
	const f32 stiffness = (f32)(s->sound * s->sound / (tait ? TAIT_EXPONENT : 1.0));
	const f32 viscosity = (f32)(scene->artificial_viscosity * s->sound * 0.5 * s->radius);
	const f32 rest = (f32)sim->scene->density;
	return LAUNCH(sim->cl, sph_pressure, each, .p = &p, .tait = I32(tait),
		      .tension = I32(tension), .stiffness = F32(stiffness), .rest = F32(rest),
		      .pressure = &sim->particles.now.pressure,
		      .density = &sim->particles.now.density, .k = &s->k) &&
	       LAUNCH(sim->cl, sph_push, each, .g = &g, .p = &p, .dt = F32(sim->dt_f),
		      .viscosity = F32(viscosity), .velocity = &sim->particles.now.velocity,
		      SPH_LISTS(sim), .density = &sim->particles.now.density, .k = &s->k,
		      .a = &s->change) &&
	       sph_add_kick(sim, true);
}
