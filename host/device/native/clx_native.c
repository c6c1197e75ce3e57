/*
 * This program as a device: kernels as C functions (native_kernels.h), one work-item after the
 * other, buffers in its own memory.  Nothing is queued, and a launch costs nothing.  See struct
 * clx_driver.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "clx_internal.h"
#include "fault.h"
#include "message.h"
#include "native_kernels.h"
#include "version.h"

/* Arrays in local memory begin at multiples of it. */
#define ALIGNMENT 64

/* Behind a buffer's handle. */
struct native_memory {
	unsigned char *data;
	size_t bytes;
	void *owned; /* to be freed; NULL for a view */
};

void clx_describe_native(struct clx_device_info *info)
{
	const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	const uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
	*info = (struct clx_device_info){
		.platform = "freshet",
		.name = "native",
		.vendor = "freshet",
		.device_version = "C11, no OpenCL",
		.driver_version = FRESHET_VERSION,
		.is_cpu = true,
		.is_native = true,
		.has_fp64 = true,
		.has_int64_atomics = true,
		.global_memory = memory,
		.max_allocation = memory,
		.local_memory = 1 << 20,
		.compute_units = 1,
		.max_work_group = 1,
		.view_alignment = 1,
	};
}

static bool open_device(struct clx *cl)
{
	snprintf(cl->build_options, sizeof(cl->build_options), "C11 -ffp-contract=off -DDIM=%d",
		 cl->dim);
	return true;
}

static void close_device(struct clx *cl)
{
	free(cl->local_memory);
}

/* There is nothing to build. */
static bool build(struct clx *cl)
{
	(void)cl;
	return true;
}

static bool create_kernel(struct clx *cl, enum kernel_id kernel)
{
	cl->limits[kernel] = (struct clx_kernel_limits){.work_group = 1};
	return native_kernel(cl->dim, kernel)->call ||
	       message_error("kernel %s works in vectors of OpenCL, which %s has none of",
			     kernel_names[kernel], cl->info.name);
}

/* ---- memory ------------------------------------------------------------------------------- */

static bool make_memory(const char *name, unsigned char *data, size_t bytes, void *owned,
			void **taken)
{
	struct native_memory *memory = malloc(sizeof(*memory));
	*taken = memory;
	if (!memory)
		return message_memory(sizeof(*memory), name);
	*memory = (struct native_memory){data, bytes, owned};
	return true;
}

static void release(void *mem)
{
	struct native_memory *memory = mem;
	free(memory->owned);
	free(memory);
}

static bool allocate(struct clx *cl, const char *name, size_t bytes, void **taken)
{
	(void)cl;
	unsigned char *data = malloc(bytes);
	if (!clx_check(data ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE, "allocation", name,
		       bytes) ||
	    !make_memory(name, data, bytes, data, taken)) {
		free(data);
		return false;
	}
	return true;
}

static bool view(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		 const char *name, void **taken)
{
	const struct native_memory *memory = buffer->mem;
	(void)cl;
	return clx_check(CL_SUCCESS, "view", name, bytes) &&
	       make_memory(name, memory->data + offset, bytes, NULL, taken);
}

static bool size(void *mem, size_t *bytes)
{
	const struct native_memory *memory = mem;
	*bytes = memory->bytes;
	return true;
}

/* ---- commands ----------------------------------------------------------------------------- */

static unsigned char *place(const struct clx_buffer *buffer, size_t offset)
{
	const struct native_memory *memory = buffer->mem;
	return memory->data + offset;
}

static bool write_memory(struct clx *cl, const struct clx_buffer *buffer, size_t offset,
			 size_t bytes, const void *data)
{
	memcpy(place(buffer, offset), data, bytes);
	return clx_check_wait(cl, CL_SUCCESS, "write", buffer->name, bytes);
}

static bool read_memory(struct clx *cl, const struct clx_buffer *buffer, size_t offset,
			size_t bytes, void *data)
{
	memcpy(data, place(buffer, offset), bytes);
	return clx_check_wait(cl, CL_SUCCESS, "read", buffer->name, bytes);
}

