/* The lists of methods with one more, in the place of the program's own. */
#include "methods/methods.h"
#include "methods/flip.h"
#include "passive.h"
#include "scene_methods.h"

const struct method *const sim_methods[] = {
	&method_flip,
	&method_passive,
};
const size_t sim_method_count = sizeof(sim_methods) / sizeof(sim_methods[0]);

const struct scene_method scene_methods[] = {
	{"flip", "particles carry the velocity, a grid projects it"},
	{"passive", "a field that a given flow carries"},
};
const size_t scene_method_count = sizeof(scene_methods) / sizeof(scene_methods[0]);
