/* Device, context, program: see clx.h. */
#include "clx_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "compile_watch.h"
#include "driver_cache.h"
#include "environment.h"
#include "fault.h"
#include "message.h"
#include "number.h"

static cl_int build(struct clx *cl)
{
	struct compile_watch watch;
	compile_watch_begin(&watch, cl->info.name);
	const cl_int code =
		clBuildProgram(cl->program, 1, &cl->device, cl->build_options, NULL, NULL);
	cl->slow |= compile_watch_end(&watch);
	return code;
}

static bool build_program(struct clx *cl)
{
	char *options = cl->build_options;
	cl_int code;
	const char *source = kernel_source;
	size_t length = kernel_source_length;
	cl->program = clCreateProgramWithSource(cl->context, 1, &source, &length, &code);
	if (!clx_check(code, "clCreateProgramWithSource", "kernels", length))
		return false;

	/* Correct rounding of / and sqrt is always asked for; a driver that refuses the option is
	 * judged by the self-test like every other. */
	for (int correct = 1; correct >= 0; correct--) {
		snprintf(options, sizeof(cl->build_options),
			 "-cl-std=CL1.2 -DFRESHET_DEVICE -DDIM=%d%s%s", cl->dim,
			 cl->info.has_int64_atomics ? " -DHAS_INT64_ATOMICS" : "",
			 correct ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
		code = build(cl);
		if (code != CL_INVALID_BUILD_OPTIONS && code != CL_BUILD_PROGRAM_FAILURE)
			break;
	}
	if (code != CL_SUCCESS) {
		size_t size = 0;
		char *log = NULL;
		if (clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL,
					  &size) == CL_SUCCESS &&
		    (log = calloc(1, size + 1)) != NULL &&
		    clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, size, log,
					  NULL) == CL_SUCCESS)
			message_error("the kernels do not build on %s (options: %s):\n%.1500s",
				      cl->info.name, options, log);
		free(log);
		if (driver_cache_of(cl->info.platform))
			driver_cache_check();
	}
	return clx_check(code, "clBuildProgram", cl->info.name, 0);
}

static bool read_limits(struct clx *cl, int kernel)
{
	struct clx_kernel_limits *limits = &cl->limits[kernel];
	cl_ulong local = 0;
	cl_uint count = 0;
	cl_int code = clGetKernelInfo(cl->kernels[kernel], CL_KERNEL_NUM_ARGS, sizeof(count),
				      &count, NULL);
	if (!clx_check(code, "clGetKernelInfo", kernel_names[kernel], 0))
		return false;
	if (count != clx_signatures[kernel].count)
		return message_error("kernel %s: %s says that it takes %u arguments, not %zu",
				     kernel_names[kernel], cl->info.name, (unsigned)count,
				     clx_signatures[kernel].count);
	code = clGetKernelWorkGroupInfo(cl->kernels[kernel], cl->device, CL_KERNEL_WORK_GROUP_SIZE,
					sizeof(limits->work_group), &limits->work_group, NULL);
	if (code == CL_SUCCESS)
		code = clGetKernelWorkGroupInfo(cl->kernels[kernel], cl->device,
						CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local), &local,
						NULL);
	limits->local_memory = local;
	if (!clx_check(code, "clGetKernelWorkGroupInfo", kernel_names[kernel], 0))
		return false;
	return limits->work_group > 0 ||
	       message_error("kernel %s cannot run on %s: it allows no work-item of it",
			     kernel_names[kernel], cl->info.name);
}

static void release_kernel(struct clx *cl, int kernel)
{
	if (cl->kernels[kernel])
		clReleaseKernel(cl->kernels[kernel]);
	cl->kernels[kernel] = NULL;
	clx_forget_arguments(cl, kernel);
}

bool clx_create_kernel(struct clx *cl, enum kernel_id kernel)
{
	cl_int code;
	if (!clx_build(cl))
		return false;
	if (cl->kernels[kernel])
		return true;
	cl->kernels[kernel] = clCreateKernel(cl->program, kernel_names[kernel], &code);
	if (!clx_check(code, "clCreateKernel", kernel_names[kernel], 0) ||
	    !read_limits(cl, (int)kernel)) {
		release_kernel(cl, (int)kernel);
		return false;
	}
	return true;
}

static void release_program(struct clx *cl)
{
	for (int k = 0; k < KERNEL_COUNT; k++)
		release_kernel(cl, k);
	if (cl->program)
		clReleaseProgram(cl->program);
	cl->program = NULL;
}

bool clx_build(struct clx *cl)
{
	if (cl->built)
		return true;
	cl->built = build_program(cl);
	if (!cl->built)
		release_program(cl);
	return cl->built;
}

/* What the environment asks for. */
struct wishes {
	size_t work_group; /* 0 = not said */
	bool whole_writes, waited;
	bool has_splat, has_path;
	enum splat_path splat;
	enum clx_path path;
};

