/* What acts on the liquid besides pressure. */
#ifndef FRESHET_FORCES_H
#define FRESHET_FORCES_H

#include "state.h"

/* u_face with sim->kick. */
struct velocity_view forces_velocity(struct sim *sim);
/* sim->kick, dt times gravity and the accelerations of the box, which the projection adds
 * to u; the force fields, which go into u; sim->g at the end of the substep. */
bool forces_apply(struct sim *sim);
/* Gravity at time t in the axes of the box, into sim->g. */
void forces_gravity(struct sim *sim, double t);
/* The greatest acceleration in the box at time t, m/s^2, of liquid no faster than `speed`. */
double forces_strength(const struct sim *sim, double t, double speed);
/* The longest step from time t, at most `dt`, that follows the motion of the box, s. */
double forces_longest_step(const struct sim *sim, double t, double dt);
/* Coriolis' acceleration on the particles: half of a substep before P2G, half after G2P
 * (`after`).  Nothing for a box that does not turn. */
bool forces_turn(struct sim *sim, bool after);
/* By how much forces_turn() may lengthen the components of velocities, at least 1. */
double forces_turn_bound(const struct sim *sim);

#endif
