/* Velocities of a body, in kernels. */
#ifndef FRESHET_COUPLING_AXES_H
#define FRESHET_COUPLING_AXES_H

#include "common.h"
#include "coupling_params.h"

#define AXES COUPLING_AXES(DIM)

#endif
