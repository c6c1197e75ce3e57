/* Factors of the kernels of smoothing (kernels/sph/sph_kernel.h). */
#ifndef FRESHET_SPH_PLAN_H
#define FRESHET_SPH_PLAN_H

#include "state.h"

/* Spacing, radius, volume and factors, of the scene; no device is there. */
void sph_plan(struct sim *sim);
/* What kernels get. */
struct sph_params sph_params_of(const struct sim *sim);
/* Weight and slope of a kernel at q = r/R in double: W = weight * f(q), grad W = slope * g(q) x. */
double sph_kernel_weight(enum sph_kernel kernel, double q);
double sph_kernel_slope(enum sph_kernel kernel, double q);
/* Its norm: integral of W over `dim` dimensions = 1. */
double sph_kernel_norm(enum sph_kernel kernel, int dim, double radius);

#endif
