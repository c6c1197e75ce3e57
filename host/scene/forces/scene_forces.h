/* Force fields of a scene: their echo, and what they are at a time. */
#ifndef FRESHET_SCENE_FORCES_H
#define FRESHET_SCENE_FORCES_H

#include "json_writer.h"
#include "scene.h"

/* The key of a kind: "point". */
const char *scene_force_word(enum scene_force_kind kind);
/* The section with its keys, of kinds that are a mapping of plain keys and `axis`. */
int scene_force_section(enum scene_force_kind kind);

/* Writes "forces", if there are any.  False when memory is short. */
bool scene_forces_write(struct json_writer *json, const struct scene *scene);

/* The mean of the factor from t to t + dt, and the greatest of its absolute value. */
double scene_force_factor(const struct scene_force *force, double t, double dt);
double scene_force_factor_most(const struct scene_force *force, double t, double dt);

/* core^(power+1), exact operations only. */
double scene_force_core(const struct scene_force *force);

/* A bound of the acceleration that a field gives anywhere in the box from t to t + dt, m/s^2, to
 * liquid no faster than `speed`; of drag 0, which turns no velocity round. */
double scene_force_most(const struct scene *scene, const struct scene_force *force, double t,
			double dt, double speed);

#endif
