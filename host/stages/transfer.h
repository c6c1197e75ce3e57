/* Velocities to the grid and back. */
#ifndef FRESHET_TRANSFER_H
#define FRESHET_TRANSFER_H

#include "state.h"

/* u = sum w v / sum w in fixed point; FLIP, PIC or APIC back. */
bool transfer_p2g(struct sim *sim);
bool transfer_g2p(struct sim *sim);

#endif
