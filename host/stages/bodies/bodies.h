/*
 * Bodies in the time step: solids whose places are state (docs/bodies.md).  A substep moves them by
 * the velocity that the pressure gives them:
 *   forces     V* = V + dt g + what the pressure at the surface has beyond that of cells' centres
 *   pressure   V = V* + C J^T q, with the liquid's u (solver/coupling.h)
 *   solids     x += dt V
 */
#ifndef FRESHET_BODIES_H
#define FRESHET_BODIES_H

#include "state.h"

/* States at the start and memory, once the solids are there.  False after reporting. */
bool bodies_create(struct sim *sim);
void bodies_destroy(struct sim *sim);
/* Back to the start. */
void bodies_restart(struct sim *sim);
/* These states, [count], in place of what there is. */
void bodies_put(struct sim *sim, const struct body *bodies);
/* Cells and rows of the boxes around a scene's bodies at most, for coupling_create(). */
void bodies_room(const struct scene *scene, size_t *places, size_t *rows);

/* Tells the solids where they are at the start of a substep. */
void bodies_begin(struct sim *sim);
/* V*, in place of the velocity at the start. */
bool bodies_push(struct sim *sim);
/* For the operator as it is, in rounds after the first with the faces that have let go. */
bool bodies_deflate(struct sim *sim, bool again);
/* b is made of the velocities that faces have been told: of V* then. */
bool bodies_add_divergence(struct sim *sim);
/* The solution's velocities. */
bool bodies_take(struct sim *sim);
/* How far any body goes at most in the substep, m; 0 without. */
double bodies_farthest(const struct sim *sim);
/* Tells the solids where they are at the end of the substep. */
void bodies_finish(struct sim *sim);
/* The substep is taken back. */
void bodies_restore(struct sim *sim);
/* The substep counts.  False after reporting. */
bool bodies_accept(struct sim *sim);

#endif
