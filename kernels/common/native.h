/*
 * What OpenCL C has and C does not, for kernels that tools/kernels_to_c.py has translated: vectors
 * of three, conversions, atomics (work-items run one after the other), work-groups of one
 * work-item, for which barriers do nothing.  To be included before the translated kernels, after
 * the system's headers.
 */
#ifndef FRESHET_NATIVE_H
#define FRESHET_NATIVE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define global
#define local
#define private
#define constant static const
#define uchar uint8_t
#define ushort uint16_t
#define uint uint32_t
#define ulong uint64_t
#define HAS_INT64_ATOMICS
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* float3 is as large as float4 in OpenCL, too. */
typedef float float3 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));

/* A scalar in every lane; a vector as it is. */
#define NATIVE_SPLAT(type, x) ((x) - (type){0})

static inline uint max(uint a, uint b)
{
	return a > b ? a : b;
}

/* ---- numbers ------------------------------------------------------------------------------ */

#define sqrt(x) sqrtf(x)
#define fabs(x) fabsf(x)
#define floor(x) floorf(x)
#define rint(x) rintf(x)
#define fma(a, b, c) fmaf((a), (b), (c))

static inline float native_as_float(uint32_t x)
{
	float y;
	memcpy(&y, &x, sizeof(y));
	return y;
}
static inline uint32_t native_bits_float(float x)
{
	uint32_t y;
	memcpy(&y, &x, sizeof(y));
	return y;
}
static inline uint32_t native_bits_int(int32_t x)
{
	return (uint32_t)x;
}
#define as_float(x) native_as_float((uint32_t)(x))
#define as_uint(x) _Generic((x), float : native_bits_float, default : native_bits_int)(x)
#define as_int(x) ((int32_t)as_uint(x))

#define convert_float_rte(x) ((float)(x))
#define convert_int_rte(x) ((int32_t)rintf(x))
#define convert_uint_rte(x) ((uint32_t)rintf(x))

/* ---- work-items --------------------------------------------------------------------------- */

/* Set by the loops that tools/kernels_to_c.py puts around kernels. */
#define NATIVE_OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
NATIVE_OF_THREAD size_t native_id[3], native_size[3];
#define NATIVE_ITEMS(size)                                                     \
	memcpy(native_size, size, sizeof(native_size));                        \
	for (native_id[2] = 0; native_id[2] < size[2]; native_id[2]++)         \
		for (native_id[1] = 0; native_id[1] < size[1]; native_id[1]++) \
			for (native_id[0] = 0; native_id[0] < size[0]; native_id[0]++)

#define get_global_id(axis) (native_id[axis])
#define get_global_size(axis) (native_size[axis])
#define get_group_id(axis) (native_id[axis])
#define get_local_id(axis) ((size_t)0)
#define get_local_size(axis) ((size_t)1)
#define get_num_groups(axis) (native_size[axis])
#define barrier(fence) ((void)0)
#define mem_fence(fence) ((void)0)

/* For tests that count what kernels do (tests/counts/accesses.h). */
#ifdef NATIVE_COUNTED
void native_count_atomic(const volatile void *address);
#else
#define native_count_atomic(address) ((void)0)
#endif

/* Each gives what was there before, as a word of the same type. */
#define NATIVE_ATOMIC(name, expression)                                          \
	static inline uint32_t native_##name(volatile void *address, uint32_t x) \
	{                                                                        \
		uint32_t before = *(volatile uint32_t *)address;                 \
		native_count_atomic(address);                                    \
		*(volatile uint32_t *)address = (expression);                    \
		return before;                                                   \
	}
NATIVE_ATOMIC(add, before + x)
NATIVE_ATOMIC(or, before | x)
NATIVE_ATOMIC(xchg, ((void)before, x))
NATIVE_ATOMIC(max, before > x ? before : x)
NATIVE_ATOMIC(min, before < x ? before : x)
NATIVE_ATOMIC(max_signed, (int32_t)before > (int32_t)x ? before : x)
NATIVE_ATOMIC(min_signed, (int32_t)before < (int32_t)x ? before : x)
#define atomic_add(p, x) native_add((p), (uint32_t)(x))
#define atomic_inc(p) native_add((p), 1)
#define atomic_xchg(p, x) native_xchg((p), (uint32_t)(x))
#define atomic_or(p, x) native_or((p), (uint32_t)(x))
#define atomic_max(p, x) \
	_Generic(*(p), int32_t : native_max_signed, uint32_t : native_max)((p), (uint32_t)(x))
#define atomic_min(p, x) \
	_Generic(*(p), int32_t : native_min_signed, uint32_t : native_min)((p), (uint32_t)(x))
static inline int64_t atom_add(int64_t *address, int64_t x)
{
	int64_t before = *address;
	native_count_atomic(address);
	*address = (int64_t)((uint64_t)before + (uint64_t)x);
	return before;
}

#endif