static bool read_environment(struct wishes *wishes)
{
	static const char *const splats[] = {
		[SPLAT_BLOCK] = "block",
		[SPLAT_ATOMIC64] = "atomic64",
		[SPLAT_ATOMIC32] = "atomic32",
	};
	*wishes = (struct wishes){0};
	const char *group = environment_value("FRESHET_WORK_GROUP");
	if (group) {
		uint64_t size;
		if (!number_read_count(group, 1024, &size) || size < 1 || (size & (size - 1)))
			return message_error("FRESHET_WORK_GROUP='%.100s' is not a power of two "
					     "from 1 to 1024",
					     group);
		wishes->work_group = (size_t)size;
	}
	const char *splat = environment_value("FRESHET_SPLAT");
	for (size_t s = 0; splat && s < sizeof(splats) / sizeof(splats[0]); s++)
		if (strcmp(splat, splats[s]) == 0) {
			wishes->has_splat = true;
			wishes->splat = (enum splat_path)s;
		}
	if (splat && !wishes->has_splat)
		return message_error("FRESHET_SPLAT='%.100s' is not block, atomic64 or atomic32",
				     splat);
	const char *path = environment_value("FRESHET_PATH");
	const bool gpu = path && strcmp(path, "gpu") == 0;
	if (path && !gpu && strcmp(path, "cpu") != 0)
		return message_error("FRESHET_PATH='%.100s' is not cpu or gpu", path);
	wishes->has_path = path != NULL;
	wishes->path = gpu ? CLX_PATH_GPU : CLX_PATH_CPU;
	return environment_switch("FRESHET_WRITES", "parts", "whole", &wishes->whole_writes) &&
	       environment_switch("FRESHET_LAUNCHES", "queued", "waited", &wishes->waited);
}

bool clx_check_environment(void)
{
	struct wishes wishes;
	return read_environment(&wishes);
}

/* *missing: the device lacks what was asked for. */
static bool set_up(struct clx *cl, bool *missing)
{
	struct wishes wishes;
	if (!fault_check_environment() || !read_environment(&wishes))
		return false;
	cl->path = wishes.has_path ? wishes.path : cl->info.is_cpu ? CLX_PATH_CPU : CLX_PATH_GPU;
	cl->group_size = cl->path == CLX_PATH_GPU ? 256 : 64;
	if (wishes.work_group)
		cl->work_group = cl->group_size = wishes.work_group;
	while (cl->group_size > cl->info.max_work_group)
		cl->group_size /= 2;
	if (cl->work_group > cl->info.max_work_group)
		cl->work_group = cl->group_size;
	cl->whole_writes = wishes.whole_writes;
	cl->waited = wishes.waited;
	cl->splat = wishes.has_splat		 ? wishes.splat
		    : cl->path == CLX_PATH_CPU	 ? SPLAT_BLOCK
		    : cl->info.has_int64_atomics ? SPLAT_ATOMIC64
						 : SPLAT_ATOMIC32;
	*missing = cl->splat == SPLAT_ATOMIC64 && !cl->info.has_int64_atomics;
	return !*missing ||
	       message_error("FRESHET_SPLAT=atomic64: %s has no 64-bit atomics", cl->info.name);
}

/* Views are planned without a device, so their alignment is fixed. */
static bool views_fit(const struct clx *cl)
{
	const size_t wanted = cl->info.view_alignment;
	return (wanted > 0 && CLX_VIEW_ALIGNMENT % wanted == 0) ||
	       message_error("%s wants parts of buffers at multiples of %zu B: they are at "
			     "multiples of %d B",
			     cl->info.name, wanted, CLX_VIEW_ALIGNMENT);
}

static void name_times(struct clx *cl)
{
	for (int k = 0; k < KERNEL_COUNT; k++)
		cl->kernel_times[k].name = kernel_names[k];
	cl->kernel_times[CLX_TIMED_FILL].name = "(fill)";
	cl->kernel_times[CLX_TIMED_COPY].name = "(copy)";
}

struct clx *clx_open(const char *spec, int dim, bool profile, bool *named_missing)
{
	struct clx_device_info *list = NULL;
	size_t count = 0, platforms = 0;
	cl_int code;
	if (!spec || !*spec)
		spec = environment_value("FRESHET_DEVICE");
	bool missing = false;
	if (named_missing)
		*named_missing = false;
	if (!clx_list_devices(&list, &count, &platforms))
		return NULL;
	int index = clx_pick_device(list, count, platforms, spec);
	if (index < 0) {
		if (named_missing)
			*named_missing = count > 0;
		free(list);
		return NULL;
	}
	struct clx *cl = calloc(1, sizeof(*cl));
	if (!cl) {
		free(list);
		message_memory(sizeof(*cl), "the device");
		return NULL;
	}
	cl->info = list[index];
	cl->dim = dim;
	cl->profile = profile;
	cl->stage_began = clock_seconds();
	name_times(cl);
	free(list);
	if (!set_up(cl, &missing) || !views_fit(cl) ||
	    !clx_device_handle(cl->info.platform_index, cl->info.device_index, &cl->platform,
			       &cl->device))
		goto fail;
	cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
	if (!clx_check(code, "clCreateContext", cl->info.name, 0))
		goto fail;
	cl->queue = clCreateCommandQueue(cl->context, cl->device,
					 profile ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
	if (!clx_check(code, "clCreateCommandQueue", cl->info.name, 0))
		goto fail;
	return cl;
fail:
	if (named_missing)
		*named_missing = missing;
	clx_close(cl);
	return NULL;
}

void clx_close(struct clx *cl)
{
	if (!cl)
		return;
	if (cl->queue)
		clFinish(cl->queue);
	for (size_t i = 0; i < cl->event_count; i++)
		clReleaseEvent(cl->events[i].event);
	release_program(cl);
	if (cl->queue)
		clReleaseCommandQueue(cl->queue);
	if (cl->context)
		clReleaseContext(cl->context);
	free(cl);
}

const struct clx_device_info *clx_info(const struct clx *cl)
{
	return &cl->info;
}

int clx_dim(const struct clx *cl)
{
	return cl->dim;
}

const char *clx_build_options(const struct clx *cl)
{
	return cl->build_options;
}

enum clx_path clx_path(const struct clx *cl)
{
	return cl->path;
}

size_t clx_group_size(const struct clx *cl)
{
	return cl->group_size;
}

enum splat_path clx_splat_path(const struct clx *cl)
{
	return cl->splat;
}

void clx_set_splat_path(struct clx *cl, enum splat_path splat)
{
	cl->splat = splat;
}
