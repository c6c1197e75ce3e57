/* Bits of numbers. */
#ifndef FRESHET_BITS_H
#define FRESHET_BITS_H

#include "shared.h"

/* f32 from its bits. */
f32 float_from_bits(u32 bits);
/* Smallest n with 2^n >= x. */
int log2_ceil(u64 x);

#endif
