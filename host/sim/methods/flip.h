/* The method of PIC, FLIP and APIC. */
#ifndef FRESHET_FLIP_H
#define FRESHET_FLIP_H

#include "method.h"

extern const struct method method_flip;

#endif
