/* All methods. */
#include "methods.h"

#include "flip.h"

const struct method *const methods[] = {
	&method_flip,
};
const size_t method_count = sizeof(methods) / sizeof(methods[0]);
