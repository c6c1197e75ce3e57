/* The velocity on faces, carried by itself. */
#ifndef FRESHET_ADVECT_VELOCITY_H
#define FRESHET_ADVECT_VELOCITY_H

#include "state.h"

/* u_face = u*(t), of sim->vof.u_before, on faces of cells that hold liquid, and its mask; 0
 * elsewhere.  solver.advection: of the paths; grid.velocity_advection: semi-Lagrangian (Stam 1999)
 * or MacCormack's with a limit (Selle et al. 2008).  No path may be longer than
 * time.cfl cells.  False after reporting. */
bool advect_velocity(struct sim *sim);

#endif
