/* The solver of pcg_ic.c on what lies on the device: operator and right-hand side are read back,
 * the solution is written as pairs of floats. */
#ifndef FRESHET_PCG_IC_DEVICE_H
#define FRESHET_PCG_IC_DEVICE_H

#include "poisson.h"

/* poisson_solve() by this solver. */
bool pcg_ic_device_solve(struct poisson *p, double tolerance, int max_iterations,
			 struct poisson_result *result);

#endif
