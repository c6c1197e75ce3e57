#include "timestep.h"

#include <math.h>

#include "bits.h"
#include "forces.h"
#include "frame_time.h"
#include "message.h"
#include "particles.h"
#include "solids_motion.h"
#include "sources.h"

/* Substeps that a frame may take before it is said that it will take long. */
#define TINY_STEPS 1e5

bool timestep_by_speed(struct sim *sim, double *dt)
{
	const struct scene *scene = sim->scene;
	if (sim->lattice.host_scalars[SCALAR_NON_FINITE])
		return particles_report_non_finite(sim);
	double particle_speed =
		sqrt((double)float_from_bits(sim->lattice.host_scalars[SCALAR_PARTICLE_SPEED]));
	sim->u_max = particle_speed > sim->grid_speed ? particle_speed : sim->grid_speed;
	const double entering = sources_speed(sim, sim->time, scene->time.max_dt);
	sim->u_max = entering > sim->u_max ? entering : sim->u_max;
	timestep_limit(sim, FIXED_DT_CELLS, dt);
	return true;
}

void timestep_limit(struct sim *sim, double cells, double *dt)
{
	const struct scene *scene = sim->scene;
	const double h = scene->h;
	forces_gravity(sim, sim->time);
	const double g = forces_strength(sim, sim->time, sim->u_max);

	double limit = scene->time.max_dt;
	if (scene->time.dt > 0.0) {
		double per_frame = ceil(1.0 / (scene->time.fps * scene->time.dt) - 1e-6);
		limit = 1.0 / (scene->time.fps * (per_frame < 1.0 ? 1.0 : per_frame));
		const double speed = sim->u_max + sqrt(h * g);
		if (speed * limit > cells * h)
			limit = cells * h / speed;
	} else if (sim->u_max + sqrt(h * g) > 0.0) {
		double advective = scene->time.cfl * h / (sim->u_max + sqrt(h * g));
		limit = advective < limit ? advective : limit;
	}
	limit = solids_longest_step(&sim->solids, sim->time, limit,
				    scene->time.dt > 0.0 ? cells : scene->time.cfl);
	*dt = scene->time.dt > 0.0 ? limit : forces_longest_step(sim, sim->time, limit);
}

bool timestep_choose(struct sim *sim)
{
	double limit;
	if (!sim->method->longest_step(sim, &limit))
		return false;
	/* Half of what failed, wherever the frame ends. */
	if (sim->halvings > 0)
		limit = 0.5 * sim->dt;

	double left = frame_time(sim, sim->frame + 1) - sim->time;
	/* The last steps of a frame share what is left, so that none is tiny. */
	if (left <= limit * (1.0 + 1e-9))
		sim->dt = left;
	else if (left < 2.0 * limit)
		sim->dt = 0.5 * left;
	else
		sim->dt = limit;
	sim->frame_ends = left <= limit * (1.0 + 1e-9);
	if (left > TINY_STEPS * sim->dt && !sim->tiny_warned) {
		sim->tiny_warned = true;
		message_warning(
			"frame %d: with dt = %.3g s the rest of the frame takes %.0f substeps "
			"(greatest speed %.4g m/s, acceleration %.4g m/s^2)",
			sim->frame + 1, sim->dt, left / sim->dt, sim->u_max,
			forces_strength(sim, sim->time, sim->u_max));
	}
	sim->dt_f = (f32)sim->dt;
	return true;
}
