/*
 * What substeps and pictures do not launch, on a simulation that has been measured: for checks that
 * want every kernel.  False after reporting.
 */
#ifndef FRESHET_RARE_KERNELS_H
#define FRESHET_RARE_KERNELS_H

#include <stdbool.h>

#include "sim.h"

/* The mesh of the scene's method. */
bool rare_kernels_surface(struct sim *sim);
/* Distances to the level set, in both ways. */
bool rare_kernels_distances(struct sim *sim);
/* A particle that is stuck, with solver.reposition. */
bool rare_kernels_stuck(struct sim *sim);
/* The copy of benchmarks. */
bool rare_kernels_copy(struct sim *sim);

#endif
