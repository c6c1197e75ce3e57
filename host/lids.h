/* Air under lids that is thinner than half a cell (kernels/lids.h). */
#ifndef FRESHET_LIDS_H
#define FRESHET_LIDS_H

#include "sim.h"

/* Sets grid.lid, for gravity at the start of the substep.  None where walls may pull. */
void lids_look_up(struct sim *sim);

/* Lets the lids go of bodies without a free surface that have room for air; *opened: of some.  The
 * bodies are labelled, the operator is not built anew. */
bool lids_open(struct sim *sim, bool *opened);

/* Makes cells that are all above or all below the lid's air what `opened` says. */
bool lids_apply(struct sim *sim);

#endif
