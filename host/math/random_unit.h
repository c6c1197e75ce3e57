/* Random numbers for samples, the same everywhere. */
#ifndef FRESHET_RANDOM_UNIT_H
#define FRESHET_RANDOM_UNIT_H

#include <stdint.h>

/* The next number of [0, 1), a multiple of 2^-53 (SplitMix64: Steele, Lea & Flood 2014).  *counter:
 * any value to start from; moves on. */
double random_unit(uint64_t *counter);

#endif
