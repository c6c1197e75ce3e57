/* The list of methods; a program that brings another has a list of its own in this one's place. */
#ifndef FRESHET_METHODS_H
#define FRESHET_METHODS_H

#include "method.h"

extern const struct method *const sim_methods[];
extern const size_t sim_method_count;

#endif
