/* The projection. */
#ifndef FRESHET_PRESSURE_H
#define FRESHET_PRESSURE_H

#include "state.h"

/* div u = 0 in the liquid; pressure in Pa; what the forces add is in u from then on. */
bool pressure_project(struct sim *sim);

#endif
