/* The level set and the types of cells. */
#ifndef FRESHET_LEVELSET_H
#define FRESHET_LEVELSET_H

#include "state.h"

/* phi and cell types from the sorted particles. */
bool levelset_update(struct sim *sim);

#endif
