/* Only the list, so that a test program can bring another one. */
#include "scene_methods.h"

const struct scene_method scene_methods[] = {
	{"flip", "particles carry the liquid, a grid makes it incompressible"},
	{"grid",
	 "the grid carries the liquid, too: with `surface: vof` its volume is kept to the last bit"},
	{"sph", "particles carry the liquid and push each other, without a grid"},
};
const size_t scene_method_count = sizeof(scene_methods) / sizeof(*scene_methods);
