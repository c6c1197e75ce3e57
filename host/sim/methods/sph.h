/* The method of particles that smooth, without a grid. */
#ifndef FRESHET_SPH_H
#define FRESHET_SPH_H

#include "method.h"

extern const struct method method_sph;

#endif
