/*
 * The kernels as C functions of this program: what a device should compute, and a device of its own
 * (clx_native.c).
 *
 * Made from the same source by tools/kernels_to_c.py, compiled by the compiler of the host without
 * contraction.  They share the kernels' own mistakes, but nothing of the device, its driver and its
 * compiler.
 */
#ifndef FRESHET_NATIVE_KERNELS_H
#define FRESHET_NATIVE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel_list.h"

struct native_argument {
	char kind;    /* 'v' value, 'g' global memory, 'l' local memory */
	char element; /* of memory: 'f' f32, 'w' u32, 'h' u16, 'b' u8, 'q' i64 */
	const char *name;
};

struct native_kernel {
	/* NULL if there is none.  All work-items of a launch, one after the other, the first axis
	 * fastest; pointers to values, to memory (or NULL). */
	void (*call)(void *const *arguments, const size_t size[3]);
	bool by_groups; /* depends on work-groups: it is run in groups of one work-item */
	size_t count;
	const struct native_argument *arguments;
	size_t items; /* its work-items for one of the device's kernel */
};

const struct native_kernel *native_kernel(int dim, enum kernel_id kernel);

/* Runs a kernel as a launch of `global` work-items in groups of `local` would.  Threads do not get
 * in each other's way. */
void native_run(int dim, enum kernel_id kernel, const size_t global[3], const size_t local[3],
		void *const *arguments);

/* Of one dimension, as compiled for any processor of this kind and for those of x86 with AVX2 and
 * FMA, which give the same bits; used by native_kernels.c only. */
const struct native_kernel *native_kernels_2d(void);
const struct native_kernel *native_kernels_3d(void);
const struct native_kernel *native_kernels_2d_wide(void);
const struct native_kernel *native_kernels_3d_wide(void);

#endif