static double begin(const struct clx *cl)
{
	return cl->profile ? clock_seconds() : 0.0;
}

static void end(struct clx *cl, int what, double began)
{
	if (cl->profile)
		clx_account(cl, what, cl->stage, 1e3 * (clock_seconds() - began));
}

static bool fill(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes)
{
	const double began = begin(cl);
	memset(place(buffer, offset), 0, bytes);
	end(cl, CLX_TIMED_FILL, began);
	return clx_check(CL_SUCCESS, "fill", buffer->name, bytes);
}

static bool copy(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
		 const struct clx_buffer *to, size_t to_offset, size_t bytes)
{
	const double began = begin(cl);
	memmove(place(to, to_offset), place(from, from_offset), bytes);
	end(cl, CLX_TIMED_COPY, began);
	return clx_check(CL_SUCCESS, "copy", to->name, bytes);
}

static size_t aligned(size_t bytes)
{
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* All of it that a device has, for any kernel. */
static bool make_local_memory(struct clx *cl)
{
	const size_t bytes = aligned(cl->info.local_memory) + CLX_MAX_ARGUMENTS * ALIGNMENT;
	if (!cl->local_memory)
		cl->local_memory = malloc(bytes);
	return cl->local_memory || message_memory(bytes, "local memory");
}

/* Pointers to values, to memory, or NULL. */
static bool take_arguments(struct clx *cl, const struct clx_launch_info *launch,
			   void *arguments[CLX_MAX_ARGUMENTS])
{
	const struct native_kernel *native = native_kernel(cl->dim, launch->kernel);
	size_t used = 0;
	for (size_t n = 0; n < launch->count; n++) {
		const struct clx_arg *arg = &launch->args[n];
		const char kind = native->arguments[n].kind;
		const struct native_memory *memory = NULL;
		if (kind == 'l') {
			if (!make_local_memory(cl))
				return false;
			arguments[n] = cl->local_memory + used;
			used += aligned(arg->size);
		} else if (kind == 'g') {
			memcpy(&memory, arg->value, sizeof(memory));
			arguments[n] = memory ? memory->data : NULL;
		} else {
			memcpy(&arguments[n], &arg->value, sizeof(arg->value));
		}
	}
	return true;
}

static bool launch_kernel(struct clx *cl, const struct clx_launch_info *launch)
{
	void *arguments[CLX_MAX_ARGUMENTS];
	const double began = begin(cl);
	if (!take_arguments(cl, launch, arguments))
		return false;
	native_run(cl->dim, launch->kernel, launch->global, launch->local, arguments);
	end(cl, (int)launch->kernel, began);
	if (fault_is_due(FAULT_KERNEL))
		cl->late_error = CL_OUT_OF_RESOURCES;
	return clx_check(CL_SUCCESS, "launch", kernel_names[launch->kernel], 0) &&
	       (!cl->waited ||
		clx_check_wait(cl, CL_SUCCESS, "launch", kernel_names[launch->kernel], 0) ||
		message_error("kernel %s failed on the device", kernel_names[launch->kernel]));
}

static bool wait_for_all(struct clx *cl)
{
	return clx_check_wait(cl, CL_SUCCESS, "wait", cl->info.name, 0);
}

/* Looked at by every command. */
static bool profile(struct clx *cl)
{
	(void)cl;
	return true;
}

/* Accounted at once. */
static bool collect(struct clx *cl)
{
	(void)cl;
	return true;
}

const struct clx_driver clx_driver_native = {
	.open = open_device,
	.close = close_device,
	.build = build,
	.create_kernel = create_kernel,
	.allocate = allocate,
	.view = view,
	.release = release,
	.size = size,
	.write = write_memory,
	.read = read_memory,
	.fill = fill,
	.copy = copy,
	.launch = launch_kernel,
	.wait = wait_for_all,
	.profile = profile,
	.collect = collect,
};
