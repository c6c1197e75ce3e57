/*
 * Lets barrier-free kernels compile as plain C, to run under sanitizers and a debugger.
 * Include it before a kernel file; set native_id[] and call the kernel once per work-item.
 */
#ifndef FRESHET_CL_NATIVE_H
#define FRESHET_CL_NATIVE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Kernel files are one program: their functions have no prototypes, and use OpenCL pragmas. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define kernel
#define global
#define constant static const
#define uchar uint8_t
#define ushort uint16_t
#define uint uint32_t
#define ulong uint64_t
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define sqrt(x) sqrtf(x)
#define fabs(x) fabsf(x)
#define floor(x) floorf(x)
#define rint(x) rintf(x)
#define get_global_id(axis) (native_id[axis])
#define atomic_add(address, value) native_add((address), (value))
#define atomic_inc(address) native_add((address), 1u)

static size_t native_id[3] __attribute__((unused)); /* of the current work-item */

static inline uint32_t native_add(uint32_t *address, uint32_t value)
{
	uint32_t before = *address;
	*address += value;
	return before;
}

#endif
