/* Which method a scene asks for. */
#ifndef FRESHET_SIM_METHOD_H
#define FRESHET_SIM_METHOD_H

#include "method.h"
#include "scene.h"

/* By name; NULL if there is none. */
const struct method *method_find(const char *name);
/* Are the methods those that scenes may name, in the same order, and are their tables whole?  False
 * after reporting. */
bool methods_check(void);

/* The method of a scene, and whether it has all of these parts (enum method_part). */
const struct method *sim_method(const struct scene *scene);
bool sim_has(const struct scene *scene, unsigned parts);

#endif
