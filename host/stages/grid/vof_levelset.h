/* The level set and the types of cells of liquid on the grid. */
#ifndef FRESHET_VOF_LEVELSET_H
#define FRESHET_VOF_LEVELSET_H

#include "state.h"

/* phi and cell types from C: liquid where C >= 1/2, and where liquid closes an air cell in.  The
 * list BRICKS_BAND must hold every cell near liquid. */
bool vof_levelset(struct sim *sim);

#endif
