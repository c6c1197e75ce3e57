/* Grid to particles where liquids differ in `transfer` or `flip_ratio`. */
#ifndef FRESHET_TRANSFER_MIXED_H
#define FRESHET_TRANSFER_MIXED_H

#include "state.h"

/* F of FLIP's blend in the substep, 0 of others: the blend keeps its viscosity when the number of
 * substeps changes. */
f32 transfer_blend(const struct sim *sim, enum scene_transfer transfer, double flip_ratio);

/* What transfer_g2p() launches then. */
bool transfer_mixed_g2p(struct sim *sim);
void transfer_mixed_destroy(struct sim *sim); /* accepts zeros */

#endif
