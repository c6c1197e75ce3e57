/*
 * The kernels as C functions of this program: what a device should compute.
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
	/* NULL if there is none.  One work-item; pointers to values, to memory (or NULL). */
	void (*call)(void *const *arguments);
	bool by_groups; /* depends on work-groups: it is run in groups of one work-item */
	size_t count;
	const struct native_argument *arguments;
	size_t items; /* its work-items for one of the device's kernel */
};

const struct native_kernel *native_kernel(int dim, enum kernel_id kernel);

/* Runs a kernel as a launch of `global` work-items in groups of `local` would, one work-item after
 * the other.  Not to be called from two threads at once. */
void native_run(int dim, enum kernel_id kernel, const size_t global[3], const size_t local[3],
		void *const *arguments);

/* Of one dimension; used by native_kernels.c only. */
const struct native_kernel *native_kernels_2d(void);
const struct native_kernel *native_kernels_3d(void);
void native_item_2d(const struct native_kernel *kernel, const size_t id[3], const size_t size[3],
		    void *const *arguments);
void native_item_3d(const struct native_kernel *kernel, const size_t id[3], const size_t size[3],
		    void *const *arguments);

#endif
