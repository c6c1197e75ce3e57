/* What force fields are at a time. */
#include <math.h>

#include "scene_forces.h"

double scene_force_factor(const struct scene_force *force, double t, double dt)
{
	double mean[3] = {1.0, 0.0, 0.0};
	if (force->factor_count > 0)
		scene_vector_mean(force->factors, force->factor_count, t, dt, mean);
	return mean[0];
}

double scene_force_factor_most(const struct scene_force *force, double t, double dt)
{
	return force->factor_count > 0
		       ? scene_vector_most(force->factors, force->factor_count, t, dt)
		       : 1.0;
}

/* x^(quarters/4) */
static double quarter_power(double x, int quarters)
{
	const double root = sqrt(sqrt(x));
	double product = 1.0;
	for (int q = 0; q < quarters; q++)
		product *= root;
	return product;
}

double scene_force_core(const struct scene_force *force)
{
	return quarter_power(force->core * force->core, (int)(2.0 * (force->power + 1.0)));
}

/* Of r / (r^2 + core^2)^((power+1)/2) up to r = reach: it grows to r = core/sqrt(power), then
 * falls. */
static double profile_most(const struct scene_force *force, double reach)
{
	const double top = force->power > 0.0 ? force->core / sqrt(force->power) : reach;
	const double r = top < reach ? top : reach;
	return r /
	       quarter_power(r * r + force->core * force->core, (int)(2.0 * (force->power + 1.0)));
}

/* To the farthest corner of the box. */
static double reach_of(const struct scene *scene, const struct scene_force *force)
{
	double square = 0.0;
	for (int a = 0; a < scene->dim; a++) {
		const double far =
			fmax(fabs(force->center[a]), fabs(scene->size[a] - force->center[a]));
		square += far * far;
	}
	return sqrt(square);
}

static double length_of(const double v[3])
{
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double scene_force_most(const struct scene *scene, const struct scene_force *force, double t,
			double dt, double speed)
{
	const double factor = scene_force_factor_most(force, t, dt);
	double most = 0.0, relative;
	switch (force->kind) {
	case FORCE_POINT:
	case FORCE_VORTEX:
		most = sqrt(force->strength * force->strength + force->pull * force->pull) *
		       profile_most(force, reach_of(scene, force));
		break;
	case FORCE_WIND:
		relative = length_of(force->velocity) + speed;
		most = force->drag * force->air_density * relative * relative /
		       (scene->density * scene->h);
		break;
	case FORCE_CUSTOM:
		most = scene_vector_most(force->accelerations, force->acceleration_count, t, dt);
		break;
	case FORCE_VORTICITY:
		/* A derivative of a component is at most 2 speed / (2 h), beside walls 2 speed / h.
		 */
		most = force->strength * 4.0 * (scene->dim == 3 ? 1.7321 : 1.0) * speed;
		break;
	case FORCE_DRAG:
	case FORCE_KINDS:
		break;
	}
	return factor * most;
}
