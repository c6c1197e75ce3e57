/* A method without particles: passive.c. */
#ifndef FRESHET_TEST_PASSIVE_H
#define FRESHET_TEST_PASSIVE_H

#include "method.h"

extern const struct method method_passive;

#endif
