/*
 * Moving the liquid on the grid: geometric volume of fluid, split by axes (Weymouth & Yue, J.
 * Comput. Phys. 229 (2010) 2853), in integers.
 */
#ifndef FRESHET_VOF_H
#define FRESHET_VOF_H

#include "state.h"

/* C(t) to C(t + dt) with u_face, free of divergence at time t; sim->vof.before: C(t).  Every face
 * must sweep half a cell at most.  The order of the axes changes with sim->steps.  False after
 * reporting. */
bool vof_move(struct sim *sim);

/* Adds to the right-hand side of the pressure solve what cells hold too much; nothing with other
 * methods.  False after reporting. */
bool vof_add_divergence(struct sim *sim);

#endif
