#include "sph/sph_plan.h"

#include <math.h>

#include "exp_log.h"

#define PI 3.14159265358979323846
/* erf(2), Abramowitz & Stegun, table 7.1. */
#define ERF_2 0.99532226501895273

double sph_kernel_norm(enum sph_kernel kernel, int dim, double radius)
{
	const double r2 = radius * radius, room = dim == 3 ? r2 * radius : r2;
	switch (kernel) {
	case SPH_WENDLAND:
		return (dim == 3 ? 10.5 : 7.0) / (PI * room);
	case SPH_CUBIC:
		return (dim == 3 ? 8.0 : 40.0 / 7.0) / (PI * room);
	case SPH_GAUSSIAN:
		break;
	}
	/* What lies beyond the cut is made up for: the integral of exp(-4 q^2) up to q = 1. */
	const double tail = exact_exp(-4.0);
	return dim == 3 ? 8.0 / (room * (PI * sqrt(PI) * ERF_2 - 4.0 * PI * tail))
			: 4.0 / (room * PI * (1.0 - tail));
}

double sph_kernel_weight(enum sph_kernel kernel, double q)
{
	const double t = 1.0 - q;
	if (t <= 0.0)
		return 0.0;
	switch (kernel) {
	case SPH_WENDLAND:
		return t * t * t * t * (1.0 + 4.0 * q);
	case SPH_CUBIC:
		return q < 0.5 ? 1.0 - 6.0 * q * q * t : 2.0 * t * t * t;
	case SPH_GAUSSIAN:
		break;
	}
	return exact_exp(-4.0 * q * q);
}

double sph_kernel_slope(enum sph_kernel kernel, double q)
{
	const double t = 1.0 - q;
	if (t <= 0.0)
		return 0.0;
	switch (kernel) {
	case SPH_WENDLAND:
		return 20.0 * t * t * t;
	case SPH_CUBIC:
		return 6.0 * (q < 0.5 ? 2.0 - 3.0 * q : t * t / q);
	case SPH_GAUSSIAN:
		break;
	}
	return 8.0 * exact_exp(-4.0 * q * q);
}

/* Sum of W over a lattice of spacing 1. */
static double lattice_sum(enum sph_kernel kernel, int dim, double radius)
{
	const int most = (int)ceil(radius);
	double sum = 0.0;
	for (int k = dim == 3 ? -most : 0; k <= (dim == 3 ? most : 0); k++)
		for (int j = -most; j <= most; j++)
			for (int i = -most; i <= most; i++) {
				const double r = sqrt((double)(i * i + j * j + k * k));
				if (r < radius)
					sum += sph_kernel_weight(kernel, r / radius);
			}
	return sum * sph_kernel_norm(kernel, dim, radius);
}

/* The whole number whose power `dim` is n. */
static int root_of(int n, int dim)
{
	int root = 1;
	while ((dim == 3 ? root * root * root : root * root) < n)
		root++;
	return root;
}

void sph_plan(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	struct sph *s = &sim->sph;
	const enum sph_kernel kernel = scene->sph.kernel;
	s->spacing = scene->h / root_of(scene->particles_per_cell, scene->dim);
	s->radius = scene->sph.support * s->spacing;
	const double cell =
		scene->dim == 3 ? s->spacing * s->spacing * s->spacing : s->spacing * s->spacing;
	/* So that a lattice has the density 1. */
	s->volume = cell / lattice_sum(kernel, scene->dim, scene->sph.support);
	s->weight = s->volume * sph_kernel_norm(kernel, scene->dim, s->radius);
	s->slope = -s->weight / (s->radius * s->radius) *
		   (kernel == SPH_WENDLAND ? 20.0
		    : kernel == SPH_CUBIC  ? 6.0
					   : 8.0);
	s->sound = scene->sph.sound_speed * scene_fast_speed(scene);
	s->slots = SPH_SLOTS(scene->dim);
	s->keeps = true;
}

struct sph_params sph_params_of(const struct sim *sim)
{
	const struct sph *s = &sim->sph;
	const bool gpu = clx_path(sim->cl) == CLX_PATH_GPU;
	const i32 stride = (i32)sim->particles.capacity;
	return (struct sph_params){
		.stride = stride,
		.n = (i32)sim->particles.count,
		.slots = s->slots,
		.keeps = s->keeps,
		.particle_step = gpu ? 1 : s->slots,
		.slot_step = gpu ? stride : 1,
		/* A whole cell more where R is a whole number of them: rounding. */
		.reach = (i32)floor(s->radius / sim->scene->h) + 1,
		.shape = (i32)sim->scene->sph.kernel,
		.square = (f32)(s->radius * s->radius),
		.inv_radius = (f32)(1.0 / s->radius),
		.weight = (f32)s->weight,
		.slope = (f32)s->slope,
		.least = (f32)(1e-6 / (s->spacing * s->spacing)),
	};
}
