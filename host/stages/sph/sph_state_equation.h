/* Weakly compressible particles (docs/method.md, "Smoothed particles"). */
#ifndef FRESHET_SPH_STATE_EQUATION_H
#define FRESHET_SPH_STATE_EQUATION_H

#include "state.h"

/* v += dt a, a of pressure by the equation of state, of artificial viscosity and of forces.  False
 * after reporting. */
bool sph_follow_equation(struct sim *sim);
/* v += the kick of the forces and, if `changed`, sph.change.  False after reporting. */
bool sph_add_kick(struct sim *sim, bool changed);
/* The longest step that sound allows, s; infinite where nothing sounds. */
double sph_sound_step(const struct sim *sim);

#endif
