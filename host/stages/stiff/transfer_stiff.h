/* Particles to grid with `liquid.kernel: stiff`, and `liquid.vortex_boost`. */
#ifndef FRESHET_TRANSFER_STIFF_H
#define FRESHET_TRANSFER_STIFF_H

#include "state.h"

/*
 * u_face and valid (both [..][L], of listed bricks) from the sorted particles:
 *
 *   u* = sum (w1 + 1.3 boost w2) v / sum w1,  w1 = R^2/r^2 - 1,  w2 = (1 - r^4/R^2)^3,
 *
 * r the distance from the face in cells, R = 1.4 (Table 20 of a master's project on a PIC/FLIP
 * plug-in; kernels of Ando & Tsuruno 2011).  The boost raises no speed beyond scene_fast_speed().
 * False after reporting.
 */
bool transfer_stiff_p2g(struct sim *sim);

#endif
