/*
 * Every kernel launch against the host: before a launch the memory that the kernel gets is read,
 * the same kernel runs on the host (native_kernels.h) on that copy, and afterwards both must hold
 * the same.  Each launch starts from what the device holds, so a kernel is blamed for its own
 * mistakes only.  Slow: for tiny simulations.
 */
#ifndef FRESHET_LAUNCH_CHECK_H
#define FRESHET_LAUNCH_CHECK_H

#include "clx.h"

#define LAUNCH_CHECK_ARGUMENTS 32 /* most of a kernel */
#define LAUNCH_CHECK_TEXT 320

/* What was found out about one kernel. */
struct launch_check_kernel {
	unsigned launches, checked, different;
	unsigned recent; /* checked since launch_check_begin() */
	unsigned order;	 /* of its first difference among those of all kernels, from 1; 0 = none */
	double first_ms; /* of its first launch, compilation at that time included */
	char where[64];	 /* the first difference: what the device was at */
	char difference[LAUNCH_CHECK_TEXT];
};

/* Memory of a launch. */
struct launch_check_memory {
	struct clx_buffer buffer; /* not owned; mem NULL for local memory */
	unsigned char *host;	  /* as the host made it; owned */
	size_t argument;
};

struct launch_check {
	struct clx *cl;
	struct clx_observer observer;
	unsigned most; /* launches of a kernel that are checked after each launch_check_begin() */
	char where[64];
	struct launch_check_kernel kernels[KERNEL_COUNT];
	unsigned differences; /* kernels with one */

	/* of the launch under way */
	bool active;
	double start;
	struct launch_check_memory memory[LAUNCH_CHECK_ARGUMENTS];
	size_t memory_count;
	void *arguments[LAUNCH_CHECK_ARGUMENTS];
};

/* Starts watching the launches of `cl`; *check, zeroed, must live until launch_check_end(). */
void launch_check_start(struct launch_check *check, struct clx *cl, unsigned most);
/* What the device is at from here on; the launches of each kernel are counted anew. */
void launch_check_begin(struct launch_check *check, const char *where);
void launch_check_end(struct launch_check *check);

#endif
